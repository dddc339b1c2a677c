// The destination of an export that is not a stream: a file that appears whole or not at all, or a directory of files.

internal import RedoObject
internal import RedoStore

/// A destination for an export.
struct ExportTarget {
  /// The file or directory as it was given; empty for the working directory.
  let path: String
  /// Whether existing files are replaced.
  let isForced: Bool
  /// Whether to wait for the disk.
  let syncs: Bool

  /// The prefix of the names of unfinished files: redo import skips them.
  static let temporaryPrefix = ".tmp_redo_export_"
  /// How many bytes are collected before they are written.
  private static let bufferBytes = 1 << 18

  /// Writes one file.
  ///
  /// - Returns: its name.
  /// - Throws: `FileFault` when it cannot be written or exists already; nothing is left then.
  func writeFile(
    _ ids: [ObjectID], _ store: ObjectStore, _ content: ExportContent, isCompressed: Bool,
    _ remarks: inout ExportRemarks, _ effects: Effects
  ) throws -> String {
    let file = try fileName(content.suffix + (isCompressed ? ".gz" : ""), effects)
    try refuseTaken(file, effects)
    let (parent, name) = Self.split(file)
    let resolved = effects.resolve(parent)
    effects.cancellation.hold()
    let directory = try FileFault.naming(file) {
      try Directory.open(resolved)
    }
    var temporary = try FileFault.naming(file) {
      try TemporaryFile(in: directory, prefix: Self.temporaryPrefix, mode: 0o666)
    }
    var buffer: [UInt8] = []
    try content.write(
      ids, store, isCompressed: isCompressed, &remarks, effects
    ) { (bytes) throws in
      buffer += bytes
      guard buffer.count >= Self.bufferBytes else { return }
      try effects.checkInterrupt()
      try FileFault.naming(file) {
        try temporary.file.writeAll(buffer)
      }
      buffer.removeAll(keepingCapacity: true)
    }
    let isNamed = try FileFault.naming(file) {
      try temporary.file.writeAll(buffer)
      if syncs { try temporary.file.sync() }
      guard try temporary.commit(as: name, replacing: isForced ? .always : .never) else {
        return false
      }
      if syncs { try directory.sync() }
      return true
    }
    guard isNamed else { throw FileFault.taken(path: file) }
    return file
  }

  /// Writes a file for each node that has none yet, and compares the existing ones.
  ///
  /// - Returns: the number of files by result.
  func writeFiles(
    _ ids: [ObjectID], _ store: ObjectStore, _ effects: Effects,
    _ tell: (String) throws -> Void
  ) throws -> HistoryExport.Files {
    let resolved = effects.resolve(path)
    effects.cancellation.hold()
    let directory = try FileFault.naming(path) {
      if try FileStatus.at(resolved) == nil {
        try Directory.makeDirectories(resolved, mode: 0o777)
      }
      return try Directory.open(resolved)
    }
    var files = ExportFiles(directory, target: self)
    try HistoryWalk.forEach(
      ids, store, progress: Progress(.exporting, total: ids.count, effects)
    ) { object, _ throws in
      (object.id, ExportText.line(object))
    } _: { element throws in
      try effects.checkInterrupt()
      try files.add(element.0, element.1, tell)
    }
    try files.finish()
    return HistoryExport.Files(
      path: path, new: files.new, same: files.same, replaced: files.replaced,
      different: files.different)
  }

  /// The file to write: in a directory, one with the default name.
  private func fileName(
    _ suffix: String, _ effects: Effects
  ) throws -> String {
    let resolved = effects.resolve(path.isEmpty ? "." : path)
    let kind = try FileFault.naming(path) {
      try FileStatus.at(resolved)?.kind
    }
    guard path.isEmpty || path.utf8.last == UInt8(ascii: "/") || kind == .directory else {
      return path
    }
    let seconds = effects.clock() / 1000
    return joinPath(path, "redo_backup_\(seconds).\(suffix)")
  }

  private func refuseTaken(
    _ file: String, _ effects: Effects
  ) throws {
    let resolved = effects.resolve(file)
    let status = try FileFault.naming(file) {
      try FileStatus.at(resolved)
    }
    guard let status else { return }
    guard status.kind == .regular else {
      throw FileFault.irregular(path: file)
    }
    guard isForced else { throw FileFault.taken(path: file) }
  }

  /// A path's directory and last component.
  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.index(after: slash)...])
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, name)
  }
}
