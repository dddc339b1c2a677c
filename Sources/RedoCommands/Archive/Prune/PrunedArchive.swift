// An archive that a plan may keep: when its newest node was received, and what it is.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// An archive among others.
struct PrunedArchive {
  /// The file as it was named.
  let path: String
  /// When this store received the newest of its nodes, in milliseconds since 1970; `nil` when that is not
  /// known, or not to be believed.
  private(set) var time: Int64?
  /// Why it stays; empty for one that goes.
  var reasons: [String] = []
  /// The file, as it was when it was read.
  private(set) var status: FileStatus?

  init(path: String) { self.path = path }

  /// Reads the archive, every byte and every node.
  ///
  /// - Parameters:
  ///   - received: when nodes were received.
  ///   - opened: the store.
  ///   - context: says where relative paths begin.
  /// - Throws: `fatal` when it cannot be read or is damaged.
  mutating func read(
    _ received: ReceivedTimes, _ opened: Repository, _ context: inout Context
  ) throws {
    let resolved = context.resolve(path)
    status = try CommandError.wrapping(path) {
      try FileStatus.ofLink(at: resolved)
    }
    guard status?.kind == .regular else {
      throw CommandError.fatal("'\(path)' is not a regular file")
    }
    let file = try ArchiveFile(path, context.effects)
    try file.check()
    var newest: Int64 = .min
    var isKnown = true
    try file.forEachFrame(context.effects) { nodes, _ in
      for node in nodes {
        guard let time = received.time(of: node.id) else {
          isKnown = false
          continue
        }
        newest = max(newest, time)
      }
    }
    if try Self.isRegistered(status, opened) {
      reasons = ["registered"]
    } else if !isKnown || newest == .min {
      reasons = ["unknown"]
    } else if newest > received.now {
      reasons = ["future"]
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
        throw CommandError.fatal("'\(other.path)' and '\(archive.path)' are the same file")
      }
    }
  }

  private var timeText: String? { time.map { WallTime(milliseconds: $0).text } }
  private var word: String { reasons.isEmpty ? "remove" : "keep" }

  /// `<keep or remove> <time> <reasons> <file>`.
  static var columns: [RowColumn<PrunedArchive>] {
    [
      .word("what") { $0.word },
      .word("received") { $0.timeText },
      .list("reasons") {
        $0.reasons
      } text: {
        $0.isEmpty ? nil : $0.joined(separator: ",")
      },
      .text("file") { $0.path },
    ]
  }
}

/// The removal of archives whose nodes are elsewhere: read again there, with their signatures.
struct PruneRemoval {
  private let opened: Repository
  /// What the archives have that stay: a hash of the signature of each node, 0 for none.
  private var kept: [ObjectID: [UInt64]] = [:]
  /// What the documents beside them say.
  private var statements: Set<Digest> = []

  /// Reads the archives that stay.
  ///
  /// - Throws: `fatal` when one of them cannot be read any more.
  init(
    _ archives: [PrunedArchive], _ opened: Repository, _ context: inout Context
  ) throws {
    self.opened = opened
    for archive in archives where !archive.reasons.isEmpty {
      guard archive.status != nil, !archive.reasons.contains("unreadable") else { continue }
      let file = try ArchiveFile(archive.path, context.effects)
      try file.check()
      var found = kept
      kept = [:]
      try file.forEachFrame(context.effects) { nodes, _ in
        for node in nodes {
          let mark = Self.mark(node.signature)
          if !(found[node.id]?.contains(mark) ?? false) {
            found[node.id, default: []].append(mark)
          }
        }
      }
      kept = found
      statements.formUnion(try ArchiveDocuments.statements(beside: archive.path, context))
    }
  }

  private static func mark(_ signature: Signature?) -> UInt64 {
    guard let signature else { return 0 }
    let digest = SHA256.digest(of: signature.bytes.span)
    return (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(digest.bytes[$1]) } | 1
  }

  /// Removes an archive, if each of its nodes is elsewhere.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - isDryRun: whether it stays all the same.
  ///   - context: tells of signals.
  /// - Returns: why it stays; `nil` when it is gone, or would be.
  /// - Throws: `fatal` when something cannot be read or removed; `signal`.
  mutating func remove(
    _ archive: PrunedArchive, isDryRun: Bool, _ context: inout Context
  ) throws -> String? {
    let file = try ArchiveFile(archive.path, context.effects)
    try file.check()
    var missing = 0
    var reader = NodeReader()
    let objects = opened.objects
    let kept = kept
    try file.forEachFrame(context.effects) { nodes, _ in
      for node in nodes {
        let mark = Self.mark(node.signature)
        if kept[node.id]?.contains(mark) ?? false { continue }
        if mark == 0, kept[node.id] != nil { continue }
        // The store itself: a registered archive may be the file that goes.
        let copy = (try? objects.own.read(node.id, &reader.workspace)) ?? nil
        if let copy, copy.kind == .node, mark == 0 || Self.mark(copy.signature) == mark { continue }
        missing += 1
      }
    }
    guard missing == 0 else {
      return "\(missing) of its nodes, or their signatures, are nowhere else"
    }
    let lost = try ArchiveDocuments.statements(beside: archive.path, context)
      .subtracting(statements).count
    guard lost == 0 else {
      return "what the documents beside it say of \(lost) of its nodes is nowhere else"
    }
    guard !isDryRun else { return nil }
    let resolved = context.resolve(archive.path)
    let now = (try? FileStatus.ofLink(at: resolved)) ?? nil
    guard let now, let then = archive.status, now.isSameFile(as: then), now.size == then.size,
      now.modifiedNanoseconds == then.modifiedNanoseconds
    else { return "it has changed meanwhile" }
    try CommandError.wrapping(archive.path) {
      let (around, name) = ArchiveTarget.split(resolved)
      let directory = try Directory.open(around)
      try directory.unlink(name)
      for suffix in [
        ArchiveManifest.suffix, ManifestSignature.suffix, ArchiveDocuments.suffix,
      ] {
        if try directory.status(name + suffix)?.kind == .regular {
          try directory.unlink(name + suffix)
        }
      }
    }
    return nil
  }
}
