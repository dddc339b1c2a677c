// What a commit does to a record (schemas, section 2): only what it writes is checked, and at its CREATE or with a new schema that
// nothing is lacking. Old values, and a field that was required later, keep nobody from writing.

internal import CanonicalJSON
internal import RedoObject

/// Members of content that the protocol does not name: names as RFC 8785 writes them, without quotes, and values, RFC 8785.
package typealias RecordMembers = [(name: [UInt8], value: [UInt8])]

/// A record while changes to it are written, one after the other.
package struct WrittenRecord {
  fileprivate var members: [[UInt8]: [UInt8]] = [:]
  /// When members were written before all changes: a position in the total order.
  private let earlier: () -> [[UInt8]: Int]
  /// Which of the changes has written a member.
  private var later: [[UInt8]: Int] = [:]
  private var changeCount = 0

  /// A task that is not there yet.
  package init() { earlier = { [:] } }

  /// A task as it is.
  ///
  /// - Parameters:
  ///   - state: its state.
  ///   - order: when its members were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for one field.
  package init(_ state: TaskState, _ order: @escaping () -> [[UInt8]: Int]) {
    members = state.unsortedMembers
    earlier = order
  }

  /// What makes it a record once some members are written; `nil` when nothing does.
  ///
  /// - Parameter members: the content that is written.
  /// - Returns: the id of its schema, and whose it is.
  package func head(with members: RecordMembers) -> RecordHead? {
    RecordHead(self.members.merging(RecordSchemas.others(members)) { _, new in new })
  }

  fileprivate mutating func write(_ written: [[UInt8]: [UInt8]]) {
    changeCount += 1
    members.merge(written) { _, new in new }
    for name in written.keys { later[name] = changeCount }
  }

  /// When members were written last.
  fileprivate var order: [[UInt8]: Int] {
    let earlier = earlier()
    let last = earlier.values.max() ?? 0
    return earlier.merging(later.mapValues { last + $0 }) { _, new in new }
  }
}

extension RecordSchemas {
  /// What is wrong with what a CREATE, an UPDATE or a MERGE writes.
  ///
  /// - Parameters:
  ///   - members: its content; members that the protocol names do not count.
  ///   - record: the task before; receives what is written.
  /// - Returns: the problems, in the order of the schema; none for a task that is no record, or whose schema is not there.
  package func problems(
    writing members: RecordMembers, to record: inout WrittenRecord
  ) -> [RecordProblem] {
    let written = Self.others(members)
    let before = record
    record.write(written)
    guard let head = RecordHead(record.members),
      let schema = schema(head.schemaID, person: head.person)
    else { return [] }
    let keys = RecordKeys(record.members, schema) { [record] in record.order }
    let isNew = RecordHead(before.members)?.schemaID != head.schemaID
    var found: [(place: Int, problem: RecordProblem)] = []
    var lacking = Set(isNew ? schema.required : [])
    keys.forEachField { home, entries in
      let touched = entries.filter { written[$0.name] != nil }
      if !(entries.shown?.content.isAbsent ?? true) {
        lacking.remove(home)
      } else if schema.fields[home].isRequired, !touched.isEmpty {
        // It takes away what must be there.
        lacking.insert(home)
      }
      for entry in touched {
        found += schema.problems(of: entry, matcher).map { (home, $0) }
      }
    }
    found += lacking.map { ($0, Self.lacking($0, schema)) }
    return found.sorted { one, other in
      if one.place != other.place { return one.place < other.place }
      return (one.problem.key ?? []).lexicographicallyPrecedes(other.problem.key ?? [])
    }.map(\.problem)
  }

  /// The title of a new record: what its first active text says, else what its schema is called.
  ///
  /// - Parameter members: the members of its CREATE.
  /// - Returns: UTF-8, not empty.
  package func title(of members: RecordMembers) -> [UInt8] {
    let own = Self.others(members)
    let none = Array("record".utf8)
    guard let head = RecordHead(own), let schema = schema(head.schemaID, person: head.person) else {
      return none
    }
    var title: [UInt8] = []
    RecordKeys(own, schema, { [:] }).forEachField { home, entries in
      guard title.isEmpty, schema.fields[home].visibility == .active else { return }
      title = entries.shown?.content.value?.text ?? []
    }
    if !title.isEmpty { return title }
    return schema.displayName.utf8.isEmpty ? none : schema.displayName.utf8
  }

  /// The members of a content.
  ///
  /// - Parameter content: an object, RFC 8785; empty for none.
  /// - Returns: its members, in their order.
  package static func members(of content: ArraySlice<UInt8>) -> RecordMembers {
    guard let document = try? JSONDocument(Array(content)) else { return [] }
    var found: RecordMembers = []
    var members = document.root.members
    while let member = members.next() {
      found.append((name: member.name.content.bytes, value: member.value.bytes))
    }
    return found
  }

  /// Whether a member of content is one that the protocol does not name; todos are none.
  ///
  /// - Parameter name: as RFC 8785 writes it, without quotes.
  /// - Returns: whether it is.
  package static func isOther(_ name: [UInt8]) -> Bool {
    guard !name.span.elementsEqual("todos"), case .other = FieldKey(ofTask: name.span) else {
      return false
    }
    return true
  }

  /// The members that the protocol does not name.
  fileprivate static func others(_ members: RecordMembers) -> [[UInt8]: [UInt8]] {
    var others: [[UInt8]: [UInt8]] = [:]
    for member in members where isOther(member.name) { others[member.name] = member.value }
    return others
  }
}
