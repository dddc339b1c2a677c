// The table of rules, and how profiles weigh them.

import CanonicalJSON
import RedoObject
import TestSupport
import Testing

@Suite("Rules")
struct RuleTests {
  @Test("every rule has a kebab-case id and one short line of meaning")
  func table() {
    for rule in Rule.allCases {
      #expect(rule.id.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(rule.id)")
      let meaning = "\(rule.meaning)"
      #expect(!meaning.isEmpty && meaning.count <= 90 && !meaning.hasSuffix("."), "\(rule.id)")
    }
    #expect(Set(Rule.allCases.map(\.id)).count == Rule.allCases.count)
  }

  @Test("every refusal of a JSON text is a rule of the table, and an error at its byte")
  func json() {
    for rule in JSONRule.allCases {
      let finding = Finding(JSONError(rule, at: 12))
      #expect(finding.rule.id == rule.rawValue)
      #expect(finding.rule.severity == .error)
      #expect(finding.summary == "\(rule.rawValue) at byte 12")
    }
  }

  @Test("a stricter profile never weighs a rule less")
  func profiles() {
    func weight(_ rule: Rule, _ profile: Profile) -> Int {
      switch profile.severity(of: rule) {
      case .info: 0
      case .warning: 1
      case .error: 2
      }
    }
    for rule in Rule.allCases {
      #expect(weight(rule, .v1) <= weight(rule, .sync), "\(rule.id)")
      #expect(weight(rule, .sync) <= weight(rule, .genesis), "\(rule.id)")
    }
    for rule in [Rule.signatureMissing, .keyUnknown, .lamportNotIncreasing, .lamportJump] {
      #expect(Profile.sync.severity(of: rule) == .error)
      #expect(Profile.v1.severity(of: rule) == .warning)
    }
    for rule in [Rule.wallPrecision, .taskIDMissing] {
      #expect(Profile.genesis.severity(of: rule) == .error)
      #expect(Profile.sync.severity(of: rule) == .warning)
    }
  }
}
