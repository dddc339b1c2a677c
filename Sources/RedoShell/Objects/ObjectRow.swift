// What a row of a listing can show about an object: the atoms of --format and --batch.

internal import CanonicalJSON
internal import RedoCrypto
package import RedoObject
internal import RedoRepository

/// An atom of a format.
package enum ObjectAtom: Sendable {
  case id, kind, size, rest
  case parents, lamport, wall, userID, deviceID, authorName, authorEmail, deviceName, publicKey
  case action, task, data, signature, body

  /// The names of the atoms of objects; several names may mean the same.
  package static let ofObjects: KeyValuePairs<String, ObjectAtom> = [
    "id": .id, "objectname": .id, "kind": .kind, "objecttype": .kind, "size": .size,
    "objectsize": .size, "rest": .rest, "parents": .parents, "lamport": .lamport, "wall": .wall,
    "author:userid": .userID, "author:device": .deviceID, "author:name": .authorName,
    "author:email": .authorEmail, "author:devicename": .deviceName, "author:key": .publicKey,
    "action": .action, "task": .task, "data": .data, "signature": .signature, "body": .body,
  ]

  /// Whether a decoded node is needed to show it.
  package var needsNode: Bool {
    switch self {
    case .id, .kind, .size, .rest, .body, .signature: false
    case .parents, .lamport, .wall, .userID, .deviceID, .authorName, .authorEmail, .deviceName,
      .publicKey, .action, .task, .data:
      true
    }
  }
}

/// One object, and what is known about it.
package struct ObjectRow {
  package let object: StoredObject
  /// The decoded node, if an atom needs it.
  package let node: Node?
  /// What followed the name in a batch line.
  package var rest: ArraySlice<UInt8>
  /// Whether texts are shown unescaped, because a NUL ends the row; a text that contains NUL is escaped all the same.
  package var isRaw: Bool

  /// A row of an object.
  package init(
    object: StoredObject, node: Node?, rest: ArraySlice<UInt8> = [], isRaw: Bool = false
  ) {
    self.object = object
    self.node = node
    self.rest = rest
    self.isRaw = isRaw
  }

  /// Appends the value of an atom; nothing if the object has no such value.
  package func append(_ atom: ObjectAtom, to output: inout [UInt8]) {
    switch atom {
    case .id: object.id.append(to: &output)
    case .kind: output.append(object.kind.name)
    case .size: output.append(decimal: Int64(size))
    case .rest: output += rest
    case .body: output += object.canonical
    case .signature:
      if let signature = object.signature { Hex.append(signature.bytes.span, to: &output) }
    default: appendNode(atom, to: &output)
    }
  }

  /// Appends the content of a JSON string as text.
  package static func append(escaped: [UInt8], isRaw: Bool, to output: inout [UInt8]) {
    let plain = StringEscape.unescape(escaped.span)
    // A name may hold a line feed or an escape sequence, which must not end the row.
    if isRaw, !plain.contains(0) { output += plain } else { output += Escape.text(plain).utf8 }
  }

  /// The number of bytes that reading the object yields.
  package var size: Int { Self.size(of: object) }

  /// The number of bytes that reading an object yields.
  package static func size(of object: StoredObject) -> Int { object.wholeSize }

  private func appendNode(_ atom: ObjectAtom, to output: inout [UInt8]) {
    guard let node else { return }
    func text(_ text: Node.Text) {
      guard let escaped = node.escapedText(text) else { return }
      Self.append(escaped: Array(escaped), isRaw: isRaw, to: &output)
    }
    switch atom {
    case .parents:
      for (index, parent) in node.parents.enumerated() {
        if index > 0 { output.append(UInt8(ascii: " ")) }
        parent.append(to: &output)
      }
    case .lamport: output += String(node.lamport.value).utf8
    case .wall: text(.wall)
    case .userID: output += node.userID.text.utf8
    case .deviceID: text(.deviceID)
    case .authorName: text(.authorName)
    case .authorEmail: text(.authorEmail)
    case .deviceName: text(.deviceName)
    case .publicKey: if let key = node.publicKey { Hex.append(key.bytes.span, to: &output) }
    case .action: text(.action)
    case .task: if let task = node.taskID { output += task.text.utf8 }
    case .data: output += node.data
    case .id, .kind, .size, .rest, .body, .signature: break
    }
  }
}
