// Where an archive is written: a file that appears whole or not at all, or standard output.

internal import RedoCrypto
package import RedoStore

/// A place for an archive.
package struct ArchiveTarget: ~Copyable {
  /// The path of the file as it was given.
  package let path: String
  private let name: String
  private let isForced: Bool
  private let syncs: Bool
  private let directory: Directory
  private var temporary: TemporaryFile

  /// The prefix of the names of unfinished files.
  private static let temporaryPrefix = ".tmp_redo_archive_"

  /// Makes sure that a file can be written under a name.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isForced: whether an existing file is replaced.
  ///   - effects: says where relative paths begin.
  /// - Returns: the directory of the file.
  /// - Throws: `FileFault` when it cannot be written, or its name is taken.
  @discardableResult
  package static func check(
    _ path: String, isForced: Bool, _ effects: Effects
  ) throws -> Directory {
    let (parent, name) = Self.split(path)
    guard !name.isEmpty else { throw ArchiveMakingFault.unnamed }
    let resolved = effects.resolve(path)
    let around = effects.resolve(parent)
    let status = try FileFault.naming(path) {
      try FileStatus.ofLink(at: resolved)
    }
    if let status {
      guard status.kind == .regular else {
        throw FileFault.irregular(path: path)
      }
      guard isForced else { throw FileFault.taken(path: path) }
    }
    return try FileFault.naming(path) {
      try Directory.open(around)
    }
  }

  /// Makes the unfinished file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isForced: whether an existing file is replaced.
  ///   - syncs: whether it is synced before it gets its name.
  ///   - mode: its permissions, before the umask.
  ///   - effects: says where relative paths begin.
  /// - Throws: `FileFault` when it cannot be written, or its name is taken.
  package init(
    _ path: String, isForced: Bool, syncs: Bool, mode: UInt32 = 0o666, _ effects: Effects
  ) throws {
    let directory = try Self.check(path, isForced: isForced, effects)
    let temporary: TemporaryFile
    do throws(SystemError) {
      temporary = try TemporaryFile(in: directory, prefix: Self.temporaryPrefix, mode: mode)
    } catch {
      throw FileFault.failed(error, path: path)
    }
    self.path = path
    self.name = Self.split(path).name
    self.isForced = isForced
    self.syncs = syncs
    self.directory = directory
    self.temporary = temporary
  }

  /// Writes the next bytes.
  package mutating func write(_ bytes: [UInt8]) throws {
    do throws(SystemError) { try temporary.file.writeAll(bytes) } catch {
      throw FileFault.failed(error, path: path)
    }
  }

  /// Writes the next bytes, which are a secret.
  mutating func write(_ secret: borrowing SecretBytes) throws {
    do throws(SystemError) { try temporary.file.writeAll(secret) } catch {
      throw FileFault.failed(error, path: path)
    }
  }

  /// Removes the file that is about to be replaced.
  func removeOld() throws {
    guard isForced else { return }
    do throws(SystemError) {
      if try directory.unlink(name), syncs { try directory.sync() }
    } catch {
      throw FileFault.failed(error, path: path)
    }
  }

  /// Gives the file its name.
  package mutating func commit() throws {
    let isNamed: Bool
    do throws(SystemError) {
      if syncs { try temporary.file.sync() }
      isNamed = try temporary.commit(as: name, replacing: isForced ? .always : .never)
      if syncs, isNamed { try directory.sync() }
    } catch {
      throw FileFault.failed(error, path: path)
    }
    guard isNamed else { throw FileFault.taken(path: path) }
  }

  /// A path's directory and last component.
  package static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.index(after: slash)...])
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, name)
  }
}
