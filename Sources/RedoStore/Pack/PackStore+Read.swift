// Reading nodes of packs by their ids.

package import RedoObject

extension PackStore: ObjectPlace {
  /// How often the packs are listed again because one of them had gone.
  private static let attemptLimit = 16

  package func contains(_ id: ObjectID) throws(StoreError) -> Bool {
    try search { (pack) throws(PackError) in try pack.contains(id) ? true : nil } ?? false
  }

  package func read(
    _ id: ObjectID, _ workspace: inout LooseStore.Workspace
  ) throws(StoreError) -> StoredObject? {
    var damage: StoreError?
    let packs = try mapSystem { () throws(SystemError) in try known(&workspace.frames.packs) }
    guard !packs.isEmpty else { return nil }
    let found = try search(packs) { (pack) throws(PackError) -> StoredObject? in
      do throws(PackError) {
        return try pack.read(id, &workspace.frames)
      } catch {
        if case .system = error { throw error }
        // Only of a node that it has a pack can have a corrupt copy.
        guard try pack.place(of: id) != nil else { return nil }
        // Another pack may have a good copy.
        damage = .corrupt(id, path: pack.path, reason: error.description)
        return nil
      }
    }
    if let found { return found }
    if let damage { throw damage }
    return nil
  }

  /// Reads a node.
  package func read(_ id: ObjectID) throws(StoreError) -> StoredObject? {
    var workspace = LooseStore.Workspace()
    return try read(id, &workspace)
  }

  /// Asks one pack after another, until one has an answer.
  ///
  /// A pack that has gone since the directory was listed was replaced by others: these are then asked. A file
  /// that is not a readable pack, and has no index, has no nodes for readers; an audit reports it.
  ///
  /// - Parameters:
  ///   - first: the packs to ask first; those that are known when `nil`.
  ///   - question: the question for each.
  /// - Returns: the first answer.
  /// - Throws: `system`.
  func search<Answer>(
    _ first: [Pack]? = nil, _ question: (Pack) throws(PackError) -> Answer?
  ) throws(StoreError) -> Answer? {
    var packs: [Pack]
    if let first {
      packs = first
    } else {
      packs = try mapSystem { () throws(SystemError) in try known() }
    }
    for _ in 0..<Self.attemptLimit {
      var hasGone = false
      for pack in packs {
        do throws(PackError) {
          if let answer = try question(pack) { return answer }
        } catch {
          switch error {
          case .system(let cause) where cause.isMissing: hasGone = true
          case .system(let cause): throw .system(cause)
          case .notPack, .unsupported, .kind, .locked, .corrupt: continue
          }
        }
      }
      guard hasGone else { return nil }
      packs = try mapSystem { () throws(SystemError) in
        try refresh(isForced: true)
        return try known()
      }
    }
    return nil
  }
}
