// Warnings about nodes: reported once for each rule, with the first node as an example, because a log of ten thousand
// nodes can break one harmless rule ten thousand times.

package import RedoObject

/// Counts warnings by rule.
package struct WarningTally {
  private struct Entry {
    var count = 0
    let first: Finding
    let subject: String
  }

  private var entries: [Rule: Entry] = [:]

  /// Creates an empty tally.
  package init() {}

  /// Counts the findings that are warnings under a profile.
  package mutating func note(_ findings: [Finding], _ profile: Profile, of subject: () -> String) {
    for finding in findings where profile.severity(of: finding) == .warning {
      entries[finding.rule, default: Entry(first: finding, subject: subject())].count += 1
    }
  }

  /// Reports what was counted, in the order of the rule table.
  package func report(_ effects: Effects) {
    guard !entries.isEmpty else { return }
    for rule in Rule.allCases {
      guard let entry = entries[rule] else { continue }
      effects.report(.writing(.odd(entry.first, of: entry.subject, count: entry.count)))
    }
  }
}
