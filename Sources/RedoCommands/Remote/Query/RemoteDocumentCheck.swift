// Whether a remote keeps documents as it should: document 002, appendix C and the list after a push.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// What was found out about the documents of a remote.
struct RemoteDocumentCheck {
  /// Something that is wrong with a document.
  struct Finding {
    /// A code of appendix C, or a rule.
    let code: String
    /// What it is; not escaped.
    let text: String
  }

  /// A document that was looked at.
  struct Row {
    let id: String
    let findings: [Finding]
    /// Whether it is not there.
    var isMissing: Bool { findings.first?.code == "nodeNotFound" }
  }

  /// How many ids one question has.
  private static let batchCount = 3000

  /// Looks at documents.
  ///
  /// - Parameters:
  ///   - ids: the last parts of their names.
  ///   - query: who is asked.
  ///   - allowsUnsigned: whether they may lack a signature.
  ///   - context: for messages and waiting.
  /// - Returns: a row for each, in the same order.
  /// - Throws: as `RemoteQuery.ask`.
  static func run(
    _ ids: [String], at query: RemoteQuery, allowsUnsigned: Bool, _ context: inout Context
  ) throws -> [Row] {
    var rows: [Row] = []
    for start in stride(from: 0, to: ids.count, by: batchCount) {
      var question = JSONRow()
      question.add("ask", "verify")
      question.add("ids", ids[start..<min(start + batchCount, ids.count)]) {
        JSONWriter.appendString($0, to: &$1)
      }
      question.add("unsigned", allowsUnsigned)
      var text: [UInt8] = []
      question.append(to: &text)
      for answer in try query.ask(text, context.effects) {
        rows.append(
          Row(
            id: answer.text("id") ?? "",
            findings: (answer.objects("findings") ?? []).map { finding in
              Finding(code: finding.text("code") ?? "", text: finding.text("text") ?? "")
            }))
      }
    }
    return rows
  }

  /// Says what is wrong with a document, one line each.
  static func say(_ row: Row, _ context: inout Context) {
    for finding in row.findings {
      context.error(
        "\(Escape.text(finding.code)): '\(Escape.text(row.id))': \(Escape.text(finding.text))")
    }
  }
}
