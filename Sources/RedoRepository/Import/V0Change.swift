// One change of a log from before version 1, and what it becomes: Base58 values become hex, IDs of other changes their
// new IDs, flat content moves under `fields`, and members that belong to a copy or have no meaning are removed.

internal import CanonicalJSON
internal import RedoCrypto
package import RedoObject

/// A change of version 0.
package struct V0Change {
  /// The key by which other changes refer to it.
  package let key: String
  /// Its old ID.
  let oldID: String
  /// Its old signature and the key of its author.
  package let signature: String?
  package let publicKey: String?
  /// Its old parents.
  package let parents: [String]
  /// The other changes that it names, including its parents.
  let references: [String]
  /// Whether its content was directly in `data`.
  let isFlat: Bool

  private let text: [UInt8]

  /// The members whose texts are ids of changes.
  private static let idMembers: Set<String> = ["deletedChain", "base", "chosenParent"]

  /// Examines a change.
  package init(_ document: V0Document) {
    let text = document.text
    var isFlat = false
    let scanned = Self.scan(text)
    var id: String?
    var signature: String?
    var publicKey: String?
    var parents: [String] = []
    var others: [String] = []
    var members = scanned.root.members
    while let member = members.next() {
      let value = member.value
      switch member.name.string {
      case "id": id = Self.string(value)
      case "signature": signature = Self.string(value)
      case "author":
        if let key = value["publicKey"] { publicKey = Self.string(key) }
      case "parents":
        var elements = value.elements
        while let element = elements.next() {
          if let parent = Self.string(element) { parents.append(parent) }
        }
      case "data":
        isFlat = value.isObject && !Self.hasContent(value)
        for index in Self.idIndices(below: value) {
          others.append(Self.key(value.value(at: index).string ?? ""))
        }
      default: break
      }
    }
    self.parents = parents
    references = parents.map(Self.key) + others
    oldID = id ?? document.name
    key = Self.key(oldID)
    self.signature = signature
    self.publicKey = publicKey
    self.isFlat = isFlat
    self.text = text
  }

  /// A change that was scanned when it was found.
  private static func scan(_ text: [UInt8]) -> JSONDocument {
    do throws(JSONError) { return try JSONDocument(text) } catch {
      preconditionFailure("BUG: canonical JSON is refused: \(error)")
    }
  }

  private static func string(_ value: JSONValue) -> String? {
    value.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// An ID in any encoding as 64 hex digits; anything else unchanged.
  package static func key(_ id: String) -> String {
    let digits = id.hasPrefix("sha256:") ? String(id.dropFirst(ObjectID.prefixCount)) : id
    return hex(digits, count: 32) ?? id
  }

  /// A value of a known length as lower-case hex, from hex of either case or Base58.
  package static func hex(_ text: String, count: Int) -> String? {
    if text.utf8.count == 2 * count {
      let lower = text.lowercased()
      if lower.utf8.allSatisfy({ Hex.value($0) < 16 }) { return lower }
    }
    let digits = Array(text.utf8)
    return Base58.decode(digits.span, count: count).map { Hex.text($0.span) }
  }

  /// Whether `data` has its content under a name, as it should.
  private static func hasContent(_ data: JSONValue) -> Bool {
    data["fields"]?.isObject == true || data["payload"]?.isObject == true
  }

  /// The strings in content that are IDs of changes, by index.
  private static func idIndices(below data: JSONValue) -> [Int] {
    var found: [Int] = []
    var values = data.descent
    while let object = values.next() {
      var members = object.members
      while let member = members.next() {
        guard let name = member.name.string, idMembers.contains(name) else { continue }
        let value = member.value
        if value.isArray {
          found += value.elementIndices.filter { value.value(at: $0).isString }
        } else if value.isString {
          found.append(value.index)
        }
      }
    }
    return found
  }
}

extension V0Change {
  /// The change as a node of version 1 without ID and signature, including what a copy says about when a remote first
  /// had it.
  ///
  /// - Parameter newIDs: the new IDs of the changes that it names, by their keys; an ID in the content that is not
  ///   among them only changes its encoding.
  /// - Returns: JSON, to be judged like any other.
  package func converted(_ newIDs: [String: ObjectID]) -> [UInt8] {
    let scanned = Self.scan(text)
    var members: [(name: String, text: [UInt8])] = []
    var version = Array("1".utf8)
    var hasParents = false
    var cursor = scanned.root.members
    while let member = cursor.next() {
      let value = member.value
      var bytes = value.bytes
      let name = member.name.string ?? ""
      switch name {
      case "id", "signature", "accessList", "__collections__": continue
      case "version":
        if bytes != Array("0".utf8) { version = bytes }
        continue
      case "taskId":
        if value.isNull || value.contentPlace.isEmpty { continue }
      case "parents":
        if value.isNull { continue }
        hasParents = true
        if value.isArray { bytes = replacing(value.elementIndices, in: value, newIDs) }
      case "timestamp": bytes = Self.timestamp(value)
      case "author": bytes = author(value)
      case "data":
        bytes = replacing(Self.idIndices(below: value), in: value, newIDs)
        if isFlat { bytes = Array("{\"fields\":".utf8) + bytes + Array("}".utf8) }
      default: break
      }
      members.append((name, bytes))
    }
    members.append(("version", version))
    if !hasParents { members.append(("parents", Array("[]".utf8))) }
    return Self.object(members)
  }

  private static func object(_ members: [(name: String, text: [UInt8])]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      for member in members {
        json.name(text: member.name)
        json.value(json: member.text)
      }
    }
    return json.bytes
  }

  /// A value in which IDs of changes are replaced by their new IDs.
  private func replacing(
    _ indices: [Int], in value: JSONValue, _ newIDs: [String: ObjectID]
  ) -> [UInt8] {
    var output: [UInt8] = []
    var position = value.place.lowerBound
    for index in indices.sorted() {
      let string = value.value(at: index)
      guard let old = string.string else { continue }
      output += text[position..<string.place.lowerBound]
      let key = Self.key(old)
      if let id = newIDs[key] {
        output += V0Values.quoted(id.text)
      } else if let digits = Self.hex(key, count: 32) {
        output += V0Values.quoted("sha256:\(digits)")
      } else {
        output += text[string.place]
      }
      position = string.place.upperBound
    }
    output += text[position..<value.place.upperBound]
    return output
  }

  private static func timestamp(_ value: JSONValue) -> [UInt8] {
    guard value.isObject else { return value.bytes }
    var members: [(name: String, text: [UInt8])] = []
    var cursor = value.members
    while let member = cursor.next() {
      let name = member.name.string ?? ""
      let time = name == "wall" ? V0Values.time(member.value) : nil
      members.append((name, time.map(V0Values.quoted) ?? member.value.bytes))
    }
    return object(members)
  }

  /// The author: hex values, no empty ones; a user ID that was cut from a key in Base58 becomes that of the key.
  private func author(_ author: JSONValue) -> [UInt8] {
    guard author.isObject else { return author.bytes }
    let key = publicKey.flatMap { Self.hex($0, count: 32) }
    var members: [(name: String, text: [UInt8])] = []
    var cursor = author.members
    while let member = cursor.next() {
      let name = member.name.string ?? ""
      let value = member.value
      if value.isNull { continue }
      var bytes = value.bytes
      let old = Self.string(value)
      if name == "publicKey" {
        if value.isString, old == nil { continue }
        if let key { bytes = V0Values.quoted(key) }
      } else if name == "userId", let old {
        if let user = Self.hex(old, count: 16) {
          bytes = V0Values.quoted(user)
        } else if let key, publicKey?.hasPrefix(old) == true {
          bytes = V0Values.quoted(String(key.prefix(32)))
        }
      }
      members.append((name, bytes))
    }
    return Self.object(members)
  }
}
