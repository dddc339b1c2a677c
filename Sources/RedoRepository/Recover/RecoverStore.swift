// A recovered history as a store of its own. It is created under a temporary name in the requested directory, and is
// renamed to `.redo` when it is complete: a crash never leaves half a store.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// A directory in which a store is created.
package struct RecoverStore {
  /// The directory as it was given.
  package let path: String

  /// Creates a destination in a directory.
  package init(path: String) { self.path = path }

  /// The prefix of the names of unfinished stores.
  private static let temporaryPrefix = ".tmp_redo_recover_"

  /// Refuses a directory that is not empty, or is inside a store.
  ///
  /// Leftovers of an interrupted recovery are no obstacle.
  func check(_ effects: Effects) throws {
    let resolved = effects.resolve(path)
    let (left, isInside) = try usable {
      () throws -> ([String], Bool) in
      guard try FileStatus.at(resolved) != nil else {
        return ([], try Self.isInsideStore(Self.nearest(resolved)))
      }
      return (try Directory.open(resolved).list(), try Self.isInsideStore(resolved))
    }
    guard !isInside else { throw RecoverFault.insideStore(path: path) }
    guard left.allSatisfy({ $0.hasPrefix(Self.temporaryPrefix) }) else {
      throw RecoverFault.notEmpty(path: path)
    }
    for name in left.sorted() {
      effects.report(.recoveryLeftOver(path: joinPath(path, name)))
    }
  }

  /// Runs system calls on the directory.
  private func usable<Value: ~Copyable>(_ calls: () throws -> Value) throws -> Value {
    do {
      return try calls()
    } catch let error as SystemError {
      throw RecoverFault.unusable(path: path, error)
    }
  }

  /// The deepest directory of a path that exists.
  private static func nearest(_ path: String) throws(SystemError) -> String {
    var path = path
    while try FileStatus.at(path) == nil { path = split(path).directory }
    return path
  }

  /// Whether a directory is that of a store, or is below one.
  private static func isInsideStore(_ path: String) throws(SystemError) -> Bool {
    var directory = try CurrentProcess.realPath(path)
    while true {
      var hasAll = true
      for name in [Layout.config, Layout.objects, "refs.journal"] where hasAll {
        hasAll = try FileStatus.at(joinPath(directory, name)) != nil
      }
      if hasAll { return true }
      guard directory != "/" else { return false }
      directory = split(directory).directory
    }
  }

  /// A path's directory and last component.
  private static func split(_ path: String) -> (directory: String, name: String) {
    var bytes = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    while bytes.count > 1, bytes.last == slash { bytes.removeLast() }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let place = bytes.lastIndex(of: slash) else { return (".", text) }
    let name = String(decoding: bytes[(place + 1)...], as: UTF8.self)
    return (place == 0 ? "/" : String(decoding: bytes[..<place], as: UTF8.self), name)
  }

  /// Makes the store.
  func write(
    _ history: RecoveredHistory, _ groups: [RecoveredGroups], _ message: String,
    _ source: Repository, _ effects: Effects
  ) throws {
    try make(effects) { path throws in
      (try fill(path, history, groups, message, source, effects), true)
    }
  }

  /// Makes a store under a temporary name, and gives it its own when it is whole.
  ///
  /// - Parameters:
  ///   - effects: says where relative paths begin.
  ///   - fill: receives the path; returns what to wait for, and whether the store counts as the user's own.
  /// - Throws: `RecoverFault`, what the closure throws; nothing is left then.
  func make(
    _ effects: Effects, _ fill: (String) throws -> (sync: SyncPolicy, isOwn: Bool)
  ) throws {
    let resolved = effects.resolve(path)
    var made: [String] = []
    var temporary: String?
    do {
      let around = try usable {
        var missing = resolved
        while try FileStatus.at(missing) == nil {
          made.append(missing)
          missing = Self.split(missing).directory
        }
        try Directory.makeDirectories(resolved, mode: 0o755)
        return try Directory.open(resolved)
      }
      let name = Self.temporaryPrefix + Random.hex16()
      temporary = name
      let (sync, isOwn) = try fill(joinPath(resolved, name))
      try finish(around, name, sync, made: made)
      if isOwn { effects.remember(joinPath(resolved, Layout.directoryName)) }
    } catch {
      Self.remove(temporary, in: resolved, made)
      throw error
    }
  }

  /// Creates everything under the temporary name.
  ///
  /// - Returns: what to wait for.
  private func fill(
    _ temporary: String, _ history: RecoveredHistory, _ groups: [RecoveredGroups],
    _ message: String, _ source: Repository, _ effects: Effects
  ) throws -> SyncPolicy {
    let opened = try effects.makeRepository(temporary)
    let since = try opened.snapshot().receivedBytes
    var stage = NodeStage(opened.objects, trace: effects.trace)
    try RecoverNodes(source).check(history.admission.ids, effects) { writes throws in
      _ = try stage.add(writes)
    }
    _ = try stage.commit()
    try effects.checkInterrupt()
    _ = try opened.moveHeads(
      history.admission, since: since, hasKnown: false, message: message,
      receivedTimes: history.received, effects)
    for group in groups { try group.write(to: opened, message, source, effects) }
    let ids = Set(history.admission.ids)
    let created = source.store.created.read(of: ids).times
    try IncomingCreatedTimes(created).write(to: opened, effects)
    let options = try opened.refsOptions()
    do throws(RefsError) {
      try source.store.access.copy(of: ids, to: AccessWriter(in: opened.store.directory, options))
    } catch {
      effects.report(.opening(.accessUnnoted(error)))
    }
    // It is remembered under its final name.
    _ = try? opened.store.forget()
    return options.sync
  }

  /// Gives the store its name.
  private func finish(
    _ around: borrowing Directory, _ temporary: String, _ sync: SyncPolicy, made: [String]
  ) throws {
    let isNamed = try usable {
      try around.renameNoReplace(temporary, to: Layout.directoryName)
    }
    guard isNamed else { throw RecoverFault.taken(path: path) }
    guard sync != .none else { return }
    do throws(SystemError) {
      try around.sync()
      for directory in made { try Directory.open(Self.split(directory).directory).sync() }
    } catch {
      throw RecoverFault.notSynced(path: path, error)
    }
  }

  /// Takes back what was made.
  private static func remove(_ temporary: String?, in directory: String, _ made: [String]) {
    // There is nobody to report it to; what stays behind has a name that is never mistaken for a store.
    if let temporary, let around = try? Directory.open(directory) {
      _ = try? around.clear(temporary)
      try? around.removeDirectory(temporary)
    }
    for path in made {
      let (parent, name) = split(path)
      // A directory with a store in it is kept.
      try? Directory.open(parent).removeDirectory(name)
    }
  }
}
