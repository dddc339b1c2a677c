// What an export writes, and whether it is compressed on its way.

package import RedoObject
internal import RedoStore

/// The form of an export that is one stream of bytes.
package enum ExportContent: Sendable {
  /// The app's array.
  case app
  /// A node a line.
  case lines
  /// A receipt a line, with the time when it was received.
  case receipts([ObjectID: Int64])
  /// A schema a line.
  case schemas
  /// Content-addressed blocks, of objects of a kind.
  case car(ObjectKind)

  /// The suffix of a file's name.
  var suffix: String {
    switch self {
    case .app: "json"
    case .lines, .receipts, .schemas: "ndjson"
    case .car: "car"
    }
  }

  /// Hands on the bytes of a history, piece by piece.
  ///
  /// - Parameters:
  ///   - ids: the nodes in their order.
  ///   - store: where they are.
  ///   - isCompressed: whether the bytes are those of a gzip file.
  ///   - remarks: receives what does not fit into the app's file.
  ///   - effects: receives how far it has come.
  ///   - write: receives the pieces.
  /// - Throws: `ExportFault` for a node that cannot be read or written in this form.
  func write(
    _ ids: [ObjectID], _ store: ObjectStore, isCompressed: Bool, _ remarks: inout ExportRemarks,
    _ effects: Effects, _ write: ([UInt8]) throws -> Void
  ) throws {
    guard isCompressed else {
      try writePlain(ids, store, &remarks, effects, write)
      return
    }
    var gzip = GzipWriter()
    try writePlain(ids, store, &remarks, effects) { bytes throws in
      let packed = gzip.add(bytes)
      if !packed.isEmpty { try write(packed) }
    }
    try write(gzip.finish())
  }

  private func writePlain(
    _ ids: [ObjectID], _ store: ObjectStore, _ remarks: inout ExportRemarks,
    _ effects: Effects, _ write: ([UInt8]) throws -> Void
  ) throws {
    let progress = Progress(.exporting, total: ids.count, effects)
    switch self {
    case .car(let kind): try ExportCAR.write(ids, of: kind, store, progress, write)
    case .app: try ExportText.write(ids, store, isApp: true, &remarks, progress, write)
    case .lines: try ExportText.write(ids, store, isApp: false, &remarks, progress, write)
    case .receipts(let times):
      try HistoryWalk.forEach(
        ids, store, of: .receipt, progress: progress
      ) { object, _ throws in
        ReceiptLine.line(object, received: times[object.id])
      } _: { line throws in
        try write(line)
      }
    case .schemas:
      try HistoryWalk.forEach(
        ids, store, of: .schema, progress: progress
      ) { object, _ throws in
        var line: [UInt8] = []
        object.appendContents(to: &line)
        return line + [UInt8(ascii: "\n")]
      } _: { line throws in
        try write(line)
      }
    }
  }
}
