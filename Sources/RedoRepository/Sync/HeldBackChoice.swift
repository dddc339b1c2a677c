// Which nodes that are held back from exchanges with a remote the user has seen and accepts:
//
//   remote.<name>.heldBack = ignore:<rule or id>[,<rule or id>...]
//
// A rule accepts the nodes that are held back by it at the next exchange; which these are is remembered with the remote,
// and when others are held back by it, it is said again.

package import RedoObject
package import RedoStore

/// The nodes held back that are accepted for a remote.
package struct HeldBackChoice: Equatable, Sendable {
  /// The name of the setting.
  package static let setting = "heldBack"
  private static let prefix = "ignore:"

  /// The rules.
  package private(set) var rules: Set<String> = []
  /// The nodes that break a rule.
  package private(set) var ids: Set<ObjectID> = []

  private init() {}

  /// Nothing is accepted.
  package static let none = HeldBackChoice()

  /// A choice of rules and ids; `nil` when a word is neither.
  ///
  /// - Parameter words: each a rule that exists, or an id.
  package init?(_ words: some Sequence<some StringProtocol>) {
    for word in words {
      if let id = ObjectID(text: word) {
        ids.insert(id)
      } else if Rule.allCases.contains(where: { $0.id == word }) {
        rules.insert(String(word))
      } else {
        return nil
      }
    }
  }

  /// Reads a value of the setting; `nil` when it is malformed.
  package init?(value: String) {
    guard value.hasPrefix(Self.prefix) else { return nil }
    self.init(value.dropFirst(Self.prefix.utf8.count).split(separator: ","))
  }

  /// What the settings accept for a remote.
  ///
  /// - Parameters:
  ///   - name: the remote; without a name nothing is accepted.
  ///   - config: the settings.
  /// - Throws: `RemoteFault` when a value is malformed.
  package init(for name: RemoteName?, _ config: Config) throws {
    self.init()
    guard let name else { return }
    for entry in config.all(Remote.key(name, Self.setting)) {
      guard let one = HeldBackChoice(value: entry.value ?? "") else {
        throw RemoteFault.badHeldBack(remote: name.text, value: entry.value ?? "")
      }
      add(one)
    }
  }

  /// Adds another choice.
  package mutating func add(_ other: HeldBackChoice) {
    rules.formUnion(other.rules)
    ids.formUnion(other.ids)
  }

  /// Takes rules and ids out of it.
  package mutating func remove(_ other: HeldBackChoice) {
    rules.subtract(other.rules)
    ids.subtract(other.ids)
  }

  /// The rules and ids, as they are written.
  package var words: [String] { rules.sorted() + ids.sorted().map(\.text) }

  /// Whether nothing is accepted.
  package var isEmpty: Bool { rules.isEmpty && ids.isEmpty }

  /// The value of the setting.
  package var value: String {
    Self.prefix + words.joined(separator: ",")
  }
}

extension SyncReport {
  /// Marks what is accepted.
  ///
  /// - Parameters:
  ///   - choice: what the user accepts.
  ///   - seen: by side (`here`, `there`, of other kinds than nodes behind the kind and `-`) and rule, which nodes were held
  ///     back when a rule was accepted; those of a rule that is met for the first time are added.
  package mutating func accept(_ choice: HeldBackChoice, _ seen: inout [String: String]) {
    guard !choice.isEmpty else { return }
    func mark(_ held: inout HeldBack, _ side: String) {
      // Where none breaks the rule itself, it is not known what they follow.
      if held.count > 0, held.count <= held.ids.count,
        held.ids.prefix(held.count).allSatisfy(choice.ids.contains)
      {
        held.isAccepted = true
      }
      guard choice.rules.contains(held.rule) else { return }
      let key = "\(objects == .node ? "" : "\(objects.name)-")\(side) \(held.rule)"
      held.isAccepted = held.isAccepted || seen[key, default: held.mark] == held.mark
      if seen[key] == nil { seen[key] = held.mark }
    }
    for index in heldHere.indices { mark(&heldHere[index], "here") }
    guard var there = heldThere else { return }
    for index in there.indices { mark(&there[index], "there") }
    heldThere = there
  }
}
