// Parts of a node as people read them, shared by the commands that show nodes.

internal import CanonicalJSON
package import RedoObject
internal import RedoRepository

/// Writes parts of a node, with dangerous characters escaped.
package struct NodeText {
  private let row: ObjectRow
  private let node: Node

  /// The parts of a row's node; `nil` when the row has none.
  package init?(_ row: ObjectRow) {
    guard let node = row.node else { return nil }
    self.row = row
    self.node = node
  }

  /// Appends `Ada <ada@example.org>`, or the user id where there is no name.
  package func appendAuthor(to output: inout [UInt8]) {
    row.append(hasAuthorName ? .authorName : .userID, to: &output)
    if node.escapedText(.authorEmail) != nil {
      output.append(" <")
      row.append(.authorEmail, to: &output)
      output.append(">")
    }
  }

  /// Appends the device's name, or its id if it has no name.
  package func appendDevice(to output: inout [UInt8]) {
    row.append(hasDeviceName ? .deviceName : .deviceID, to: &output)
  }

  /// Whether the author has a name, not just a user id.
  package var hasAuthorName: Bool { node.escapedText(.authorName) != nil }
  /// Whether the device has a name, not just an id.
  package var hasDeviceName: Bool { node.escapedText(.deviceName) != nil }

  /// The number of digits of a shortened id.
  package static let shortCount = 12

  /// A shortened id for people to compare; too short to identify an object for certain.
  package static func short(_ id: ObjectID) -> String { String(id.hex.prefix(shortCount)) }
}

/// The members of an object of canonical JSON, in its order.
package struct JSONMembers: Sequence {
  /// One member.
  package struct Member {
    /// Its name, unescaped.
    package let name: [UInt8]
    /// Its name as it is written, without quotes.
    package let escapedName: [UInt8]
    /// Its value as written.
    package let value: ArraySlice<UInt8>
    /// The text of a string, unescaped; `nil` for any other value.
    package let text: [UInt8]?
  }

  private var members: [Member] = []

  /// The members of an object; none when the text is not an object.
  package init(_ canonical: ArraySlice<UInt8>) {
    guard let document = try? JSONDocument(Array(canonical)) else { return }
    var values = document.root.members
    while let member = values.next() {
      members.append(
        Member(
          name: member.name.unescaped ?? [],
          escapedName: Array(document.text[member.name.place].dropFirst().dropLast()),
          value: document.text[member.value.place],
          text: member.value.unescaped))
    }
  }

  package func makeIterator() -> [Member].Iterator { members.makeIterator() }
}
