// A row for programs: one JSON object, member by member.

internal import CanonicalJSON
internal import RedoRepository

/// A JSON object that is built member by member; the caller keeps them in the order of RFC 8785.
package struct JSONRow {
  /// The members, without the braces.
  private var members = JSONWriter()

  /// An object without members.
  package init() {}

  /// Adds a text.
  package mutating func add(_ name: StaticString, _ value: String) { members.add(name, value) }

  /// Adds a number.
  package mutating func add(_ name: StaticString, _ value: Int) { members.add(name, value) }

  /// Adds a Boolean.
  package mutating func add(_ name: StaticString, _ value: Bool) { members.add(name, value) }

  /// Adds a text, unless it is `nil` or empty.
  package mutating func addIfAny(_ name: StaticString, _ value: String?) {
    if let value, !value.isEmpty { add(name, value) }
  }

  /// Adds a value that is already JSON.
  package mutating func add(_ name: StaticString, json value: [UInt8]) {
    members.add(name, json: value)
  }

  /// Adds a text that is already escaped, without its quotes.
  package mutating func add(_ name: StaticString, escaped value: [UInt8]) {
    members.add(name, escaped: value)
  }

  /// Adds an array of texts.
  package mutating func add(_ name: StaticString, _ texts: some Sequence<String>) {
    members.add(name, texts)
  }

  /// Adds an array.
  ///
  /// - Parameters:
  ///   - name: the member.
  ///   - elements: the elements of the array.
  ///   - body: appends one of them.
  package mutating func add<Elements: Collection>(
    _ name: StaticString, _ elements: Elements, _ body: (Elements.Element, inout [UInt8]) -> Void
  ) {
    var element: [UInt8] = []
    members.addArray(name) { json in
      for part in elements {
        element.removeAll(keepingCapacity: true)
        body(part, &element)
        json.value(json: element)
      }
    }
  }

  /// Appends the object.
  package func append(to output: inout [UInt8]) {
    output.append(UInt8(ascii: "{"))
    output += members.bytes
    output.append(UInt8(ascii: "}"))
  }
}
