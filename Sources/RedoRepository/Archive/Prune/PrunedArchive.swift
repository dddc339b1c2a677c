// An archive that a plan may keep: when its newest node was received, and what it is.

internal import RedoObject
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

  init(path: String) { self.path = path }

  /// Reads the archive, every byte and every node.
  ///
  /// - Parameters:
  ///   - received: when nodes were received.
  ///   - opened: the store.
  ///   - effects: says where relative paths begin.
  /// - Throws: `FileFault`, or when it is damaged.
  mutating func read(
    _ received: ReceivedTimes, _ opened: Repository, _ effects: Effects
  ) throws {
    let resolved = effects.resolve(path)
    status = try FileFault.naming(path) {
      try FileStatus.ofLink(at: resolved)
    }
    guard status?.kind == .regular else {
      throw PruneFault.irregular(path: path)
    }
    let file = try ArchiveFile(path, effects)
    try file.check()
    var newest: Int64 = .min
    var isKnown = true
    try file.forEachFrame(effects) { nodes, _ in
      for node in nodes {
        guard let time = received.time(of: node.id) else {
          isKnown = false
          continue
        }
        newest = max(newest, time)
      }
    }
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
