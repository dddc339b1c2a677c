// How a broken rule is described to people: first the fault, then what was expected.

package import RedoObject

/// Texts of findings.
package enum Diagnosis {
  /// `'a.json': lamport-form at /timestamp/lamport: lamport is an integer from 1 to 2^48, not '0'`.
  package static func text(_ finding: Finding, of subject: String) -> String {
    "'\(subject)': \(text(finding))"
  }

  /// The same without the subject.
  package static func text(_ finding: Finding) -> String {
    switch finding.rule {
    case .hashMismatch, .localRow: "\(finding.summary): \(finding.detail)"
    case .parentMissing: "\(finding.rule.id): parent '\(finding.detail)' is not here"
    case .parentRefused: "\(finding.rule.id): parent '\(finding.detail)' is itself refused"
    case .recordType, .recordRule, .recordSchemaMissing:
      // Their detail is what is expected.
      "\(finding.summary): \(finding.rule.meaning): \(finding.detail)"
    default:
      "\(finding.summary): \(finding.rule.meaning)"
        + (finding.detail.isEmpty ? "" : ", not '\(finding.detail)'")
    }
  }
}

extension Effects {
  /// Reports which rules a refused input breaks.
  package func reportErrors(_ findings: [Finding], of subject: String) {
    for finding in findings { report(.writing(.refused(finding, of: subject))) }
  }
}

extension Finding {
  /// Whether the text is not JSON, so that its end is not certain either.
  package var isOfJSON: Bool { rule.rawValue.hasPrefix("json-") }
}
