// One local row (receipts, section 3.1), as a line of RFC 8785 JSON:
//
//   {"key":<text>,"row":<object or null>,"table":<name>,"time":<ms since 1970>}
//
// A row that is null takes the one of its key away; of several rows of a key the last one holds.

internal import CanonicalJSON
internal import DAGCBOR
package import RedoCrypto

/// A row that has been judged.
package struct LocalRow: Sendable {
  /// What rows are found by.
  package struct Key: Hashable, Comparable, Sendable {
    /// The table.
    package let table: LocalTable
    /// The primary key.
    package let text: String

    /// A key of its parts.
    package init(_ table: LocalTable, _ text: String) {
      self.table = table
      self.text = text
    }

    package static func < (left: Key, right: Key) -> Bool {
      if left.table != right.table { return left.table.rawValue < right.table.rawValue }
      return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
  }

  /// The most bytes of a row.
  package static let byteLimit = 1 << 20

  /// Its table and key.
  package let key: Key
  /// The members, each as RFC 8785 JSON; `nil` for a row that takes the one of its key away.
  package let members: [String: [UInt8]]?
  /// When it was written, in milliseconds since 1970.
  package let time: Int64

  /// Judges a row.
  ///
  /// - Parameters:
  ///   - table: its table.
  ///   - key: its key; `nil` for the one that its members tell.
  ///   - members: the members, each as JSON; those that are null are left out.
  ///   - time: when it is written, in milliseconds since 1970.
  /// - Throws: the first broken rule; places are those in a line.
  package init(
    _ table: LocalTable, key: String?, members: [String: [UInt8]]?, time: Int64
  ) throws(Finding) {
    var told = key
    if var left = members {
      let columns = table.columns
      for (name, text) in left where text.elementsEqual("null".utf8) { left[name] = nil }
      for name in left.keys.sorted() {
        guard let column = columns.first(where: { $0.name == name }) else {
          throw Self.fault(["row", name], "the table '\(table.rawValue)' has no such column")
        }
        if let reason = Self.reason(left[name] ?? [], column.value) {
          throw Self.fault(["row", name], reason)
        }
      }
      for column in columns where column.isRequired && left[column.name] == nil {
        throw Self.fault(["row", column.name], "it is missing")
      }
      if let (name, limit) = table.bound, let value = Self.integer(left[name]),
        let most = Self.integer(left[limit]), value > most
      {
        throw Self.fault(["row", name], "it is more than '\(limit)'")
      }
      self.members = left
      if !table.keyColumns.isEmpty {
        let own = table.keyColumns.map { Self.text(left[$0] ?? []) ?? "" }.joined(separator: "/")
        guard told == nil || told == own else { throw Self.fault(["key"], "the row's is '\(own)'") }
        told = own
      }
    } else {
      self.members = nil
    }
    guard let told else { throw Self.fault(["key"], "it is missing") }
    guard Self.isKey(told, of: table) else { throw Self.fault(["key"], "not '\(told)'") }
    guard WallTime.earliest.milliseconds...WallTime.latest.milliseconds ~= time else {
      throw Self.fault(["time"], "it is not from 0001 to 9999")
    }
    self.key = Key(table, told)
    self.time = time
    guard line.count <= Self.byteLimit else { throw Self.fault([], "it is longer than 1 MiB") }
  }

  private static func fault(_ steps: [String], _ detail: String) -> Finding {
    Finding(.localRow, at: steps, detail: detail)
  }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - text: one JSON object; key and time may be missing where the row tells the one and `now` the other.
  ///   - now: the time of a row without one; `nil` where each has its own.
  /// - Throws: the first broken rule.
  package init(line text: [UInt8], now: Int64? = nil) throws(Finding) {
    // What comes out of it is canonical, and so are its parts.
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(try JSONDocument(text).canonical)
    } catch {
      throw Finding(error)
    }
    guard document.root.isObject else { throw Self.fault([], "it is no object") }
    var table: LocalTable?
    var (key, time): (String?, Int64?) = (nil, now)
    var row: [String: [UInt8]]?
    var hasRow = false
    for index in document.root.nameIndices {
      let name = document.root.value(at: index).string ?? ""
      let value = document.root.value(at: index + 1)
      switch name {
      case "table": table = value.string.flatMap { LocalTable(rawValue: $0) }
      case "key":
        guard let text = value.string else { throw Self.fault(["key"], "it is no text") }
        key = text
      case "time":
        guard let number = value.integer else { throw Self.fault(["time"], "it is no integer") }
        time = number
      case "row":
        hasRow = true
        guard !value.isNull else { continue }
        guard value.isObject else { throw Self.fault(["row"], "it is no object") }
        var members: [String: [UInt8]] = [:]
        for index in value.nameIndices {
          members[value.value(at: index).string ?? ""] = value.value(at: index + 1).bytes
        }
        row = members
      default: throw Finding(.memberUnknown, at: [name])
      }
    }
    guard let table else { throw Self.fault(["table"], "it is no table of local rows") }
    guard hasRow else { throw Self.fault(["row"], "it is missing") }
    guard let time else { throw Self.fault(["time"], "it is missing") }
    try self.init(table, key: key, members: row, time: time)
  }

  /// Reads a line as the file of a store has it: in canonical form, with its key and its time.
  ///
  /// - Parameter line: the line, without its end.
  /// - Throws: the first broken rule.
  package init(stored line: [UInt8]) throws(Finding) {
    try self.init(line: line)
    guard self.line == line else {
      throw Self.fault([], "it is not in canonical form, with its key")
    }
  }

  /// Whether a stored line may be of a table: one that ends as a line of another table does is not, and need not be read to find that
  /// out.
  package static func mayBe(of table: LocalTable, _ line: ArraySlice<UInt8>) -> Bool {
    var rest = line
    guard rest.popLast() == UInt8(ascii: "}") else { return true }
    let digits = rest.reversed().prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    rest.removeLast(digits.count)
    return !ends.contains { $0.table != table && rest.suffix($0.text.count).elementsEqual($0.text) }
  }

  /// What is before the time in a line of each table.
  private static let ends = LocalTable.allCases.map { table in
    (table: table, text: Array(",\"table\":\"\(table.rawValue)\",\"time\":".utf8))
  }

  /// Whether it says of a chain that it is put away: then it is in no list.
  package var isPutAway: Bool { key.table == .localReceipts && members == nil }

  /// The line, without its end.
  package var line: [UInt8] {
    let row = members.map(Self.object) ?? Array("null".utf8)
    var line = Array("{\"key\":".utf8)
    JSONWriter.appendString(Array(key.text.utf8).span, to: &line)
    line += ",\"row\":".utf8
    line += row
    line += ",\"table\":\"\(key.table.rawValue)\",\"time\":\(time)}".utf8
    return line
  }

  /// Members as an RFC 8785 object.
  package static func object(of members: [String: [UInt8]]) -> [UInt8] {
    var object: [UInt8] = [UInt8(ascii: "{")]
    for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if place > 0 { object.append(UInt8(ascii: ",")) }
      JSONWriter.appendString(Array(member.key.utf8).span, to: &object)
      object.append(UInt8(ascii: ":"))
      object += member.value
    }
    object.append(UInt8(ascii: "}"))
    return object
  }

  /// The values that no other row of its table may have, by column.
  package var uniqueValues: [String: [UInt8]] {
    var values: [String: [UInt8]] = [:]
    for column in key.table.columns where column.isUnique {
      if let value = members?[column.name] { values[column.name] = value }
    }
    return values
  }

  // MARK: Values

  /// The text of a member; `nil` where it is missing, or no text.
  package func text(_ name: String) -> String? { members?[name].flatMap { Self.text($0) } }

  /// The texts of a member that is a JSON array of texts; none where it is missing.
  package func texts(_ name: String) -> [String] { text(name).flatMap(Self.texts) ?? [] }

  /// The integer of a member; `nil` where it is missing, or none.
  package func integer(_ name: String) -> Int? { Self.integer(members?[name]) }

  /// The number of a member; `nil` where it is missing, or none.
  package func number(_ name: String) -> Double? {
    members?[name].flatMap { Double(String(decoding: $0, as: UTF8.self)) }
  }

  /// The public key of a member that is one in Base64.
  package func publicKey(_ name: String) -> PublicKey? {
    guard let text = text(name), let bytes = Base64.decode(Array(text.utf8).span),
      let digest = Digest(raw: bytes.span)
    else { return nil }
    return PublicKey(bytes: digest.bytes)
  }

  /// JSON of a text.
  package static func json(_ text: String) -> [UInt8] {
    var json: [UInt8] = []
    JSONWriter.appendString(Array(text.utf8).span, to: &json)
    return json
  }

  /// JSON of a text that is a JSON array of texts.
  package static func json(_ texts: [String]) -> [UInt8] {
    json(String(decoding: array(texts), as: UTF8.self))
  }

  /// JSON of an array of texts.
  package static func array(_ texts: [String]) -> [UInt8] {
    var array: [UInt8] = [UInt8(ascii: "[")]
    for (place, text) in texts.enumerated() {
      if place > 0 { array.append(UInt8(ascii: ",")) }
      array += json(text)
    }
    array.append(UInt8(ascii: "]"))
    return array
  }

  /// JSON of a number.
  package static func json(_ number: Double) -> [UInt8] {
    var json: [UInt8] = []
    NumberText.append(number, to: &json)
    return json
  }

  /// JSON of a time: the app's seconds since 1970.
  package static func json(time milliseconds: Int64) -> [UInt8] {
    json(Double(milliseconds) / 1000)
  }

  private static func text(_ json: [UInt8]) -> String? {
    guard let document = try? JSONDocument(json) else { return nil }
    return document.root.string
  }

  private static func integer(_ json: [UInt8]?) -> Int? {
    json.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
  }

  /// The texts of a JSON array of texts; `nil` for anything else.
  package static func texts(_ text: String) -> [String]? {
    guard let document = try? JSONDocument(Array(text.utf8)), document.root.isArray else {
      return nil
    }
    var texts: [String] = []
    for index in document.root.elementIndices {
      guard let text = document.root.value(at: index).string else { return nil }
      texts.append(text)
    }
    return texts
  }

  // MARK: Judging

  /// What is wrong with a value; `nil` when nothing is.
  private static func reason(_ json: [UInt8], _ wanted: LocalTable.Value) -> String? {
    guard let document = try? JSONDocument(json) else { return "it is no JSON" }
    let value = document.root
    switch wanted {
    case .flag: return [0, 1].contains(value.integer) ? nil : "it is neither 0 nor 1"
    case .integer(let range):
      return value.integer.map { range.contains($0) } == true
        ? nil : "it is no integer from \(range.lowerBound) to \(range.upperBound)"
    case .real(let range):
      guard value.isNumber, let number = Double(value.contentText), range.contains(number) else {
        return "it is no number from \(range.lowerBound) to \(range.upperBound)"
      }
      return nil
    default: break
    }
    guard let text = value.string else { return "it is no text" }
    switch wanted {
    case .text, .flag, .integer, .real: return nil
    case .name:
      return 1...200 ~= text.unicodeScalars.count ? nil : "it has not 1 to 200 characters"
    case .word(let words):
      return words.contains(text) ? nil : "it is none of " + words.joined(separator: ", ")
    case .cid(let kind): return isCID(text, of: kind) ? nil : "it is no CID of a \(kind.name)"
    case .did: return DID(Array(text.utf8)[...]) == nil ? "it is no DID" : nil
    case .key: return isBase64(text, 32) ? nil : "it is not 32 bytes in Base64"
    case .base64(let count):
      return isBase64(text, count)
        ? nil : "it is not \(count.map { "\($0) bytes in " } ?? "")Base64"
    case .texts: return texts(text) == nil ? "it is no JSON array of texts" : nil
    case .cids(let limit):
      guard let cids = texts(text), cids.allSatisfy({ isCID($0, of: .blob) }) else {
        return "it is no JSON array of CIDs of bytes"
      }
      return cids.count > limit ? "there are more than \(limit)" : nil
    case .people:
      guard text != "circle" else { return nil }
      return texts(text)?.allSatisfy { DID(Array($0.utf8)[...]) != nil } == true
        ? nil : "it is neither a JSON array of DIDs nor 'circle'"
    case .object:
      guard let inside = try? JSONDocument(Array(text.utf8)), inside.root.isObject else {
        return "it is no JSON object"
      }
      return nil
    case .code: return isCode(text) ? nil : "it is no code such as BUDS-A7F3-92B1"
    case .phone: return isPhone(text) ? nil : "it is no number such as +14155550123"
    }
  }

  private static func isCID(_ text: String, of kind: ObjectKind) -> Bool {
    CID(text: Array(text.utf8).span)?.codec == kind.codec
  }

  private static func isBase64(_ text: String, _ count: Int?) -> Bool {
    guard let bytes = Base64.decode(Array(text.utf8).span) else { return false }
    return count == nil || bytes.count == count
  }

  private static func isCode(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "BUDS"
      && parts.dropFirst().allSatisfy { part in
        part.utf8.count == 4
          && part.utf8.allSatisfy {
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
              || UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0
          }
      }
  }

  private static func isPhone(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: "+") && 2...15 ~= digits.count
      && digits.allSatisfy(\.isDigit) && digits.first != UInt8(ascii: "0")
  }

  private static func isKey(_ text: String, of table: LocalTable) -> Bool {
    switch table {
    case .localReceipts: return isCID(text, of: .receipt)
    case .locations, .blobs: return isCID(text, of: .blob)
    case .receiptBlobs:
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      return parts.count == 2 && isCID(parts[0], of: .receipt) && isCID(parts[1], of: .blob)
    case .circles, .devices, .circleInvites, .sharedMemories, .receivedMemories:
      return 1...200 ~= text.unicodeScalars.count
    }
  }
}
