// What a log shows: positions of the graph index where all heads are walked, ids where revisions are.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The changes that a log shows, in the order in which it shows them.
enum LogHistory {
  /// Nodes by their ids.
  case ids([ObjectID])
  /// Nodes of the index, by their positions.
  case graph(Graph, [Int])

  /// Chooses some of the changes: the newest, then, as in git, their order may be turned.
  func choosing(skip: Int, limit: Int, isReverse: Bool) -> LogHistory {
    func choose<Value>(_ all: [Value]) -> [Value] {
      let end = max(all.count - skip, 0)
      let part = all[max(end - limit, 0)..<end]
      return isReverse ? Array(part) : part.reversed()
    }
    switch self {
    case .ids(let ids): return .ids(choose(ids))
    case .graph(let graph, let positions): return .graph(graph, choose(positions))
    }
  }

  /// The ids, for which the index must be whole at these places.
  ///
  /// - Returns: `nil` when it is damaged.
  var ids: [ObjectID]? {
    switch self {
    case .ids(let ids): return ids
    case .graph(let graph, let positions):
      guard Self.check(graph, .ids, positions) else { return nil }
      return positions.map { graph.id(at: $0) }
    }
  }

  /// Whether the index is whole at some places.
  static func check(
    _ graph: Graph, _ columns: GraphSegment.Columns, _ positions: [Int]
  ) -> Bool {
    guard let first = positions.min(), let last = positions.max() else { return true }
    return graph.check(columns, of: first..<last + 1)
  }
}

/// A node as the index knows it: a row of a listing without its object.
struct GraphRow {
  let graph: Graph
  let position: Int
  /// Whether texts are shown as they are, because a NUL ends the row.
  let isRaw: Bool

  /// The columns that an atom needs; `nil` for what only the object tells.
  static func columns(of atom: ObjectAtom) -> GraphSegment.Columns? {
    switch atom {
    case .id: .ids
    case .kind, .rest: []
    case .lamport, .wall: .clocks
    case .userID, .deviceID, .authorName, .authorEmail, .deviceName, .publicKey, .action, .task:
      .labels
    case .parents: [.parents, .ids]
    case .data: .data
    case .size, .signature, .body: nil
    }
  }

  /// Appends what an atom shows, exactly as an `ObjectRow` does.
  func append(_ atom: ObjectAtom, to output: inout [UInt8]) {
    switch atom {
    case .id: graph.id(at: position).append(to: &output)
    case .kind: output.append(ObjectKind.node.name)
    case .parents:
      var isFirst = true
      graph.forEachParent(at: position) { parent in
        if !isFirst { output.append(UInt8(ascii: " ")) }
        isFirst = false
        graph.id(at: parent).append(to: &output)
      }
    case .lamport: output += String(graph.lamport(at: position).value).utf8
    case .wall: graph.appendWallText(at: position, to: &output)
    case .action: graph.appendActionName(at: position, to: &output)
    case .task:
      let task = graph.task(at: position)
      if task >= 0 { output += graph.taskID(task).text.utf8 }
    case .data: graph.appendData(at: position, to: &output)
    case .userID: output += author.userID.text.utf8
    case .publicKey: if let key = author.publicKey { Hex.append(key.span, to: &output) }
    case .deviceID: text(author.deviceID, to: &output)
    case .deviceName: text(author.deviceName, to: &output)
    case .authorName: text(author.name, to: &output)
    case .authorEmail: text(author.email, to: &output)
    case .rest, .size, .signature, .body: break
    }
  }

  private var author: GraphAuthor { graph.authors[graph.authorNumber(at: position)] }

  private func text(_ escaped: [UInt8]?, to output: inout [UInt8]) {
    guard let escaped else { return }
    ObjectRow.append(escaped: escaped, isRaw: isRaw, to: &output)
  }
}
