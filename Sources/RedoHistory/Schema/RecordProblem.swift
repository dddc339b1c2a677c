// What is wrong with a record under its schema, as the public app checks it (schemas, section 2): nothing of it makes a node invalid.

internal import CanonicalJSON
package import RedoObject

/// A problem of a record.
package struct RecordProblem: Hashable, Sendable {
  /// The rule that is broken.
  package let rule: Rule
  /// The field, as it is shown; `nil` where it is about none.
  package let field: UniqueID?
  /// The key, as RFC 8785 writes it, without quotes; `nil` for a field without one.
  package let key: [UInt8]?
  /// What is there instead: a type, the rule for values that is broken, a schema.
  package let detail: String

  init(_ rule: Rule, field: UniqueID? = nil, key: [UInt8]? = nil, detail: String = "") {
    self.rule = rule
    self.field = field
    self.key = key
    self.detail = detail
  }

  /// The problem as a finding that does not say where.
  package var unplaced: Finding { Finding(rule, detail: detail) }

  /// The problem as a finding.
  ///
  /// - Parameter fields: the JSON pointer of what has the keys: `/fields` in a state.
  /// - Returns: the finding; it points to the key, to the id that a missing value would have, or to `schemaId`.
  package func finding(in fields: String = "/fields") -> Finding {
    var pointer = Array(fields.utf8)
    let name = key ?? field.map { Array($0.text.utf8) } ?? Array("schemaId".utf8)
    JSONValue.appendStep(StringEscape.unescape(name.span).span, toPointer: &pointer)
    return Finding(
      rule, at: .pointer(String(decoding: pointer, as: UTF8.self)), detail: detail)
  }
}

extension RecordSchema {
  /// What is wrong with a value.
  ///
  /// - Parameters:
  ///   - entry: the value.
  ///   - matcher: how patterns are matched.
  /// - Returns: its problems as a value of the field where it is shown; none when there is no value.
  func problems(
    of entry: RecordKeys.Entry, _ matcher: RecordSchemas.Matcher?
  ) -> [RecordProblem] {
    let field = fields[entry.home]
    switch entry.content {
    case .absent: return []
    case .wrong:
      return [
        RecordProblem(.recordType, field: field.id, key: entry.name, detail: field.type.rawValue)
      ]
    case .value(let value):
      guard !field.bounds.isEmpty else { return [] }
      return field.bounds.filter { $0.isBroken(by: value, matcher) }.map { bound in
        RecordProblem(
          .recordRule, field: field.id, key: entry.name, detail: bound.kind.rawValue)
      }
    }
  }
}
