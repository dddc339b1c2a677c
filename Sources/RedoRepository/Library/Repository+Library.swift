// A store as programs outside this package see it: created or opened by a path, and asked for its nodes.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

extension Repository {
  /// Creates an empty store, or opens an existing one.
  ///
  /// - Parameters:
  ///   - path: the directory in which the store, a directory `.redo`, is created; it is created too if it does not
  ///     exist.
  ///   - effects: the surroundings for everything that is done with the store.
  /// - Returns: the open store.
  /// - Throws: `system` when nothing can be written, `denied` for a store of another user, `unsupported` for one of a
  ///   later format.
  public static func create(
    at path: String, effects: Effects = .system()
  ) throws(RedoError) -> Repository {
    try RedoError.sorting {
      let made = try effects.makeRepository(joinPath(effects.resolve(path), Layout.directoryName))
      var effects = effects
      // A call that opens it again knows it too, where there is no home directory to remember it in.
      if made.store.standing == .own, let real = try? CurrentProcess.realPath(made.store.path) {
        effects.surroundings.settings.append(("safe.store", real))
      }
      return made.with(effects)
    }
  }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: the directory that the store is in, or its own directory `.redo`; parent directories are not searched.
  ///   - effects: the surroundings for everything that is done with the store.
  /// - Returns: the open store.
  /// - Throws: `missing` when there is none, `denied` for a store of another user, `unsupported` for one of a later
  ///   format, `system`.
  public static func open(
    at path: String, effects: Effects = .system()
  ) throws(RedoError) -> Repository {
    try RedoError.sorting {
      let place = effects.resolve(path)
      let found = (try? StorePlace.find(place, path)) ?? place
      return try effects.openOther(found).with(effects)
    }
  }

  /// The same store with other surroundings.
  private func with(_ effects: Effects) -> Repository {
    var effects = effects
    effects.surroundings.redoDirectory = store.path
    return Repository(store.share(), objects, trace, effects)
  }

  /// The path of its directory, `.redo`.
  public var path: String { store.path }

  /// The nodes that are not yet a parent of any node in the store: the ends of the history, by task.
  ///
  /// - Throws: `corrupt` when the refs are damaged, `system`.
  public func heads() throws(RedoError) -> [NodeID] {
    try RedoError.sorting { try HistoryLoad.heads(self).map { NodeID($0) } }
  }

  /// The history: every node that the heads reach, parents before their children.
  ///
  /// The order is total, and the same in every store with the same nodes: by logical time, wall time and ID
  /// (redo-protocol(7), section 2).
  ///
  /// - Throws: `corrupt`, `missing` or `invalid` when a node cannot be read, `system`.
  /// - Complexity: O(*n*) in nodes; the index of the store is used and updated.
  public func nodes() throws(RedoError) -> [NodeID] {
    try RedoError.sorting {
      let history = try HistoryGraph.open(self, usesCache: true, .ids)
      let all = 0..<history.graph.count
      return all.filter { history.members?[$0] ?? true }.map { NodeID(history.graph.id(at: $0)) }
    }
  }

  /// Reads a node; its bytes are hashed again.
  ///
  /// - Parameter id: the node.
  /// - Returns: the node.
  /// - Throws: `missing` when it is not here, `corrupt` when its bytes have another hash, `invalid` when it is not a
  ///   valid node, `system`.
  public func read(_ id: NodeID) throws(RedoError) -> NodeRecord {
    try RedoError.sorting {
      var reader = NodeReader()
      guard let object = try reader.object(id.object, in: objects) else {
        throw LibraryFault.missing(id.object)
      }
      guard let node = reader.decode(object) else {
        throw LibraryFault.notNode(id.object)
      }
      return NodeRecord(node)
    }
  }
}
