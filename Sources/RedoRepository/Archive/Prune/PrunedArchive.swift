// An archive that a plan may keep: when its newest node was received, and what it is.

package import RedoObject
internal import RedoStore

/// An archive among others.
package struct PrunedArchive: Sendable {
  /// Why an archive stays.
  package enum Reason: Equatable, Sendable {
    /// A rule of the plan keeps it.
    case rule(RetentionPlan.Rule)
    /// It is not much older than the newest one.
    case within
    /// The store reads it.
    case registered
    /// It has nodes that this store never received, or no nodes at all.
    case unknown
    /// The clock is behind the time at which its nodes were received.
    case future
    /// It cannot be read.
    case unreadable
    /// An archive that stays has nodes whose parents are in it.
    case prerequisite
    /// Some of its content is nowhere else.
    case needed
  }

  /// The file as it was named.
  package let path: String
  /// When this store received the newest of its nodes, in milliseconds since 1970; `nil` when unknown or implausible.
  package private(set) var time: Int64?
  /// Why it stays; empty for one that goes.
  package internal(set) var reasons: [Reason] = []
  /// The status of the file when it was read.
  private(set) var status: FileStatus?
  /// Whether all of it was read.
  private(set) var isRead = false
  /// The ids that its nodes name as parents and that are not in it, ascending.
  package private(set) var prerequisites: [ObjectID] = []
  /// Its nodes, by the numbers of `PruneContents`.
  private(set) var nodes = NumberSet()
  /// What the documents beside it say.
  private(set) var statements = NumberSet()

  init(path: String) { self.path = path }

  /// Reads the archive, every byte and every node.
  ///
  /// - Parameters:
  ///   - received: when nodes were received.
  ///   - contents: receives what is in it.
  ///   - keys: what opens it, if it is encrypted.
  ///   - opened: the store.
  ///   - effects: says where relative paths begin.
  /// - Throws: `FileFault`, or when it is damaged.
  mutating func read(
    _ received: ReceivedTimes, _ contents: inout PruneContents, _ keys: SealKeys,
    _ opened: Repository, _ effects: Effects
  ) throws {
    let resolved = effects.resolve(path)
    status = try FileFault.naming(path) {
      try FileStatus.ofLink(at: resolved)
    }
    guard status?.kind == .regular else {
      throw PruneFault.irregular(path: path)
    }
    let file = try ArchiveFile(path, keys, effects)
    try file.check()
    var newest: Int64 = .min
    var isKnown = true
    var found = NumberSet()
    try file.forEachFrame(effects) { nodes, _ in
      for node in nodes {
        found.insert(contents.number(of: node.id, node.signature))
        guard let time = received.time(of: node.id) else {
          isKnown = false
          continue
        }
        newest = max(newest, time)
      }
    }
    nodes = found
    prerequisites = file.reader.directory.prerequisites
    for statement in try ArchiveDocuments.statements(beside: path, effects) {
      statements.insert(contents.number(of: statement))
    }
    isRead = true
    if try Self.isRegistered(status, opened) {
      reasons = [.registered]
    } else if !isKnown || newest == .min {
      reasons = [.unknown]
    } else if newest > received.now {
      reasons = [.future]
    } else {
      time = newest
    }
  }

  /// Whether the file is the one that was read.
  func isUnchanged(_ effects: Effects) -> Bool {
    let now = (try? FileStatus.ofLink(at: effects.resolve(path))) ?? nil
    guard let now, let status else { return false }
    return now.isSameFile(as: status) && now.size == status.size
      && now.modifiedNanoseconds == status.modifiedNanoseconds
  }

  private static func isRegistered(
    _ status: FileStatus?, _ opened: Repository
  ) throws -> Bool {
    guard let status else { return false }
    for shelved in try opened.objects.archives?.all() ?? [] {
      let other = (try? FileStatus.at(shelved.archive.path)) ?? nil
      if other?.isSameFile(as: status) ?? false { return true }
    }
    return false
  }

  /// Makes sure that no file is named twice: it would be its own copy.
  static func checkDistinct(_ archives: [PrunedArchive]) throws {
    for (index, archive) in archives.enumerated() {
      guard let status = archive.status else { continue }
      for other in archives[..<index] where other.status?.isSameFile(as: status) ?? false {
        throw PruneFault.same(path: other.path, other: archive.path)
      }
    }
  }
}
