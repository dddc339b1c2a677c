// A directory with one file for each node, `<64 hex>.json`: one canonical line. Existing files are compared, never
// rewritten, so a second export writes only what is new.

internal import RedoObject
internal import RedoStore

/// The files of an export, written many at a time.
struct ExportFiles: ~Copyable {
  private let directory: Directory
  private let target: ExportTarget
  /// The files that have temporary names.
  private var waiting: [(name: String, temporary: String)] = []
  /// How many of these have been renamed.
  private var named = 0

  /// How many files are new.
  private(set) var new = 0
  /// How many existed with the bytes of their node.
  private(set) var same = 0
  /// How many had other bytes and were replaced.
  private(set) var replaced = 0
  /// How many have other bytes and were kept.
  private(set) var different = 0

  /// How many files are synced together.
  private static let batchCount = 1024

  /// - Parameters:
  ///   - directory: where the files are.
  ///   - target: the destination.
  init(_ directory: borrowing Directory, target: ExportTarget) {
    self.directory = directory.share()
    self.target = target
  }

  deinit {
    for file in waiting[named...] { _ = try? directory.unlink(file.temporary) }
  }

  /// Writes the file of a node, or compares it.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - line: the bytes of its file.
  ///   - tell: receives a file that has other bytes and was kept.
  /// - Throws: `ExportFault.unwritten`; what `tell` throws.
  mutating func add(
    _ id: ObjectID, _ line: [UInt8], _ tell: (String) throws -> Void
  ) throws {
    let name = "\(id.hex).json"
    let found = try wrapping(name) { directory throws(SystemError) in
      do throws(SystemError) {
        return try directory.readFile(name, limit: line.count, isFollowing: false)
      } catch {
        // Anything longer, a link, or something that is not a file is not this node.
        if error.isRefused { throw error }
        return []
      }
    }
    if found == line {
      same += 1
      return
    }
    if found != nil, !target.isForced {
      different += 1
      try tell(joinPath(target.path, name))
      return
    }
    let temporary = "\(ExportTarget.temporaryPrefix)\(id.hex.prefix(16))_\(Random.hex16())"
    waiting.append((name, temporary))
    if found == nil { new += 1 } else { replaced += 1 }
    try wrapping(name) { directory throws(SystemError) in
      let file = try directory.openFile(temporary, .write, [.create, .exclusive], mode: 0o666)
      try file.writeAll(line)
    }
    if waiting.count >= Self.batchCount { try finish() }
  }

  /// Renames the files, parents first, so that whatever exists at any moment can be imported.
  mutating func finish() throws {
    guard !waiting.isEmpty else { return }
    let target = target
    if target.syncs {
      try wrapping(".") { directory throws(SystemError) in try directory.syncFileSystem() }
    }
    while named < waiting.count {
      let file = waiting[named]
      try wrapping(file.name) { directory throws(SystemError) in
        guard !target.isForced else { return try directory.rename(file.temporary, to: file.name) }
        // Another process may have been faster: one file of a node is as good as another.
        guard try !directory.renameNoReplace(file.temporary, to: file.name) else { return }
        try directory.unlink(file.temporary)
      }
      named += 1
    }
    waiting = []
    named = 0
    if target.syncs {
      try wrapping(".") { directory throws(SystemError) in try directory.sync() }
    }
  }

  private func wrapping<Value>(
    _ name: String, _ calls: (borrowing Directory) throws(SystemError) -> Value
  ) throws -> Value {
    do throws(SystemError) {
      return try calls(directory)
    } catch {
      throw ExportFault.unwritten(
        FileFault.failed(error, path: joinPath(target.path, name)))
    }
  }
}
