// A copy of a history as it is named: a store on this machine, what redo import reads, or a remote.

package import RedoObject
internal import RedoStore

/// Where the nodes of a copy are.
package struct CopySource {
  private enum Form {
    case store(Repository)
    /// A file, a directory of files, or standard input.
    case files
    /// A remote of an open store.
    case remote(Remote, Repository)
  }

  /// The copy as it was named.
  package let name: String
  private let form: Form

  /// Whether it is a remote, of which only what it says is known.
  package var isRemote: Bool { if case .remote = form { true } else { false } }

  /// Opens a copy.
  ///
  /// - Parameters:
  ///   - name: the directory of a store, or the one around it; a file or a directory of files; `-`; the name or the
  ///     location of a remote, where there is nothing of that name and `opened` is given.
  ///   - opened: the store whose remotes are meant; `nil` when a remote is no copy.
  ///   - effects: says where relative paths begin.
  /// - Throws: when a store is there that cannot be opened.
  package init(_ name: String, remotesOf opened: Repository? = nil, _ effects: Effects) throws {
    self.name = name
    guard name != InputFile.standardInputSign else {
      form = .files
      return
    }
    let path = effects.resolve(name)
    if let place = Self.store(in: path) {
      form = .store(try effects.openOther(place))
      return
    }
    let isThere = ((try? FileStatus.at(path)) ?? nil) != nil
    guard let opened, !isThere, Self.isRemote(name, opened) else {
      form = .files
      return
    }
    form = .remote(try Remote.named(name, opened.store, effects), opened)
  }

  /// Whether a name is that of a remote, or its location.
  private static func isRemote(_ name: String, _ opened: Repository) -> Bool {
    name.contains("://") || Remote.names(opened.store.config).contains { $0.text == name }
  }

  /// The history of an open store.
  package init(_ opened: Repository) {
    name = "the store"
    form = .store(opened)
  }

  /// The store's directory inside a directory, or the directory itself if it is one.
  static func store(in path: String) -> String? {
    for place in [joinPath(path, Layout.directoryName), path] {
      let names = [Layout.config, Layout.objects]
      if names.allSatisfy({ (try? FileStatus.at(joinPath(place, $0))) ?? nil != nil }) {
        return place
      }
    }
    return nil
  }

  /// Reads what it has of every kind; of a store that is its history, of a remote its nodes.
  ///
  /// - Parameters:
  ///   - keepsParents: whether parents are of interest, too.
  ///   - keys: what opens encrypted archives.
  ///   - effects: says where relative paths begin, and whether the work is cancelled.
  /// - Returns: the copy.
  /// - Throws: as `HistoryCopy.read`.
  package func read(
    keepsParents: Bool, _ keys: SealKeys, _ effects: Effects
  ) throws -> HistoryCopy {
    var copy = HistoryCopy(
      of: isRemote ? [.node] : ObjectKind.packed, keepsParents: keepsParents)
    switch form {
    case .store(let opened): try copy.read(opened, .history, effects)
    case .files: try copy.read(files: [name], keys, effects)
    case .remote(let remote, let opened): try copy.read(remote, opened, effects)
    }
    return copy
  }

  /// Reads its objects of some kinds, so that a stream is read once.
  ///
  /// - Parameters:
  ///   - kinds: the kinds, at least one.
  ///   - keepsParents: whether parents are of interest, too.
  ///   - keys: what opens encrypted archives.
  ///   - effects: says where relative paths begin, and whether the work is cancelled.
  /// - Returns: a copy for each kind, in the same order; of a remote only that of nodes, the one kind that it is asked for.
  /// - Throws: as `HistoryCopy.read`.
  package func read(
    _ kinds: [ObjectKind], keepsParents: Bool, _ keys: SealKeys, _ effects: Effects
  ) throws -> [HistoryCopy] {
    var copies = kinds.map { HistoryCopy(of: [$0], keepsParents: keepsParents) }
    switch form {
    case .store(let opened):
      for index in copies.indices { try copies[index].read(opened, .history, effects) }
    case .files: try HistoryCopy.read(files: [name], into: &copies, keys, effects)
    case .remote(let remote, let opened):
      copies.removeAll { $0.kinds != [.node] }
      for index in copies.indices { try copies[index].read(remote, opened, effects) }
    }
    return copies
  }
}
