// What an audit needs to know of loose objects in addition to their bytes: names, kinds and modes of a shard,
// and the contents of a file whose hash is not its name.

internal import RedoCrypto
package import RedoObject

extension LooseStore {
  /// Opens a shard, and looks at the name, the kind and the mode of each of its entries.
  ///
  /// - Parameters:
  ///   - byte: the first byte of the digests.
  ///   - findings: receives what is wrong, by path, with paths below `.redo`.
  /// - Returns: the shard with those of its objects that are regular files; `nil` when there is no shard, or
  ///   it cannot be opened.
  package func checkShard(_ byte: UInt8, _ findings: inout [StoreFinding]) -> Shard? {
    let name = Layout.shard(byte)
    let path = joinPath(Layout.objects, name)
    do throws(SystemError) {
      // Something that is not a directory is a finding of the directory above.
      guard try directory.status(name)?.kind == .directory else { return nil }
      let opened = try directory.openSubdirectory(name, isFollowing: false)
      let prefix = Array(name.utf8)
      var named: [ObjectID] = []
      var others: [String] = []
      try opened.forEachName { bytes in
        var hex = prefix
        hex.append(bytes)
        if let id = ObjectID(hex: hex.span) {
          named.append(id)
        } else {
          others.append(String(decoding: hex.dropFirst(2), as: UTF8.self))
        }
      }
      named.sort()
      for other in others {
        let entry = CheckedEntry(name: other, status: (try? opened.status(other)) ?? nil)
        if let finding = FileCheck.finding(entry, at: joinPath(path, other), .unknown) {
          findings.append(finding)
        }
      }
      var ids: [ObjectID] = []
      ids.reserveCapacity(named.count)
      for id in named {
        let file = Layout.looseName(id)
        guard let status = try opened.status(file) else { continue }
        if status.kind == .regular { ids.append(id) }
        if let finding = Self.finding(id, status, at: joinPath(path, file)) {
          findings.append(finding)
        }
      }
      return Shard(directory: opened, ids: ids, isAllRegular: true)
    } catch {
      if !error.isMissing {
        findings.append(
          StoreFinding(.fileKind, path: path, detail: "it cannot be read: \(error.reason)"))
      }
      return nil
    }
  }

  /// What is wrong with the kind and the mode of an object's file.
  private static func finding(
    _ id: ObjectID, _ status: FileStatus, at path: @autoclosure () -> String
  ) -> StoreFinding? {
    guard status.kind == .regular else {
      return StoreFinding(
        .fileKind, id: id, path: path(), detail: "\(status.kind.noun), not a file",
        repair: "move it away, then \(StoreRepair.objects)")
    }
    guard status.mode & ~0o444 != 0 else { return nil }
    return StoreFinding(
      .fileMode, id: id, path: path(), detail: "mode \(status.modeText), not 0444",
      repair: "chmod 444 '\(path())'")
  }

  /// The hash of the contents of an object's file, whatever its name says.
  ///
  /// - Parameters:
  ///   - id: what the file is named after.
  ///   - workspace: the thread's buffers.
  /// - Returns: `nil` when the file does not even contain an object.
  package func contentID(of id: ObjectID, _ workspace: inout Workspace) -> ObjectID? {
    let isRead = try? readFile(
      id, directory, Layout.loose(id), &workspace.file, isKnownRegular: false)
    guard isRead == true else { return nil }
    let digest = try? digest(of: id, workspace.file, &workspace.inflater, &workspace.inflated)
    return digest.map { ObjectID(digest: $0) }
  }
}
