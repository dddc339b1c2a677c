// One broken rule at one place of one object.

package import CanonicalJSON
package import DAGCBOR

/// A broken rule, and where.
package struct Finding: Error, Equatable, Sendable {
  /// Where in an object a rule is broken.
  package enum Place: Equatable, Sendable {
    /// The object as a whole.
    case whole
    /// A byte of the text, from 0.
    case offset(Int)
    /// A member, as a JSON pointer (RFC 6901).
    case pointer(String)
  }

  /// The rule.
  package let rule: Rule
  /// Where it is broken.
  package let place: Place
  /// What is there instead, unescaped text from the object; empty when the rule says it all.
  package let detail: String
  /// What may have happened, for values of a kind that has gone wrong before.
  package let hint: String?
  /// Whether it is an error under every profile, whatever is said of the rule in general.
  package let isFatal: Bool

  /// A broken rule.
  package init(
    _ rule: Rule, at place: Place = .whole, detail: String = "", hint: String? = nil,
    isFatal: Bool = false
  ) {
    self.rule = rule
    self.place = place
    self.detail = detail
    self.hint = hint
    self.isFatal = isFatal
  }

  /// A refused JSON text.
  package init(_ error: JSONError) {
    guard let rule = Rule(rawValue: error.rule.rawValue) else {
      preconditionFailure("BUG: the rule table lacks '\(error.rule.rawValue)'")
    }
    self.init(rule, at: .offset(error.offset))
  }

  /// Refused DAG-CBOR.
  package init(_ error: CBORError) {
    guard let rule = Rule(rawValue: error.rule.rawValue) else {
      preconditionFailure("BUG: the rule table lacks '\(error.rule.rawValue)'")
    }
    self.init(rule, at: .offset(error.offset))
  }

  /// Whether it is about a member of a receipt's payload.
  var isInPayload: Bool {
    if case .pointer(let pointer) = place { pointer.hasPrefix("/payload/") } else { false }
  }

  /// `<rule>`, `<rule> at byte 12` or `<rule> at /data/fields/title`; text of the object unescaped.
  package var summary: String {
    switch place {
    case .whole: rule.id
    case .offset(let offset): "\(rule.id) at byte \(offset)"
    case .pointer(let pointer): "\(rule.id) at \(pointer.isEmpty ? "''" : pointer)"
    }
  }
}
