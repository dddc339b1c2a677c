// What a row of a listing can show about an object: the atoms of --format and --batch.

internal import CanonicalJSON
internal import RedoCrypto
package import RedoObject
package import RedoRepository

/// An atom of a format.
package enum ObjectAtom: Sendable {
  case id, kind, size, rest
  case parents, lamport, wall, userID, deviceID, authorName, authorEmail, deviceName, publicKey
  case action, task, data, signature, body
  /// The CID of the bytes that are hashed.
  case cid
  /// Of a receipt: its author, what it tells, and the first one of its chain; of a schema its name is the second.
  case did, type, root
  /// The wall time in a form for people, at a present in milliseconds since 1970.
  case date(DateStyle, now: Int64)
  /// The letter of the verdict on the signature, as `redo verify` says it.
  case verdict
  /// The side of a range on which it is: `<`, `>` or `-`.
  case mark
  /// The path of the file that it is read from.
  case source

  /// Names of atoms, and what they mean.
  package typealias Names = [(key: String, value: ObjectAtom)]

  /// The names of the atoms of objects; several names may mean the same.
  package static let ofObjects: KeyValuePairs<String, ObjectAtom> = [
    "id": .id, "objectname": .id, "kind": .kind, "objecttype": .kind, "size": .size,
    "objectsize": .size, "rest": .rest, "parents": .parents, "lamport": .lamport, "wall": .wall,
    "author:userid": .userID, "author:device": .deviceID, "author:name": .authorName,
    "author:email": .authorEmail, "author:devicename": .deviceName, "author:key": .publicKey,
    "action": .action, "task": .task, "data": .data, "signature": .signature, "body": .body,
    "cid": .cid,
  ]

  /// The names of the atoms where nodes are listed for people, too.
  ///
  /// - Parameter now: the present, in milliseconds since 1970.
  /// - Returns: those of objects, with forms of dates and the verdict.
  package static func ofNodes(now: Int64) -> Names {
    Array(ofObjects) + [
      ("wall:iso", .date(.iso, now: now)), ("wall:unix", .date(.unix, now: now)),
      ("wall:relative", .date(.relative, now: now)), ("wall:raw", .date(.raw, now: now)),
      ("verdict", .verdict),
    ]
  }

  /// The names of the atoms of a log: those of nodes, and the side of a range.
  ///
  /// - Parameter now: the present, in milliseconds since 1970.
  /// - Returns: the names.
  package static func ofLog(now: Int64) -> Names { ofNodes(now: now) + [("mark", .mark)] }

  /// The names of the atoms where objects of every kind are listed, and their files are looked up, too.
  package static var ofAllKinds: Names {
    Array(ofObjects) + [("did", .did), ("type", .type), ("root", .root), ("source", .source)]
  }

  /// Whether the object has to be decoded to show it.
  package var needsNode: Bool {
    switch self {
    case .id, .kind, .size, .rest, .body, .signature, .verdict, .mark, .source, .cid: false
    case .did, .type, .root, .parents, .lamport, .wall, .date, .userID, .deviceID, .authorName,
      .authorEmail,
      .deviceName, .publicKey, .action, .task, .data:
      true
    }
  }
}

/// One object, and what is known about it.
package struct ObjectRow {
  package let object: StoredObject
  /// The decoded node, if an atom needs it.
  package let node: Node?
  /// The decoded receipt, if an atom needs it.
  package var receipt: Receipt?
  /// The decoded schema, if an atom needs it.
  package var schema: Schema?
  /// What followed the name in a batch line.
  package var rest: ArraySlice<UInt8>
  /// Whether texts are shown unescaped, because a NUL ends the row; a text that contains NUL is escaped all the same.
  package var isRaw: Bool
  /// The letter of the verdict on its signature, if an atom needs it.
  package var verdict: Unicode.Scalar?
  /// The side of a range on which it is, if an atom needs it.
  package var mark: Unicode.Scalar?
  /// The path of the file that it is read from, if an atom needs it.
  package var source: String?

  /// A row of an object.
  package init(
    object: StoredObject, node: Node?, rest: ArraySlice<UInt8> = [], isRaw: Bool = false,
    verdict: Unicode.Scalar? = nil
  ) {
    self.verdict = verdict
    self.object = object
    self.node = node
    self.rest = rest
    self.isRaw = isRaw
  }

  /// Notes what the object is, if it is a receipt or a schema.
  package mutating func note(_ object: StoredObject, _ reader: inout NodeReader) {
    let grouped = reader.places.grouped(object)
    receipt = grouped?.receipt
    schema = grouped?.schema
  }

  /// Appends the value of an atom; nothing if the object has no such value.
  package func append(_ atom: ObjectAtom, to output: inout [UInt8]) {
    switch atom {
    case .id: object.id.append(to: &output)
    case .kind: output.append(object.kind.name)
    case .size: output.append(decimal: Int64(size))
    case .rest: output += rest
    case .body: output += object.canonical
    case .verdict: if let verdict { output += String(verdict).utf8 }
    case .mark: if let mark { output += String(mark).utf8 }
    case .source: if let source { output += (isRaw ? source : Escape.text(source)).utf8 }
    case .signature:
      if let signature = object.signature { object.kind.append(signature, to: &output) }
    case .cid: output += object.id.cidText(as: object.kind).utf8
    default:
      if let receipt {
        append(atom, of: receipt, to: &output)
      } else if let schema {
        append(atom, of: schema, to: &output)
      } else {
        appendNode(atom, to: &output)
      }
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

  private func append(_ atom: ObjectAtom, of receipt: Receipt, to output: inout [UInt8]) {
    switch atom {
    case .did: output += receipt.did.text.utf8
    case .type: output += receipt.type.utf8
    case .root: output += receipt.root.cidText(as: .receipt).utf8
    case .parents: receipt.parent?.append(to: &output)
    case .deviceID: append(receipt.deviceID ?? "", to: &output)
    default: break
    }
  }

  private func append(_ text: String, to output: inout [UInt8]) {
    output += (isRaw && !text.utf8.contains(0) ? text : Escape.text(text)).utf8
  }

  private func append(_ atom: ObjectAtom, of schema: Schema, to output: inout [UInt8]) {
    switch atom {
    case .parents: appendParents(schema.parents, to: &output)
    case .lamport: output += String(schema.lamport.value).utf8
    case .wall: schema.wall.append(to: &output)
    case .date(let style, let now):
      output += style.text(schema.wall.milliseconds, now: now).utf8
    case .userID: output += schema.userID.text.utf8
    case .deviceID: append(schema.deviceID, to: &output)
    case .deviceName: append(schema.deviceName ?? "", to: &output)
    case .publicKey: Hex.append(schema.publicKey.bytes.span, to: &output)
    case .type: append(schema.definition.name.text, to: &output)
    case .action: output += schema.change.op.utf8
    default: break
    }
  }

  private func appendParents(_ parents: [ObjectID], to output: inout [UInt8]) {
    for (index, parent) in parents.enumerated() {
      if index > 0 { output.append(UInt8(ascii: " ")) }
      parent.append(to: &output)
    }
  }

  private func appendNode(_ atom: ObjectAtom, to output: inout [UInt8]) {
    guard let node else { return }
    func text(_ text: Node.Text) {
      guard let escaped = node.escapedText(text) else { return }
      Self.append(escaped: Array(escaped), isRaw: isRaw, to: &output)
    }
    switch atom {
    case .parents: appendParents(node.parents, to: &output)
    case .lamport: output += String(node.lamport.value).utf8
    case .wall: text(.wall)
    case .date(let style, let now):
      output += style.text(node.wall.milliseconds, now: now).utf8
    case .userID: output += node.userID.text.utf8
    case .deviceID: text(.deviceID)
    case .authorName: text(.authorName)
    case .authorEmail: text(.authorEmail)
    case .deviceName: text(.deviceName)
    case .publicKey: if let key = node.publicKey { Hex.append(key.bytes.span, to: &output) }
    case .action: text(.action)
    case .task: if let task = node.taskID { output += task.text.utf8 }
    case .data: output += node.data
    case .id, .kind, .size, .rest, .body, .signature, .verdict, .mark, .source, .cid, .did, .type,
      .root:
      break
    }
  }
}
