// Which kind of object a line of JSON stands for, and reading those that are no nodes.

internal import CanonicalJSON
package import RedoObject

/// A line that stands for an object.
package enum ObjectLine {
  /// What a line is meant as.
  ///
  /// - Parameter text: one JSON value.
  /// - Returns: a receipt by how its line begins, a schema by its members; a node, whatever else it is.
  package static func kind(of text: Span<UInt8>) -> ObjectKind {
    if ReceiptLine.isOne(text) { return .receipt }
    // Every node that redo has written begins so.
    guard !begins(text, "{\"action\":"), contains(text, "\"definition\"") else { return .node }
    let bytes = (0..<text.count).map { text[$0] }
    guard let document = try? JSONDocument(bytes), document.root.isObject,
      document.root["schema"] != nil, document.root["definition"] != nil,
      document.root["action"] == nil
    else { return .node }
    return .schema
  }

  /// Reads a line of a receipt or a schema.
  ///
  /// - Parameters:
  ///   - text: one JSON object.
  ///   - kind: what it is meant as.
  /// - Returns: the object, not judged yet.
  /// - Throws: the first thing that is wrong with the line itself.
  package static func read(
    _ text: [UInt8], as kind: ObjectKind
  ) throws(Finding) -> IncomingObject {
    kind == .schema ? IncomingObject(schema: text) : try ReceiptLine.read(text)
  }

  private static func begins(_ text: Span<UInt8>, _ start: StaticString) -> Bool {
    let count = start.utf8CodeUnitCount
    return text.count >= count && text.extracting(..<count).elementsEqual(start)
  }

  private static func contains(_ text: Span<UInt8>, _ part: StaticString) -> Bool {
    let count = part.utf8CodeUnitCount
    guard text.count >= count else { return false }
    for start in 0...text.count - count where text[start] == UInt8(ascii: "\"") {
      if text.extracting(start..<start + count).elementsEqual(part) { return true }
    }
    return false
  }
}

extension ObjectKind {
  /// The most bytes of a line that stands for an object of this kind.
  package var lineLimit: Int { self == .receipt ? ReceiptLine.byteLimit : byteLimit ?? .max }
}
