// The file outside the store that remembers its last checkpoint: restoring an older copy of the store does not restore
// that file. `checkpoint.file` names it.

package import RedoObject
package import RedoStore

/// The file that the setting names.
package struct RememberedFile {
  /// Its path.
  package let path: String

  /// Creates a value with these members.
  package init(path: String) {
    self.path = path
  }

  /// The file for a store; in a directory, a path that ends in a slash, each store has its own.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - store: its name.
  ///   - effects: the home directory, and where warnings go.
  /// - Returns: `nil` when none is set.
  /// - Throws: `CheckpointFault` when the path is not absolute.
  package static func find(
    _ opened: Repository, _ store: StoreID?, _ effects: Effects
  ) throws -> RememberedFile? {
    let config = opened.store.config
    if let ignored = config.ignored("checkpoint.file") {
      effects.report(.opening(.settingIgnored(key: "checkpoint.file", place: ignored.place)))
    }
    guard let entry = config.entry("checkpoint.file"),
      var path = entry.value, !path.isEmpty
    else { return nil }
    if path.hasPrefix("~/"), let home = effects.surroundings.usual.home {
      path = home + path.dropFirst()
    }
    guard path.hasPrefix("/") else {
      throw CheckpointFault.relativeFile(value: path, place: entry.place)
    }
    if path.hasSuffix("/") {
      guard let store else { return nil }
      path += "\(store.text).checkpoint"
    }
    return RememberedFile(path: path)
  }

  /// The checkpoint in it; `nil` when there is no such file.
  package func read(_ effects: Effects) throws -> FoundCheckpoint? {
    let status = try SystemError.naming(path) {
      try FileStatus.at(path)
    }
    return status == nil ? nil : try CheckpointShelf.file(path, effects)
  }
}

/// A small file that appears whole or not at all, and only replaces a file of its own kind.
package enum StatementFile {
  /// The prefix of the names of unfinished files.
  private static let temporaryPrefix = ".tmp_redo_checkpoint_"

  /// Refuses a name that something else already has.
  ///
  /// - Parameters:
  ///   - path: the path of the file as it was given.
  ///   - effects: says where relative paths begin.
  ///   - isLike: whether the existing bytes may be replaced.
  /// - Throws: `CheckpointFault` when they may not.
  package static func check(
    _ path: String, _ effects: Effects, isLike: ([UInt8]) -> Bool
  ) throws {
    let resolved = effects.resolve(path)
    let status = try SystemError.naming(path) {
      try FileStatus.at(resolved)
    }
    guard let status else {
      let parent = split(resolved).directory
      _ = try SystemError.naming(path) { try Directory.open(parent) }
      return
    }
    guard status.kind == .regular else { throw CheckpointFault.irregular(path: path) }
    let bytes = try InputFile.read(path, limit: InclusionProof.byteLimit, cuts: true, effects)
    guard bytes.isEmpty || isLike(bytes) else {
      throw CheckpointFault.occupied(path: path)
    }
  }

  /// Writes a file in one step.
  ///
  /// - Parameters:
  ///   - bytes: its contents.
  ///   - path: the path of the file as it was given.
  ///   - sync: what to wait for.
  ///   - effects: says where relative paths begin.
  /// - Throws: `SystemError` when it cannot be written; an existing file remains then.
  package static func write(
    _ bytes: [UInt8], _ path: String, _ sync: SyncPolicy, _ effects: Effects
  ) throws {
    let (parent, name) = split(effects.resolve(path))
    try SystemError.naming(path) {
      let directory = try Directory.open(parent)
      var temporary = try TemporaryFile(in: directory, prefix: temporaryPrefix, mode: 0o644)
      try temporary.file.writeAll(bytes)
      if sync != .none { try temporary.file.sync() }
      _ = try temporary.commit(as: name, replacing: .always)
      if sync != .none { try directory.sync() }
    }
  }

  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[path.utf8.index(after: slash)...]))
  }
}
