// What a commit does to a record (schemas, section 2): only what it writes is checked, and at its CREATE or with a new schema that
// nothing is lacking. Old values, and a field that was required later, keep nobody from writing.

internal import CanonicalJSON
internal import RedoObject

/// Members of content that the protocol does not name: names as RFC 8785 writes them, without quotes, and values, RFC 8785.
package typealias RecordMembers = [(name: [UInt8], value: [UInt8])]

extension RecordSchemas {
  /// What is wrong with what a CREATE, an UPDATE or a MERGE writes.
  ///
  /// - Parameters:
  ///   - members: its content; members that the protocol names do not count.
  ///   - state: the task before; `nil` for a CREATE.
  ///   - order: when the members of the state were written, as `Replay.lastWrites(of:)` has it; asked where several keys count for
  ///     one field.
  /// - Returns: the problems, in the order of the schema; none for a task that is no record, or whose schema is not there.
  package func problems(
    writing members: RecordMembers, to state: TaskState?, _ order: () -> [[UInt8]: Int]
  ) -> [RecordProblem] {
    let written = Self.others(members)
    let before = state?.unsortedMembers ?? [:]
    let after = before.merging(written) { _, new in new }
    guard let head = RecordHead(after), let schema = schema(head.schemaID, person: head.person)
    else { return [] }
    let keys = RecordKeys(after, schema) {
      order().merging(written.mapValues { _ in .max }) { _, new in new }
    }
    let isNew = RecordHead(before)?.schemaID != head.schemaID
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

  /// The members that the protocol does not name; todos are none.
  private static func others(_ members: RecordMembers) -> [[UInt8]: [UInt8]] {
    var others: [[UInt8]: [UInt8]] = [:]
    for member in members where !member.name.span.elementsEqual("todos") {
      if case .other(let name) = FieldKey(ofTask: member.name.span) { others[name] = member.value }
    }
    return others
  }
}
