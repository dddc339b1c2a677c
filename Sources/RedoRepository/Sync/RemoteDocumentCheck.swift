// Whether a remote keeps documents as it should: document 002, appendix C and the list after a push.

internal import CanonicalJSON

/// The findings about the documents of a remote.
package struct RemoteDocumentCheck {
  /// Something wrong with a document.
  package struct Finding {
    /// A code of appendix C, or a rule.
    package let code: String
    /// The description; not escaped.
    package let text: String
  }

  /// A document that was checked.
  package struct Row {
    /// The last part of its name.
    package let id: String
    /// What is wrong with it.
    package let findings: [Finding]
    /// Whether it does not exist.
    package var isMissing: Bool { findings.first?.code == "nodeNotFound" }
  }

  /// The number of IDs in one question.
  private static let batchCount = 3000

  /// Checks documents.
  ///
  /// - Parameters:
  ///   - ids: the last parts of their names.
  ///   - query: asks the remote.
  ///   - allowsUnsigned: whether they may lack a signature.
  ///   - effects: for waiting.
  /// - Returns: a row for each, in the same order.
  /// - Throws: as `RemoteQuery.ask`.
  package static func run(
    _ ids: [String], at query: RemoteQuery, allowsUnsigned: Bool, _ effects: Effects
  ) throws -> [Row] {
    var rows: [Row] = []
    for start in stride(from: 0, to: ids.count, by: batchCount) {
      var question = JSONWriter()
      question.object { question in
        question.add("ask", "verify")
        question.add("ids", ids[start..<min(start + batchCount, ids.count)])
        question.add("unsigned", allowsUnsigned)
      }
      for answer in try query.ask(question.bytes, effects) {
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
}
