// Records as files of the public app have them (schemas, section 2): the content of one, `{"schemaId","fields"}`, one of a backup, which
// has an id, a person and times as well, several of either, or a backup that is not encrypted.
//
// Swift's Foundation writes a dictionary by UUIDs as a flat array of keys and values, and times as seconds since 2001.

internal import CanonicalJSON
package import RedoObject

/// What reading a file of records has given.
package struct RecordFile: Sendable {
  /// One record.
  package struct Entry: Sendable {
    /// Its id, which is that of its task; `nil` for a content without one.
    package let id: TaskID?
    /// The id of its schema.
    package let schemaID: ByteText?
    /// Whose it is.
    package let person: UniqueID?
    /// When it was made.
    package let createdAt: WallTime?
    /// When it was changed last.
    package let updatedAt: WallTime?
    /// The values by their keys as they stand, RFC 8785; no `null`.
    let values: [(key: ByteText, json: [UInt8])]

    /// Whether it was changed after another one; one without a time was not.
    package func isLater(than other: Entry) -> Bool {
      guard let updatedAt else { return false }
      return other.updatedAt.map { updatedAt > $0 } ?? true
    }
  }

  /// The records, in the order of the file.
  package private(set) var entries: [Entry] = []
  /// Every broken rule; where there is one, nothing counts.
  package private(set) var findings: [Finding] = []
  /// What is wrong with values that were left out.
  package private(set) var left: [Finding] = []
  /// Members of records that have no place here, and how many records have them, by their names.
  package private(set) var passedOver: [String: Int] = [:]
  private let salvages: Bool

  /// Reads records.
  ///
  /// - Parameters:
  ///   - text: one JSON value, or one on each line.
  ///   - salvages: whether values that cannot be read are left out, with their findings as they are.
  package init(_ text: [UInt8], salvages: Bool = false) {
    self.salvages = salvages
    do throws(JSONError) {
      let document = try JSONDocument(try SchemaImport.document(text).canonical)
      readAll(document.root)
    } catch {
      findings = [Finding(error)]
    }
  }

  /// Whether a text is a backup, which may have records beside schemas.
  ///
  /// - Parameter text: one JSON value, or one on each line.
  /// - Returns: whether it is one.
  package static func isBackup(_ text: [UInt8]) -> Bool {
    guard let document = try? SchemaImport.document(text) else { return false }
    return document.root["data"]?["records"] != nil
  }

  private mutating func report(_ pointer: String, _ detail: String = "") {
    findings.append(Finding(.recordForm, at: .pointer(pointer), detail: detail))
  }

  private mutating func readAll(_ root: borrowing JSONValue) {
    if root.isArray {
      readEach(root, "")
    } else if root["fields"] != nil {
      read(root, "")
    } else if root["encrypted"]?.boolean == true {
      report("/encrypted", "true")
    } else if let records = root["data"]?["records"] {
      readEach(records, "/data/records")
    } else if let records = root["records"] {
      readEach(records, "/records")
    } else {
      report("/fields")
    }
  }

  private mutating func readEach(_ array: borrowing JSONValue, _ pointer: String) {
    guard array.isArray else { return report(pointer) }
    var elements = array.elements
    var place = 0
    while let element = elements.next() {
      read(element, "\(pointer)/\(place)")
      place += 1
    }
  }

  private mutating func read(_ value: borrowing JSONValue, _ pointer: String) {
    guard let fields = value["fields"], fields.isObject || fields.isArray else {
      return report("\(pointer)/fields")
    }
    let id = member(value["id"], "\(pointer)/id") { $0.isString ? TaskID($0.content) : nil }
    let schema = member(value["schemaId"], "\(pointer)/schemaId") { $0.unescaped }
    let person = member(value["personId"], "\(pointer)/personId") {
      $0.isString ? UniqueID($0.content) : nil
    }
    let created = member(value["createdAt"], "\(pointer)/createdAt") { WallTime($0) }
    let updated = member(value["updatedAt"], "\(pointer)/updatedAt") { WallTime($0) }
    notePassedOver(value)
    entries.append(
      Entry(
        id: id, schemaID: schema.map { ByteText(utf8: $0) }, person: person, createdAt: created,
        updatedAt: updated, values: values(fields, "\(pointer)/fields")))
  }

  private static let names: [StaticString] = [
    "id", "schemaId", "personId", "createdAt", "updatedAt", "fields",
  ]

  /// Counts what is not kept; that a record is of the first version says nothing.
  private mutating func notePassedOver(_ value: borrowing JSONValue) {
    var members = value.members
    while let member = members.next() {
      if member.value.isNull || Self.names.contains(where: { member.name.isText($0) }) { continue }
      if member.name.isText("version"), member.value.integer == 1 { continue }
      passedOver[member.name.string ?? member.name.contentText, default: 0] += 1
    }
  }

  /// A member that may be absent; one of another type is reported.
  private mutating func member<Value>(
    _ value: borrowing JSONValue?, _ pointer: String, _ read: (borrowing JSONValue) -> Value?
  ) -> Value? {
    guard let value = copy value, !value.isNull else { return nil }
    let found = read(value)
    if found == nil { report(pointer, value.contentText) }
    return found
  }

  // MARK: Values

  /// The values of a dictionary, or of a flat array of keys and values.
  private mutating func values(
    _ fields: borrowing JSONValue, _ pointer: String
  ) -> [(key: ByteText, json: [UInt8])] {
    var values: [(key: ByteText, json: [UInt8])] = []
    var members = fields.members
    while let member = members.next() {
      var own = Array(pointer.utf8)
      let key = StringEscape.unescape(member.name.content)
      JSONValue.appendStep(key.span, toPointer: &own)
      if let json = self.value(member.value, String(decoding: own, as: UTF8.self)) {
        values.append((ByteText(utf8: key), json))
      }
    }
    var elements = fields.elements
    var place = 0
    while let element = elements.next() {
      guard let key = element.unescaped, let value = elements.next() else {
        report("\(pointer)/\(place)", element.contentText)
        break
      }
      if let json = self.value(value, "\(pointer)/\(place + 1)") {
        values.append((ByteText(utf8: key), json))
      }
      place += 2
    }
    return values
  }

  /// A value: typed, or bare JSON; `nil` for `null`, and for one that cannot be read.
  private mutating func value(_ value: borrowing JSONValue, _ pointer: String) -> [UInt8]? {
    guard !value.isNull else { return nil }
    guard value.isObject else { return value.bytes }
    let typed = RecordContent.typed(value.bytes)
    if let read = typed?.value { return read.typed }
    let place = typed != nil ? "/value" : value["type"] != nil ? "/type" : ""
    let detail = value["type"]?.string ?? ""
    if salvages {
      left.append(Finding(.recordForm, at: .pointer(pointer + place), detail: detail))
    } else {
      report(pointer + place, detail)
    }
    return nil
  }
}
