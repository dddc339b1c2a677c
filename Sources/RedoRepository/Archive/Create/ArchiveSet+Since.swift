// What is left out of an archive: what others have, and what cannot be read now.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

extension ArchiveSet {
  /// Leaves out the nodes of archives, and what these build on: whoever has such an archive has that.
  ///
  /// - Parameters:
  ///   - paths: the archives.
  ///   - effects: says where relative paths begin.
  /// - Returns: those of them that have nodes which the remaining ones name as parents.
  /// - Throws: `ArchiveFault`, `FileFault` when one of them cannot be read.
  mutating func leaveOut(_ paths: [String], _ effects: Effects) throws -> [String] {
    // The archive that has a node; -1 for none.
    var holders = [Int32](repeating: -1, count: graph.count)
    var needed: [Int] = []
    for (index, path) in paths.enumerated() {
      let file = try ArchiveFile(path, effects)
      try file.check()
      needed += file.reader.directory.prerequisites.compactMap { graph.position(of: $0) }
      try file.forEachFrame(effects) { nodes, _ in
        for node in nodes {
          if let position = graph.position(of: node.id) { holders[position] = Int32(index) }
        }
      }
    }
    let isBelow = graph.reachable(from: needed)
    for position in 0..<graph.count where holders[position] >= 0 || isBelow[position] {
      leaveOut(position)
    }
    var isNeeded = [Bool](repeating: false, count: paths.count)
    for position in 0..<graph.count where members[position] {
      graph.forEachParent(at: position) { parent in
        if parent >= 0, !members[parent], holders[parent] >= 0 {
          isNeeded[Int(holders[parent])] = true
        }
      }
    }
    return paths.indices.filter { isNeeded[$0] }.map { paths[$0] }
  }

  /// Leaves out nodes that only registered archives have whose files are away or damaged.
  ///
  /// - Parameters:
  ///   - objects: the store.
  ///   - tell: receives the file of each such archive, and how many nodes are left out because of it.
  /// - Throws: when the list of archives or an index cannot be read; what `tell` throws.
  mutating func leaveOutAway(
    _ objects: ObjectStore, _ tell: (String, Int) throws -> Void
  ) throws {
    let archives = try objects.archives?.all() ?? []
    let away = archives.filter { $0.condition() != .present }
    guard !away.isEmpty else { return }
    var here = Set(try objects.listHere(withAlternates: true))
    for archive in archives where archive.condition() == .present {
      here.formUnion(try archive.ids())
    }
    for archive in away {
      var count = 0
      for id in try archive.ids() where !here.contains(id) {
        guard let position = graph.position(of: id), members[position] else { continue }
        leaveOut(position)
        count += 1
      }
      if count > 0 { try tell(archive.archive.path, count) }
    }
  }
}
