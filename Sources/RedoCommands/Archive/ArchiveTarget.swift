// Where an archive is written: a file that appears whole or not at all, or standard output.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// A place for an archive.
struct ArchiveTarget: ~Copyable {
  /// The file as it was named.
  let path: String
  private let name: String
  private let isForced: Bool
  private let syncs: Bool
  private let directory: Directory
  private var temporary: TemporaryFile

  /// What the name of an unfinished file begins with.
  private static let temporaryPrefix = ".tmp_redo_archive_"

  /// Makes sure that a file can be written under a name.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isForced: whether one that is there is replaced.
  ///   - context: says where relative paths begin.
  /// - Returns: the directory that it goes to.
  /// - Throws: `fatal` when it cannot be written, or its name is taken.
  @discardableResult
  static func check(
    _ path: String, isForced: Bool, _ context: borrowing Context
  ) throws -> Directory {
    let (parent, name) = Self.split(path)
    guard !name.isEmpty else { throw CommandError.usage("'-o' needs the name of a file") }
    let resolved = context.resolve(path)
    let around = context.resolve(parent)
    let status = try CommandError.wrapping(path) {
      try FileStatus.ofLink(at: resolved)
    }
    if let status {
      guard status.kind == .regular else {
        throw CommandError.fatal(
          "'\(path)' is not a regular file", hints: ["'-o -' writes to standard output"])
      }
      guard isForced else { throw Self.taken(path) }
    }
    return try CommandError.wrapping(path) {
      try Directory.open(around)
    }
  }

  /// Makes the unfinished file.
  ///
  /// - Throws: `fatal` when it cannot be written, or its name is taken.
  init(
    _ path: String, isForced: Bool, syncs: Bool, _ context: borrowing Context
  ) throws {
    let directory = try Self.check(path, isForced: isForced, context)
    let temporary: TemporaryFile
    do throws(SystemError) {
      temporary = try TemporaryFile(in: directory, prefix: Self.temporaryPrefix, mode: 0o666)
    } catch {
      throw CommandError.fatal(error, path)
    }
    self.path = path
    self.name = Self.split(path).name
    self.isForced = isForced
    self.syncs = syncs
    self.directory = directory
    self.temporary = temporary
  }

  /// Writes the next bytes.
  mutating func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) { try temporary.file.writeAll(bytes) } catch {
      throw CommandError.fatal(error, path)
    }
  }

  /// Removes what is going to be replaced.
  func removeOld() throws {
    guard isForced else { return }
    do throws(SystemError) {
      if try directory.unlink(name), syncs { try directory.sync() }
    } catch {
      throw CommandError.fatal(error, path)
    }
  }

  /// Gives the file its name.
  mutating func commit() throws {
    let isNamed: Bool
    do throws(SystemError) {
      if syncs { try temporary.file.sync() }
      isNamed = try temporary.commit(as: name, replacing: isForced ? .always : .never)
      if syncs, isNamed { try directory.sync() }
    } catch {
      throw CommandError.fatal(error, path)
    }
    guard isNamed else { throw Self.taken(path) }
  }

  private static func taken(_ path: String) -> CommandError {
    .fatal("'\(path)' is there already", hints: ["'--force' replaces it"])
  }

  /// A path's directory and last component.
  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.index(after: slash)...])
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, name)
  }
}
