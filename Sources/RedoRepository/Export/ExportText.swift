// The text of an export: each node as a line, or as an element of the app's array.

internal import CanonicalJSON
internal import RedoObject
internal import RedoStore

/// Makes the text of nodes.
enum ExportText {
  /// A node as it is written.
  private struct Element: Sendable {
    let id: ObjectID
    let text: [UInt8]
    let remarks: [ExportRemarks.Kind]
  }

  /// Hands on the text of a history, piece by piece.
  ///
  /// - Parameters:
  ///   - ids: the nodes in their order.
  ///   - store: where they are.
  ///   - isApp: whether the text is the app's file, otherwise one node a line.
  ///   - remarks: receives what does not fit into the app's file.
  ///   - progress: receives how many nodes are written.
  ///   - write: receives the pieces.
  /// - Throws: `ExportFault` for a node that cannot be read or written in this form.
  static func write(
    _ ids: [ObjectID], _ store: ObjectStore, isApp: Bool, _ remarks: inout ExportRemarks,
    _ progress: Progress?, _ write: ([UInt8]) throws -> Void
  ) throws {
    guard isApp else {
      try HistoryWalk.forEach(
        ids, store, progress: progress
      ) { object, _ throws in
        line(object)
      } _: { line throws in
        try write(line)
      }
      return
    }
    try write(AppLayout.opening)
    var isFirst = true
    try HistoryWalk.forEach(
      ids, store, progress: progress
    ) { object, _ throws in
      try element(object)
    } _: { element throws in
      if !isFirst { try write(AppLayout.separator) }
      isFirst = false
      try write(element.text)
      remarks.note(element.remarks, of: element.id)
    }
    try write(AppLayout.closing)
  }

  /// A node as one line of canonical JSON.
  static func line(_ object: StoredObject) -> [UInt8] {
    var line: [UInt8] = []
    object.appendContents(to: &line)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  private static func element(_ object: StoredObject) throws -> Element {
    var canonical: [UInt8] = []
    object.appendContents(to: &canonical)
    var scanner = Scanner()
    do throws(JSONError) {
      try scanner.scan(canonical.span)
    } catch {
      throw ExportFault.malformed(object.id, error.rule)
    }
    var text: [UInt8] = []
    text.reserveCapacity(canonical.count * 3 / 2)
    let root = scanner.root(of: canonical.span)
    AppLayout.appendElement(root, to: &text)
    // No import would read it back: a node larger than that is refused.
    guard text.count <= Node.byteLimit else {
      throw ExportFault.tooLarge(object.id, bytes: text.count, limit: Node.byteLimit)
    }
    return Element(
      id: object.id, text: text, remarks: ExportRemarks.kinds(in: root))
  }
}
