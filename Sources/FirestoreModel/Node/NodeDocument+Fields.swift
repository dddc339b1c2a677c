// From a node to the fields of its document.

internal import CanonicalJSON
package import RedoCrypto
package import RedoObject

extension NodeDocument {
  /// The fields of a node's document, without `createdAt`, which the service sets.
  ///
  /// They are the members of the node. What Firestore cannot keep (arrays in arrays, names that are
  /// empty or `__x__`, more than 20 levels) is left out of `data`, and so is the content if there is no room
  /// for it twice; the body is then in `canonical`.
  ///
  /// - Parameters:
  ///   - body: the canonical body of a valid node.
  ///   - id: its hash.
  ///   - signature: its signature, if it has one.
  ///   - accessList: the accounts that may read it; one that is named twice counts once.
  /// - Returns: the fields; `recover` gives the same node back.
  /// - Throws: `Refusal` for what cannot be carried.
  package static func fields(
    of body: [UInt8], id: ObjectID, signature: Signature?, accessList: [OAuthID]
  ) throws(Refusal) -> FirestoreFields {
    guard !accessList.isEmpty else { throw .noReader }
    var source = PlainJSON()
    guard var members = source.fields(of: body) else { throw .notCanonical }
    members[idField] = .string(id.text)
    if let signature { members[signatureField] = .string(Hex.text(signature.bytes.span)) }
    var readers: [FirestoreValue] = []
    var known: Set<OAuthID> = []
    for reader in accessList where known.insert(reader).inserted {
      readers.append(.string(reader.text))
    }
    members[accessListField] = .array(readers)
    // The proof is the way back, not the reasons why it might fail.
    if source.hasLeftOut || plainBody(of: members) != body {
      members[canonicalField] = .bytes(body)
    }
    try checkIndexed(members)
    var size = sizeBytes(of: members)
    if size > sizeLimitBytes, members[canonicalField] != nil {
      members["data"] = .map([:])
      size = sizeBytes(of: members)
    }
    guard size <= sizeLimitBytes else { throw .tooLarge(sizeBytes: size) }
    return members
  }

  /// What the document of a node counts for, `createdAt` included.
  private static func sizeBytes(of fields: FirestoreFields) -> Int {
    let name = DocumentName.overheadBytes + collection.utf8.count + 1 + ObjectID.textCount + 1
    let createdAt = createdAtField.utf8.count + 1 + 8
    return name + fields.sizeBytes + createdAt + FirestoreDocument.overheadBytes
  }

  /// The fields that queries look at (the indexes of redo-firestore(5)).
  private static let indexed = [
    FieldPath("action"), FieldPath("author", "userId"), FieldPath("id"), FieldPath("taskId"),
    FieldPath("timestamp", "wall"),
  ]

  private static func checkIndexed(_ fields: FirestoreFields) throws(Refusal) {
    for path in indexed {
      guard let text = fields[path]?.text, text.utf8.count > indexedLimitBytes else { continue }
      throw .indexedText(path.text, sizeBytes: text.utf8.count)
    }
  }

  static let idField = "id"
  static let signatureField = "signature"
}

/// Reads a body as fields, and leaves out what Firestore does not keep.
struct PlainJSON {
  /// Whether something of the body read last was left out.
  private(set) var hasLeftOut = false

  /// The members of a body; `nil` when it is not a canonical JSON object.
  mutating func fields(of body: [UInt8]) -> FirestoreFields? {
    hasLeftOut = false
    guard body.count <= MessageText.byteLimit else { return nil }
    guard let text = try? MessageText(body), text.isCanonical, text.root.isObject else {
      return nil
    }
    return fields(text.root, FieldPlace())
  }

  /// The members of an object, without those that Firestore does not keep.
  private mutating func fields(_ object: JSONValue, _ place: FieldPlace) -> FirestoreFields {
    var members: [FirestoreFields.Member] = []
    var cursor = object.members
    while let member = cursor.next() {
      let name = member.name
      let value = member.value
      guard let name = name.string, let value = self.member(name, value, place) else {
        hasLeftOut = true
        continue
      }
      members.append(FirestoreFields.Member(name, value))
    }
    return FirestoreFields(members)
  }

  private mutating func member(
    _ name: String, _ json: JSONValue, _ place: FieldPlace
  ) -> FirestoreValue? {
    do throws(FirestoreLimitFault) {
      return try value(json, place.member(name))
    } catch {
      return nil
    }
  }

  /// A value at a place, as far as Firestore keeps it: an object only lacks the members that are not kept,
  /// so that queries, and people, see the others.
  private mutating func value(
    _ json: JSONValue, _ place: FieldPlace
  ) throws(FirestoreLimitFault) -> FirestoreValue {
    if let text = json.string { return .string(text) }
    if json.isNumber { return number(json) }
    if let boolean = json.boolean { return .boolean(boolean) }
    if json.isNull { return .null }
    let inside = try place.inside()
    if json.isObject { return .map(fields(json, inside)) }
    var values: [FirestoreValue] = []
    var elements = json.elements
    while let element = elements.next() {
      if element.isArray { throw FirestoreLimitFault(place: "", limit: .nestedArray) }
      values.append(try value(element, inside))
    }
    return .array(values)
  }

  /// Integers that every client can hold are integers, all other numbers doubles.
  private func number(_ json: JSONValue) -> FirestoreValue {
    if let integer = json.integer, integer.magnitude <= 1 << 53 { return .integer(integer) }
    guard let number = json.protoDouble else {
      preconditionFailure("BUG: a number of canonical JSON that is no double")
    }
    return .double(number)
  }
}
