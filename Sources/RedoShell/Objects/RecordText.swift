// A record for people:
//
//   record 550e8400-e29b-41d4-a716-446655440000 Flu
//   Schema:   vaccine (Vaccine)
//   Person:   5f0c2e8a-…
//
//       Vaccine: Flu
//       Dose: 2
//           record-rule: a value of a record keeps the rules of its field: maxValue
//
//       without a field:
//       color: red

internal import CanonicalJSON
package import RedoHistory
package import RedoObject
internal import RedoRepository

/// The lines of one record; the last line has no terminator.
package struct RecordText {
  private let record: Record
  private let schemaName: ByteText?
  private let showsAll: Bool

  /// A record.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - name: what its schema is called for people; `nil` when it is not there.
  ///   - showsAll: whether fields that are hidden are shown as well.
  package init(_ record: Record, name: ByteText?, showsAll: Bool) {
    self.record = record
    schemaName = name
    self.showsAll = showsAll
  }

  /// Appends the lines.
  package func append(to output: inout [UInt8]) {
    output += "record \(record.task.text) \(Escape.text(record.titleText))".utf8
    output += "\nSchema:   \(Escape.text(record.schemaID.text))".utf8
    output += (schemaName.map { " (\(Escape.text($0.text)))" } ?? " (it is not here)").utf8
    if let person = record.person { output += "\nPerson:   \(person.text)".utf8 }
    if !record.fields.isEmpty { output.append("\n") }
    var hidden = 0
    for field in record.fields {
      guard showsAll || field.visibility != .hidden else {
        hidden += 1
        continue
      }
      append(field, to: &output)
    }
    if !record.unknown.isEmpty {
      output.append("\n\n    without a field:")
      for member in record.unknown {
        let name = StringEscape.unescape(member.name.span)
        MemberLayout.append(Escape.text(name), json: member.value, to: &output)
      }
    }
    guard hidden > 0 else { return }
    output += "\n\n    \(RecordLabel.hidden(hidden))".utf8
  }

  private func append(_ field: Record.Field, to output: inout [UInt8]) {
    var name = Escape.text(
      StringEscape.unescape(field.name.span.extracting(1..<field.name.count - 1)))
    if field.visibility != .active { name += " (\(field.visibility.rawValue))" }
    MemberLayout.append(name, json: field.value, to: &output)
    for problem in field.problems {
      output += "\n        \(Escape.text(Diagnosis.text(problem.unplaced)))".utf8
    }
  }
}
