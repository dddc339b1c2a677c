// Which field each key of a record counts for, and which key counts for a field of which several do (schemas, section 2).
//
// A record is a task whose `fields` have the text `schemaId`; the members but it, `personId`, `createdAt` and `updatedAt` are values.

internal import CanonicalJSON
package import RedoObject

/// The members that make a task a record.
package struct RecordHead: Sendable {
  /// The id of its schema.
  package let schemaID: ByteText
  /// The person whose record it is.
  package let person: UniqueID?

  /// Reads the members of a task; `nil` for one that is no record.
  package init?(_ state: TaskState) { self.init(state.unsortedMembers) }

  /// Reads the members of a task; `nil` for one that is no record.
  init?(_ members: [[UInt8]: [UInt8]]) {
    guard let schema = members[Array("schemaId".utf8)], let id = Self.text(schema) else {
      return nil
    }
    schemaID = ByteText(utf8: id)
    person = members[Array("personId".utf8)].flatMap(Self.text).flatMap { UniqueID($0.span) }
  }

  private static func text(_ json: [UInt8]) -> [UInt8]? { RecordValue(json, as: .string)?.text }

  /// Whether a member is one of these, and no value.
  static func has(_ name: [UInt8]) -> Bool {
    let span = name.span
    return switch span.count {
    case 8: span.elementsEqual("schemaId") || span.elementsEqual("personId")
    case 9: span.elementsEqual("createdAt") || span.elementsEqual("updatedAt")
    default: false
    }
  }
}

/// The values of a record by the fields that they count for.
struct RecordKeys {
  /// What stands under one key.
  struct Entry {
    /// The key as RFC 8785 writes it, without quotes.
    let name: [UInt8]
    /// RFC 8785.
    let json: [UInt8]
    /// The place of its field in the schema.
    let place: Int
    /// The place of the field where it is shown.
    let home: Int
    let content: RecordContent
  }

  /// When members were written last: for each name a position in the total order.
  typealias Order = () -> [[UInt8]: Int]

  /// By home, then by place; of one place the one that counts comes first.
  private(set) var entries: [Entry] = []
  /// What counts for no field, but for nothing.
  private(set) var unknown: [[UInt8]: [UInt8]] = [:]

  /// The values of a record.
  ///
  /// - Parameters:
  ///   - members: the members of the task that the protocol does not name.
  ///   - schema: its schema.
  ///   - order: when they were written; asked where several keys count for one field.
  init(_ members: [[UInt8]: [UInt8]], _ schema: RecordSchema, _ order: Order) {
    entries.reserveCapacity(members.count)
    for (name, json) in members where !RecordHead.has(name) {
      let meant = schema.view.meant(by: Self.key(name))
      guard !meant.isEmpty else {
        if !Self.isNull(json) { unknown[name] = json }
        continue
      }
      let (place, content) = RecordContent.read(json, for: meant, of: schema)
      entries.append(
        Entry(
          name: name, json: json, place: place, home: schema.view.home(at: place), content: content)
      )
    }
    entries.sort { $0.home == $1.home ? $0.place < $1.place : $0.home < $1.home }
    if zip(entries, entries.dropFirst()).contains(where: { $0.place == $1.place }) {
      sort(by: order(), schema)
    }
  }

  /// Whether nothing stands under a key.
  static func isNull(_ json: [UInt8]) -> Bool { json.span.elementsEqual("null") }

  /// A key as the text that it is.
  static func key(_ name: [UInt8]) -> ByteText {
    ByteText(utf8: name.contains(UInt8(ascii: "\\")) ? StringEscape.unescape(name.span) : name)
  }

  /// Puts first what was written last; of one node the id, else the least key.
  private mutating func sort(by written: [[UInt8]: Int], _ schema: RecordSchema) {
    entries.sort { one, other in
      if one.home != other.home { return one.home < other.home }
      if one.place != other.place { return one.place < other.place }
      let (first, second) = (written[one.name] ?? -1, written[other.name] ?? -1)
      if first != second { return first > second }
      let key = schema.fields[one.place].key
      if one.name == key || other.name == key { return one.name == key && other.name != key }
      return Self.key(one.name) < Self.key(other.name)
    }
  }

  /// Hands on what counts for each field, merged fields with those they were merged into.
  ///
  /// - Parameter body: receives the place of the field, and the entries that are shown there.
  func forEachField(_ body: (_ home: Int, _ entries: ArraySlice<Entry>) -> Void) {
    var start = 0
    while start < entries.count {
      let home = entries[start].home
      let end = entries[start...].firstIndex { $0.home != home } ?? entries.count
      body(home, entries[start..<end])
      start = end
    }
  }
}

extension ArraySlice<RecordKeys.Entry> {
  /// What counts for each field: of several keys the first.
  var winners: [RecordKeys.Entry] {
    var found: [RecordKeys.Entry] = []
    for entry in self where entry.place != found.last?.place { found.append(entry) }
    return found
  }

  /// What is shown: the value of the field itself, else that of the first that was merged into it; nothing, if there is nothing else.
  var shown: RecordKeys.Entry? {
    let winners = winners
    let own = winners.first { $0.place == $0.home }
    if let own, !own.content.isAbsent { return own }
    return winners.first { !$0.content.isAbsent } ?? own ?? winners.first
  }

  /// Whether fields that were merged have values that differ.
  var isConflict: Bool {
    let present = winners.filter { !$0.content.isAbsent }
    return zip(present, present.dropFirst()).contains { one, other in
      (one.content.value?.json ?? one.json) != (other.content.value?.json ?? other.json)
    }
  }
}

extension Replay {
  /// When the members of a task that the protocol does not name were written last.
  ///
  /// - Parameter task: its index in the log.
  /// - Returns: for each name, as RFC 8785 writes it without quotes, the position of the node.
  /// - Complexity: that of reading its nodes; with merges that of `state(of:)`.
  package mutating func lastWrites(of task: Int) -> [[UInt8]: Int] {
    if nodes.marks(of: task).contains(.merge) {
      decideMerges(of: task)
    }
    var written: [[UInt8]: Int] = [:]
    var isMade = false
    for place in taken(of: task) {
      let position = Int(place)
      // The first CREATE makes the task; nothing before it has an effect, nor has a second one.
      let action = log.action(at: position)
      guard (action == .create) != isMade else { continue }
      isMade = true
      if action == .create || action == .update {
        reader.read(position, of: log)
        var members = reader.content.members
        while let member = members.next() {
          if case .other(let name) = FieldKey(ofTask: member.name.content) {
            written[name] = position
          }
        }
      } else if action == .merge {
        for write in writes(of: position) where write.member.todo == nil && !write.isAutomatic {
          if case .field(.other(let name)) = write.member.key { written[name] = position }
        }
      }
    }
    return written
  }
}
