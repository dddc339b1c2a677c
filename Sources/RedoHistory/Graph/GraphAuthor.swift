// What a graph keeps of an author: user, key, device and names, as one entry of a table, because few
// authors write many nodes.
//
//   16 bytes user id, 1 byte whether a key follows, 32 bytes key, then device id, device name, name and
//   email: u32 length + 1 (0 when absent) and the JSON string's content as the node has it

internal import CanonicalJSON
package import RedoObject

/// An author of nodes.
package struct GraphAuthor: Sendable {
  /// The user.
  package let userID: UserID
  /// The user's key, 32 bytes, where the nodes carry it.
  package let publicKey: [UInt8]?
  /// The device; escaped, as all texts here.
  package let deviceID: [UInt8]
  /// The device, for people.
  package let deviceName: [UInt8]?
  /// The user, for people.
  package let name: [UInt8]?
  /// Where the user can be reached.
  package let email: [UInt8]?

  /// The author of a node.
  package init(_ node: Node) {
    userID = node.userID
    publicKey = node.publicKeyBytes.map { Array($0) }
    deviceID = node.escapedText(.deviceID).map { Array($0) } ?? []
    deviceName = node.escapedText(.deviceName).map { Array($0) }
    name = node.escapedText(.authorName).map { Array($0) }
    email = node.escapedText(.authorEmail).map { Array($0) }
  }

  /// The entry of a node that does not name its author.
  static var nobody: [UInt8] {
    [UInt8](repeating: 0, count: 17) + [1, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
  }

  /// The entry of a node's author.
  static func bytes(of node: Node) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(node.userID.bytes.span)
    let key = node.publicKeyBytes
    bytes.append(key == nil ? 0 : 1)
    if let key { bytes += key }
    for text in [Node.Text.deviceID, .deviceName, .authorName, .authorEmail] {
      let value = node.escapedText(text)
      let count = UInt32(value.map { $0.count + 1 } ?? 0)
      for shift in [0, 8, 16, 24] {
        bytes.append(UInt8(truncatingIfNeeded: count >> UInt32(shift)))
      }
      if let value { bytes += value }
    }
    return bytes
  }

  /// Reads an entry; `nil` when it is none.
  ///
  /// - Parameters:
  ///   - bytes: its bytes.
  ///   - scanner: checks that texts are those of JSON strings.
  init?(_ bytes: [UInt8], _ scanner: inout Scanner) {
    guard bytes.count > 17 else { return nil }
    userID = UserID(bytes: InlineArray { bytes[$0] })
    var position = 17
    if bytes[16] == 1 {
      guard bytes.count >= 49 else { return nil }
      publicKey = Array(bytes[17..<49])
      position = 49
    } else {
      publicKey = nil
    }
    var texts: [[UInt8]?] = []
    for _ in 0..<4 {
      guard bytes.count >= position + 4 else { return nil }
      var count = 0
      for index in 0..<4 { count |= Int(bytes[position + index]) << (8 * index) }
      position += 4
      guard count > 0 else {
        texts.append(nil)
        continue
      }
      guard bytes.count >= position + count - 1 else { return nil }
      let text = bytes[position..<position + count - 1]
      guard Self.isText(text, &scanner) else { return nil }
      texts.append(Array(text))
      position += count - 1
    }
    guard position == bytes.count, let device = texts[0] else { return nil }
    deviceID = device
    deviceName = texts[1]
    name = texts[2]
    email = texts[3]
  }

  /// Whether some bytes are the content of a JSON string.
  private static func isText(_ bytes: ArraySlice<UInt8>, _ scanner: inout Scanner) -> Bool {
    let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
    return quoted.count <= Node.byteLimit && (try? scanner.scan(quoted.span)) != nil
  }
}
