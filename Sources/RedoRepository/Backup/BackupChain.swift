// The files that a point rests on, read from it back to the full one: every byte, and the hash that each states of the one
// before. Nodes are not decoded: these are the bytes that were read back when each file was made.

internal import RedoCrypto
internal import RedoStore

/// The files of a chain, as they were read.
struct BackupChain {
  /// SHA-256 of the last file.
  let digest: Digest
  /// What the full point says of itself.
  let first: BackupManifest

  /// Reads the files that lead to a point, and its own.
  ///
  /// - Parameters:
  ///   - last: what the point says of itself.
  ///   - shelf: the directory.
  ///   - effects: says whether the work is cancelled.
  /// - Throws: `BackupFault` for the first thing that is wrong, `FileFault`.
  init(to last: BackupManifest, in shelf: borrowing BackupShelf, _ effects: Effects) throws {
    var manifest = last
    var points = [last]
    digest = try BackupFile(last.fileName, in: shelf).digest(effects)
    while let needs = manifest.needs {
      let path = joinPath(shelf.path, manifest.fileName)
      let other = joinPath(shelf.path, needs.name)
      // A point needs one from before.
      let status = try FileFault.naming(other) { try shelf.directory.status(needs.name) }
      guard status != nil, needs.name < manifest.fileName else {
        throw BackupFault.gap(path: path, missing: other)
      }
      let file = try BackupFile(needs.name, in: shelf)
      guard try file.digest(effects) == needs.digest else {
        throw BackupFault.replaced(path: path, other: other)
      }
      manifest = file.manifest
      points.append(manifest)
    }
    first = manifest
    for (depth, point) in points.reversed().enumerated() where point.depth != depth {
      throw BackupFault.damaged(path: joinPath(shelf.path, point.fileName), .content(.depth))
    }
  }
}
