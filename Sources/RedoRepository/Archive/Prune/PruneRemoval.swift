// The removal of archives whose nodes are elsewhere: they are read again there, with their signatures.

internal import RedoCrypto
internal import RedoObject
internal import RedoStore

/// The removal of archives whose nodes are elsewhere.
struct PruneRemoval {
  private let opened: Repository
  /// The content of the archives that stay: a hash of the signature of each node, 0 for none.
  private var kept: [ObjectID: [UInt64]] = [:]
  /// What the documents beside them say.
  private var statements: Set<Digest> = []

  /// Reads the archives that stay.
  ///
  /// - Throws: when one of them can no longer be read.
  init(
    _ archives: [PrunedArchive], _ opened: Repository, _ effects: Effects
  ) throws {
    self.opened = opened
    for archive in archives where !archive.reasons.isEmpty {
      guard archive.status != nil, !archive.reasons.contains(.unreadable) else { continue }
      let file = try ArchiveFile(archive.path, effects)
      try file.check()
      var found = kept
      kept = [:]
      try file.forEachFrame(effects) { nodes, _ in
        for node in nodes {
          let mark = Self.mark(node.signature)
          if !(found[node.id]?.contains(mark) ?? false) {
            found[node.id, default: []].append(mark)
          }
        }
      }
      kept = found
      statements.formUnion(try ArchiveDocuments.statements(beside: archive.path, effects))
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
  ///   - isDryRun: whether it stays in any case.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: why it stays; `nil` when it is gone, or would be.
  /// - Throws: `FileFault` when something cannot be read or removed; `Interruption`.
  mutating func remove(
    _ archive: PrunedArchive, isDryRun: Bool, _ effects: Effects
  ) throws -> ArchivePruning.Need? {
    let file = try ArchiveFile(archive.path, effects)
    try file.check()
    var missing = 0
    var reader = NodeReader()
    let objects = opened.objects
    let kept = kept
    try file.forEachFrame(effects) { nodes, _ in
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
      return .nodes(missing)
    }
    let lost = try ArchiveDocuments.statements(beside: archive.path, effects)
      .subtracting(statements).count
    guard lost == 0 else {
      return .documents(lost)
    }
    guard !isDryRun else { return nil }
    let resolved = effects.resolve(archive.path)
    let now = (try? FileStatus.ofLink(at: resolved)) ?? nil
    guard let now, let then = archive.status, now.isSameFile(as: then), now.size == then.size,
      now.modifiedNanoseconds == then.modifiedNanoseconds
    else { return .changed }
    try FileFault.naming(archive.path) {
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
