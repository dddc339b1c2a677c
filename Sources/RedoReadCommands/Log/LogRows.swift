// Rows of a log that can be shown from the index alone: no object is read for them.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Listings from the index.
enum LogRows {
  /// The columns of the index that a format needs; `nil` when it needs objects.
  static func columns(
    of format: Format<ObjectAtom>, _ graph: Graph
  ) -> GraphSegment.Columns? {
    // Broken nodes must be shown as they are, which takes the objects.
    guard !graph.hasBroken else { return nil }
    var columns: GraphSegment.Columns = []
    for case .atom(let atom, _) in format.pieces {
      guard let own = GraphRow.columns(of: atom) else { return nil }
      columns.formUnion(own)
    }
    return columns
  }
}

/// A node as the index knows it: a row of a listing without its object.
struct GraphRow {
  let graph: Graph
  var position = 0
  /// The side of a range on which the node is.
  var side = LogSide.right
  /// Whether texts are shown unescaped, because a NUL ends the row.
  let isRaw: Bool

  /// The columns that an atom needs; `nil` for an atom that needs the object.
  static func columns(of atom: ObjectAtom) -> GraphSegment.Columns? {
    switch atom {
    case .id, .cid: .ids
    case .kind, .rest, .mark: []
    case .lamport, .wall, .date: .clocks
    case .userID, .deviceID, .authorName, .authorEmail, .deviceName, .publicKey, .action, .task:
      .labels
    case .parents: [.parents, .ids]
    case .data: .data
    case .size, .signature, .body, .verdict, .source, .did, .type, .root: nil
    }
  }

  /// Appends the value of an atom, exactly as an `ObjectRow` does.
  func append(_ atom: ObjectAtom, to output: inout [UInt8]) {
    switch atom {
    case .id: graph.id(at: position).append(to: &output)
    case .cid: output += graph.id(at: position).cidText(as: .node).utf8
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
    case .date(let style, let now):
      output += style.text(graph.wall(at: position).milliseconds, now: now).utf8
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
    case .mark: output += String(side.mark).utf8
    case .rest, .size, .signature, .body, .verdict, .source, .did, .type, .root: break
    }
  }

  private var author: GraphAuthor { graph.authors[graph.authorNumber(at: position)] }

  private func text(_ escaped: [UInt8]?, to output: inout [UInt8]) {
    guard let escaped else { return }
    ObjectRow.append(escaped: escaped, isRaw: isRaw, to: &output)
  }
}
