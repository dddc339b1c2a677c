// A record as a file has it (schemas, section 2): with UUIDs as keys; for the public app in upper case, where it has an id of its own for
// a field under that, and with dates without a time.

internal import CanonicalJSON
internal import RedoObject

extension RecordFile {
  /// For whom a file is.
  package enum Reader: Sendable {
    /// For redo, and for programs that read what it writes.
    case redo
    /// For the public app.
    case app
  }
}

extension RecordSchemas {
  /// Appends a record as one line of a file: RFC 8785, without a line feed.
  ///
  /// - Parameters:
  ///   - state: the task.
  ///   - reader: for whom it is.
  ///   - order: when its members were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for one field.
  ///   - output: receives the line.
  /// - Returns: what is left out, since it has no type that the app knows; `nil` for a task that is no record.
  package func appendFile(
    of state: TaskState, for reader: RecordFile.Reader, _ order: () -> [[UInt8]: Int],
    to output: inout [UInt8]
  ) -> [RecordProblem]? {
    let members = state.unsortedMembers
    guard let head = RecordHead(members) else { return nil }
    var file = RecordLine(reader: reader)
    var unknown = members.filter { !RecordHead.has($0.key) }
    let schema = schema(head.schemaID, person: head.person)
    if let schema {
      let keys = RecordKeys(members, schema, order)
      unknown = keys.unknown
      keys.forEachField { home, entries in
        let isConflict = entries.isConflict
        for entry in isConflict ? entries.winners : entries.shown.map({ [$0] }) ?? [] {
          file.add(entry, schema, at: isConflict ? entry.place : home)
        }
      }
    }
    for member in Self.sorted(unknown) {
      let key = RecordKeys.key(member.name)
      let id = Self.ownID(of: key, schema, head.schemaID)
      file.add(unknown: member, reader == .app ? Self.fixedID(of: id, head.schemaID) ?? id : id)
    }
    JSONWriter.append(to: &output) { json in
      json.object { json in
        if let time = state.recordCreated { json.add("createdAt", reader.text(of: time)) }
        json.addObject("fields") { json in
          for field in file.fields.sorted(by: { $0.key < $1.key }) {
            json.name(text: reader.text(of: field.key))
            json.value(json: field.value)
          }
        }
        json.add("id", reader.text(of: UniqueID(bytes: state.id.bytes)))
        if let person = head.person { json.add("personId", reader.text(of: person)) }
        json.add("schemaId", head.schemaID)
        if let time = state.recordUpdated { json.add("updatedAt", reader.text(of: time)) }
        // The app counts versions of a record, and reads none without.
        json.add("version", 1)
      }
    }
    return file.left
  }
}

extension RecordFile.Reader {
  fileprivate func text(of id: UniqueID) -> String {
    self == .app ? id.text.uppercased() : id.text
  }

  /// A time; the app reads none with a fraction.
  func text(of time: WallTime) -> String {
    self == .app ? "\(time.text.prefix(19))Z" : time.text
  }

  /// A value as it is written, RFC 8785.
  func json(of value: RecordValue) -> [UInt8] {
    guard self == .app else { return value.typed }
    var bare = value.json
    switch value.type {
    case .date: bare = Array(bare.prefix(11)) + [UInt8(ascii: "\"")]
    case .attachmentIds: bare = Array(String(decoding: bare, as: UTF8.self).uppercased().utf8)
    case .string, .int, .double, .bool, .stringArray: break
    }
    return Array("{\"type\":\"\(value.type.rawValue)\",\"value\":".utf8) + bare
      + [UInt8(ascii: "}")]
  }
}

/// The values of one line.
private struct RecordLine {
  let reader: RecordFile.Reader
  private(set) var fields: [UniqueID: [UInt8]] = [:]
  private(set) var left: [RecordProblem] = []

  init(reader: RecordFile.Reader) { self.reader = reader }

  mutating func add(_ entry: RecordKeys.Entry, _ schema: RecordSchema, at place: Int) {
    let field = schema.fields[place]
    let id = reader == .app ? schema.view.fixedID(of: field.id) ?? field.id : field.id
    switch entry.content {
    case .absent: return
    case .value(let value): fields[id] = reader.json(of: value)
    case .wrong:
      guard reader == .app else {
        fields[id] = entry.json
        return
      }
      // The app has changed types in place: what says its type is read.
      if let typed = RecordContent.typed(entry.json)?.value {
        fields[id] = reader.json(of: typed)
        return
      }
      left.append(
        RecordProblem(.recordType, field: field.id, key: entry.name, detail: field.type.rawValue))
    }
  }

  /// Adds what counts for no field: for the app by the first type that can read it, since it reads nothing without.
  mutating func add(unknown member: (name: [UInt8], value: [UInt8]), _ id: UniqueID) {
    guard fields[id] == nil, !RecordKeys.isNull(member.value) else { return }
    let types: [FieldType] = [.string, .int, .double, .bool, .stringArray]
    if let value = RecordContent.typed(member.value)?.value {
      fields[id] = reader.json(of: value)
    } else if reader == .redo {
      fields[id] = member.value
    } else if let value = types.lazy.compactMap({ RecordValue(member.value, as: $0) }).first {
      fields[id] = reader.json(of: value)
    } else {
      left.append(RecordProblem(.recordUnknownKey, key: member.name))
    }
  }
}
