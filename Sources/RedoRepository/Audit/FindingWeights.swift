// The severity of a finding: the rule's own severity, changed by the settings `verify.<rule>`, and a list of IDs whose
// findings are skipped.

package import RedoObject
package import RedoStore

/// The severities of one audit.
package struct FindingWeights: Sendable {
  private let profile: Profile
  /// The severities from settings; `nil` for a rule that is skipped.
  private var settings: [Rule: Severity?] = [:]
  private var skipped: Set<ObjectID> = []

  /// The most bytes of a skip list.
  private static let skipListLimit = 64 << 20
  private static let skipListKey = "verify.skiplist"

  /// - Throws: `AuditFault` when a setting has no meaning, or would lower a severity that must not be lowered.
  package init(
    _ repository: borrowing StoreDirectory, _ profile: Profile, _ effects: Effects
  ) throws {
    self.profile = profile
    let config = repository.config
    let unknown = config.passedOver.filter { $0.reason == .unknown }.map(\.entry)
    for entry in config.entries + unknown where entry.key.hasPrefix(KnownKey.verifyPrefix) {
      if entry.key == Self.skipListKey { continue }
      let name = String(entry.key.dropFirst(KnownKey.verifyPrefix.count))
      guard let rule = Rule(rawValue: name) else {
        effects.report(.unknownRule(name, key: entry.key, place: entry.place))
        continue
      }
      let value = entry.value ?? ""
      if let refusal = KnownKey.named(entry.key)?.refusal(of: value) {
        throw AuditFault.weight(value, key: entry.key, place: entry.place, refusal: refusal)
      }
      switch value {
      case "error": settings[rule] = .some(.error)
      case "warn": settings[rule] = .some(.warning)
      default: settings[rule] = .some(nil)
      }
    }
    if let entry = repository.config.entry(Self.skipListKey), let path = entry.value, !path.isEmpty
    {
      skipped = try Self.read(try Self.resolve(path, entry, repository.path, effects))
    }
  }

  /// The severity of a finding; `nil` when it is skipped.
  package func severity(of finding: StoreFinding) -> Severity? {
    if finding.rule.isAlwaysError || finding.isFatal { return .error }
    if let id = finding.id, skipped.contains(id) { return nil }
    if let setting = settings[finding.rule] { return setting }
    return finding.isMild ? .warning : profile.severity(of: finding.rule)
  }

  /// The path of a list; in a store's own settings it is relative to the store.
  private static func resolve(
    _ path: String, _ entry: Config.Entry, _ store: String, _ effects: Effects
  ) throws -> String {
    if path.hasPrefix("~/") {
      guard let home = effects.surroundings.usual.home else {
        throw AuditFault.noHome(path: path)
      }
      return home + path.dropFirst()
    }
    if case .store = entry.origin { return joinPath(store, path) }
    return effects.resolve(path)
  }

  private static func read(_ path: String) throws -> Set<ObjectID> {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try File.openRegular(path).readAll(limit: skipListLimit)
    } catch {
      throw AuditFault.skipList(error)
    }
    var ids: Set<ObjectID> = []
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      let words = text.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      guard let word = words.first else { continue }
      guard words.count == 1, let id = ObjectID(ascii: Array(word.utf8).span) else {
        throw AuditFault.skipListLine(index + 1, path: path)
      }
      ids.insert(id)
    }
    return ids
  }
}
