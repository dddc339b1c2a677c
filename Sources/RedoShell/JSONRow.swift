// A row for programs: one JSON object, member by member.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository

/// A JSON object that is built member by member; the caller keeps their order, that of RFC 8785.
package struct JSONRow {
  private var text: [UInt8] = []

  /// An object without members.
  package init() {}

  private mutating func begin(_ name: StaticString) {
    text.append(text.isEmpty ? "\"" : ",\"")
    text.append(name)
    text.append("\":")
  }

  /// Adds a text.
  package mutating func add(_ name: StaticString, _ value: String) {
    begin(name)
    JSONWriter.appendString(value, to: &text)
  }

  /// Adds a number.
  package mutating func add(_ name: StaticString, _ value: Int) {
    begin(name)
    text += "\(value)".utf8
  }

  /// Adds a truth.
  package mutating func add(_ name: StaticString, _ value: Bool) {
    begin(name)
    text += (value ? "true" : "false").utf8
  }

  /// Adds a text unless there is none, or it is empty.
  package mutating func addIfAny(_ name: StaticString, _ value: String?) {
    if let value, !value.isEmpty { add(name, value) }
  }

  /// Adds a value that is JSON already.
  package mutating func add(_ name: StaticString, json value: [UInt8]) {
    begin(name)
    text += value
  }

  /// Adds a text that is escaped already, without its quotes.
  package mutating func add(_ name: StaticString, escaped value: [UInt8]) {
    begin(name)
    text.append("\"")
    text += value
    text.append("\"")
  }

  /// Adds an array.
  ///
  /// - Parameters:
  ///   - name: the member.
  ///   - elements: what stands in it.
  ///   - body: appends one of them.
  package mutating func add<Elements: Collection>(
    _ name: StaticString, _ elements: Elements, _ body: (Elements.Element, inout [UInt8]) -> Void
  ) {
    begin(name)
    text.append("[")
    for (place, element) in elements.enumerated() {
      if place > 0 { text.append(",") }
      body(element, &text)
    }
    text.append("]")
  }

  /// Appends the object.
  package func append(to output: inout [UInt8]) {
    output.append("{")
    output += text
    output.append("}")
  }
}
