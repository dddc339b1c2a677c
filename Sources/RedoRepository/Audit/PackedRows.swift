// Rows of packed nodes. They arrive in the order of packs and frames, and leave in the order of IDs.

internal import RedoCrypto
package import RedoObject

/// The rows of packed nodes that have not been printed: about 40 bytes for each that is good.
package struct PackedRows: ~Copyable {
  private struct Good {
    let id: ObjectID
    let number: Int32
    let form: SignatureForm
  }

  private struct Other {
    let id: ObjectID
    let number: Int32
    let row: VerifyStored.Row
  }

  /// By the first byte of the id.
  private var good = [[Good]](repeating: [], count: 256)
  private var others = [[Other]](repeating: [], count: 256)
  private var count: Int32 = 0

  /// Takes the row of the next node.
  ///
  /// - Parameters:
  ///   - row: its row.
  ///   - id: the node.
  ///   - isCorrupt: whether it cannot be read: any other copy takes precedence.
  package mutating func add(_ row: VerifyStored.Row, of id: ObjectID, isCorrupt: Bool) {
    count += 1
    switch row {
    case .good(_, let form):
      good[Int(id[0])].append(Good(id: id, number: count, form: form))
    case .other:
      others[Int(id[0])].append(Other(id: id, number: isCorrupt ? .max : count, row: row))
    }
  }

  /// Removes and returns the rows of the nodes whose IDs begin with a byte.
  ///
  /// - Returns: the rows in the order of IDs; for several copies of a node, that of the first.
  package mutating func take(_ byte: UInt8) -> [(
    id: ObjectID, row: VerifyStored.Row, isCorrupt: Bool
  )] {
    var all: [Other] = []
    swap(&all, &others[Int(byte)])
    all += good[Int(byte)].map { Other(id: $0.id, number: $0.number, row: .good($0.id, $0.form)) }
    good[Int(byte)] = []
    all.sort { $0.id == $1.id ? $0.number < $1.number : $0.id < $1.id }
    var rows: [(id: ObjectID, row: VerifyStored.Row, isCorrupt: Bool)] = []
    for entry in all where entry.id != rows.last?.id {
      rows.append((entry.id, entry.row, entry.number == .max))
    }
    return rows
  }
}
