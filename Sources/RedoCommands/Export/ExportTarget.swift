// Where an export goes that is not a stream: a file that appears whole or not at all, or a directory
// of files.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// A place that `-o` names.
struct ExportTarget {
  /// What `-o` says; empty for the working directory.
  let path: String
  /// Whether what is there is replaced.
  let isForced: Bool
  /// Whether only errors are said.
  let isQuiet: Bool
  /// Whether the disk is waited for.
  let syncs: Bool

  /// What the name of an unfinished file begins with: redo import passes over it.
  static let temporaryPrefix = ".tmp_redo_export_"
  /// How many bytes are collected before they are written.
  private static let bufferBytes = 1 << 18

  /// Writes one file.
  ///
  /// - Throws: `fatal` when it cannot be written or is there already; nothing is left then.
  func writeFile(
    _ ids: [ObjectID], _ store: ObjectStore, _ content: ExportContent, isCompressed: Bool,
    _ context: inout Context
  ) throws {
    let file = try fileName(content.suffix + (isCompressed ? ".gz" : ""), context)
    try refuseTaken(file, context)
    let (parent, name) = Self.split(file)
    let resolved = context.resolve(parent)
    context.holdSignals()
    let directory = try CommandError.wrapping(file) {
      try Directory.open(resolved)
    }
    var temporary = try CommandError.wrapping(file) {
      try TemporaryFile(in: directory, prefix: Self.temporaryPrefix, mode: 0o666)
    }
    var remarks = ExportRemarks()
    var buffer: [UInt8] = []
    try content.write(
      ids, store, isCompressed: isCompressed, &remarks
    ) { (bytes) throws in
      buffer += bytes
      guard buffer.count >= Self.bufferBytes else { return }
      try context.checkInterrupt()
      try CommandError.wrapping(file) {
        try temporary.file.writeAll(buffer)
      }
      buffer.removeAll(keepingCapacity: true)
    }
    let isNamed = try CommandError.wrapping(file) {
      try temporary.file.writeAll(buffer)
      if syncs { try temporary.file.sync() }
      guard try temporary.commit(as: name, replacing: isForced ? .always : .never) else {
        return false
      }
      if syncs { try directory.sync() }
      return true
    }
    guard isNamed else { throw Self.taken(file) }
    if !isQuiet {
      remarks.report(&context)
      context.note("exported \(ids.count) change\(ids.count == 1 ? "" : "s")")
    }
    try context.output.writeLine(file)
  }

  /// Writes a file for each node that has none yet, and compares those that are there.
  ///
  /// - Returns: `no` when a file has other bytes than its node.
  func writeFiles(
    _ ids: [ObjectID], _ store: ObjectStore, _ context: inout Context
  ) throws -> Exit {
    let resolved = context.resolve(path)
    context.holdSignals()
    let directory = try CommandError.wrapping(path) {
      if try FileStatus.at(resolved) == nil {
        try Directory.makeDirectories(resolved, mode: 0o777)
      }
      return try Directory.open(resolved)
    }
    var files = ExportFiles(directory, target: self)
    try HistoryWalk.forEach(
      ids, store
    ) { object, _ throws in
      (object.id, ExportText.line(object))
    } _: { element throws in
      try context.checkInterrupt()
      try files.add(element.0, element.1, &context)
    }
    try files.finish()
    if !isQuiet {
      var text = "exported \(files.new) new file\(files.new == 1 ? "" : "s")"
      if files.same > 0 { text += ", \(files.same) there already" }
      if files.replaced > 0 { text += ", \(files.replaced) replaced" }
      context.note(text)
    }
    try context.output.writeLine(path)
    return files.different > 0 ? .no : .ok
  }

  /// The file to write: in a directory one of the default name.
  private func fileName(
    _ suffix: String, _ context: borrowing Context
  ) throws -> String {
    let resolved = context.resolve(path.isEmpty ? "." : path)
    let kind = try CommandError.wrapping(path) {
      try FileStatus.at(resolved)?.kind
    }
    guard path.isEmpty || path.utf8.last == UInt8(ascii: "/") || kind == .directory else {
      return path
    }
    let seconds = context.clock() / 1000
    return joinPath(path, "redo_backup_\(seconds).\(suffix)")
  }

  private func refuseTaken(
    _ file: String, _ context: borrowing Context
  ) throws {
    let resolved = context.resolve(file)
    let status = try CommandError.wrapping(file) {
      try FileStatus.at(resolved)
    }
    guard let status else { return }
    guard status.kind == .regular else {
      throw CommandError.fatal(
        "'\(file)' is not a regular file", hints: ["'-o -' writes to standard output"])
    }
    guard isForced else { throw Self.taken(file) }
  }

  private static func taken(_ file: String) -> CommandError {
    .fatal("'\(file)' is there already", hints: ["'--force' replaces it"])
  }

  /// A path's directory and last component.
  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.index(after: slash)...])
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, name)
  }
}
