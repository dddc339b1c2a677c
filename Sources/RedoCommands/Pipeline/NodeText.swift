// Parts of a node as people read them, shared by the commands that show nodes.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes parts of a node, with dangerous characters escaped.
struct NodeText {
  private let row: ObjectRow
  private let node: Node

  /// The parts of a row's node; `nil` when the row has none.
  init?(_ row: ObjectRow) {
    guard let node = row.node else { return nil }
    self.row = row
    self.node = node
  }

  /// Appends `Ada <ada@example.org>`, or the user id where there is no name.
  func appendAuthor(to output: inout [UInt8]) {
    row.append(hasAuthorName ? .authorName : .userID, to: &output)
    if node.escapedText(.authorEmail) != nil {
      output.append(" <")
      row.append(.authorEmail, to: &output)
      output.append(">")
    }
  }

  /// Appends the device's name, or its id if it has no name.
  func appendDevice(to output: inout [UInt8]) {
    row.append(hasDeviceName ? .deviceName : .deviceID, to: &output)
  }

  /// Whether the author has a name, not just a user id.
  var hasAuthorName: Bool { node.escapedText(.authorName) != nil }
  /// Whether the device has a name, not just an id.
  var hasDeviceName: Bool { node.escapedText(.deviceName) != nil }

  /// The number of digits of a shortened id.
  static let shortCount = 12

  /// A shortened id for people to compare; too short to identify an object for certain.
  static func short(_ id: ObjectID) -> String { String(id.hex.prefix(shortCount)) }
}

/// The members of an object of canonical JSON, in its order.
struct JSONMembers: Sequence {
  /// One member.
  struct Member {
    /// Its name, unescaped.
    let name: [UInt8]
    /// Its value as written.
    let value: ArraySlice<UInt8>
    /// The text of a string, unescaped; `nil` for any other value.
    let text: [UInt8]?
  }

  private var members: [Member] = []

  /// The members of an object; none when the text is not an object.
  init(_ canonical: ArraySlice<UInt8>) {
    guard let document = try? JSONDocument(Array(canonical)) else { return }
    var values = document.root.members
    while let member = values.next() {
      members.append(
        Member(
          name: member.name.unescaped ?? [], value: document.text[member.value.place],
          text: member.value.unescaped))
    }
  }

  func makeIterator() -> [Member].Iterator { members.makeIterator() }
}
