// One change of a log of before version 1, and what it becomes: Base58 values become hex, ids of
// other changes their new ids, flat content stands under `fields`, and what belonged to a copy or
// was written for nothing is taken off.

package import CanonicalJSON
package import RedoCrypto
package import RedoObject

/// A change of version 0.
package struct V0Change {
  /// What other changes call it.
  package let key: String
  /// Its id as it stood.
  let oldID: String
  /// Its signature and the key of its author as they stood.
  package let signature: String?
  package let publicKey: String?
  /// Its parents as they stood.
  package let parents: [String]
  /// What other changes it names, its parents among them.
  let references: [String]
  /// Whether its content stood in `data` itself.
  let isFlat: Bool

  private let text: [UInt8]

  /// The members whose texts are ids of changes.
  private static let idMembers: Set<String> = ["deletedChain", "base", "chosenParent"]

  /// Looks at a change.
  package init(_ document: V0Document) {
    let text = document.text
    var isFlat = false
    var scanner = Scanner()
    // It was scanned when it was found.
    do throws(JSONError) { try scanner.scan(text.span) } catch {
      preconditionFailure("BUG: canonical JSON is refused: \(error)")
    }
    var id: String?
    var signature: String?
    var publicKey: String?
    var parents: [String] = []
    var others: [String] = []
    for (name, value) in V0Values.members(of: 0, scanner) {
      switch V0Values.string(name, scanner, text.span) {
      case "id": id = Self.string(value, scanner, text.span)
      case "signature": signature = Self.string(value, scanner, text.span)
      case "author":
        for (name, value) in V0Values.members(of: value, scanner)
        where V0Values.string(name, scanner, text.span) == "publicKey" {
          publicKey = Self.string(value, scanner, text.span)
        }
      case "parents":
        guard scanner[value].kind == .array else { continue }
        for element in scanner.elements(of: value) {
          if let parent = Self.string(element, scanner, text.span) {
            parents.append(parent)
          }
        }
      case "data":
        isFlat = scanner[value].kind == .object && !Self.hasContent(value, scanner, text.span)
        for token in Self.idTokens(below: value, scanner, text.span) {
          others.append(Self.key(V0Values.string(token, scanner, text.span)))
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

  private static func string(
    _ token: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> String? {
    guard scanner[token].kind == .string else { return nil }
    let string = V0Values.string(token, scanner, text)
    return string.isEmpty ? nil : string
  }

  /// An id of whatever encoding as 64 hex digits; anything else as it is.
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
  private static func hasContent(
    _ data: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> Bool {
    V0Values.members(of: data, scanner).contains { name, value in
      let name = V0Values.string(name, scanner, text)
      return (name == "fields" || name == "payload") && scanner[value].kind == .object
    }
  }

  /// The strings of content that are ids of changes.
  private static func idTokens(
    below data: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> [Int] {
    var found: [Int] = []
    for object in data..<Int(scanner[data].next) where scanner[object].kind == .object {
      for (name, value) in V0Values.members(of: object, scanner)
      where idMembers.contains(V0Values.string(name, scanner, text)) {
        if scanner[value].kind == .array {
          found += scanner.elements(of: value).filter { scanner[$0].kind == .string }
        } else if scanner[value].kind == .string {
          found.append(value)
        }
      }
    }
    return found
  }
}

extension V0Change {
  /// The change as a node of version 1 without id and signature, with what a copy says of the time at which a
  /// remote first had it.
  ///
  /// - Parameter newIDs: the new ids of the changes that it names, by their keys; one of content
  ///   that is not among them only changes its encoding.
  /// - Returns: JSON, to be judged like any other.
  package func converted(_ newIDs: [String: ObjectID]) -> [UInt8] {
    var scanner = Scanner()
    do throws(JSONError) { try scanner.scan(text.span) } catch {
      preconditionFailure("BUG: canonical JSON is refused: \(error)")
    }
    var members: [(name: String, text: [UInt8])] = []
    var version = Array("1".utf8)
    var hasParents = false
    for (name, value) in V0Values.members(of: 0, scanner) {
      let token = scanner[value]
      var bytes = Array(text[token.outerRange])
      let name = V0Values.string(name, scanner, text.span)
      switch name {
      case "id", "signature", "accessList", "__collections__": continue
      case "version":
        if bytes != Array("0".utf8) { version = bytes }
        continue
      case "taskId":
        if token.kind == .null || token.range.isEmpty { continue }
      case "parents":
        if token.kind == .null { continue }
        hasParents = true
        if token.kind == .array {
          bytes = replacing(scanner.elements(of: value), in: value, newIDs, scanner)
        }
      case "timestamp": bytes = timestamp(value, scanner)
      case "author": bytes = author(value, scanner)
      case "data":
        bytes = replacing(
          Self.idTokens(below: value, scanner, text.span), in: value, newIDs, scanner)
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
    var output = Array("{".utf8)
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      JSONText.append(member.name, to: &output)
      output.append(UInt8(ascii: ":"))
      output += member.text
    }
    output.append(UInt8(ascii: "}"))
    return output
  }

  /// A value in which strings that are ids of changes have become their new ids.
  private func replacing(
    _ tokens: [Int], in value: Int, _ newIDs: [String: ObjectID], _ scanner: borrowing Scanner
  ) -> [UInt8] {
    let whole = scanner[value].outerRange
    var output: [UInt8] = []
    var position = whole.lowerBound
    for token in tokens.sorted() where scanner[token].kind == .string {
      let range = scanner[token].outerRange
      output += text[position..<range.lowerBound]
      let old = V0Values.string(token, scanner, text.span)
      let key = Self.key(old)
      if let id = newIDs[key] {
        output += V0Values.quoted(id.text)
      } else if let digits = Self.hex(key, count: 32) {
        output += V0Values.quoted("sha256:\(digits)")
      } else {
        output += text[range]
      }
      position = range.upperBound
    }
    output += text[position..<whole.upperBound]
    return output
  }

  private func timestamp(_ value: Int, _ scanner: borrowing Scanner) -> [UInt8] {
    guard scanner[value].kind == .object else { return Array(text[scanner[value].outerRange]) }
    var members: [(name: String, text: [UInt8])] = []
    for (name, value) in V0Values.members(of: value, scanner) {
      let name = V0Values.string(name, scanner, text.span)
      let time = name == "wall" ? V0Values.time(value, scanner, text.span) : nil
      members.append((name, time.map(V0Values.quoted) ?? Array(text[scanner[value].outerRange])))
    }
    return Self.object(members)
  }

  /// The author: hex values, no empty ones; a user id that was cut off a key in Base58 becomes that
  /// of the key.
  private func author(_ value: Int, _ scanner: borrowing Scanner) -> [UInt8] {
    guard scanner[value].kind == .object else { return Array(text[scanner[value].outerRange]) }
    let key = publicKey.flatMap { Self.hex($0, count: 32) }
    var members: [(name: String, text: [UInt8])] = []
    for (name, value) in V0Values.members(of: value, scanner) {
      let name = V0Values.string(name, scanner, text.span)
      if scanner[value].kind == .null { continue }
      var bytes = Array(text[scanner[value].outerRange])
      let old = Self.string(value, scanner, text.span)
      if name == "publicKey" {
        if scanner[value].kind == .string, old == nil { continue }
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
