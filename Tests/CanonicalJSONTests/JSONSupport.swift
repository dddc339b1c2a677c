// What the tests of canonical JSON share.

import CanonicalJSON

/// The result for a text: its canonical form, or why it has none.
enum Answer: Equatable, CustomStringConvertible {
  case accepted([UInt8])
  case refused(JSONError)

  var description: String {
    switch self {
    case .accepted(let bytes): String(decoding: bytes, as: UTF8.self)
    case .refused(let error): "\(error.rule.rawValue) \(error.offset)"
    }
  }
}

/// Scans a text, writes its canonical form, and checks that this form is final: scanned again it counts as
/// canonical and comes out unchanged.
func canonicalize(_ text: [UInt8]) -> Answer {
  var scanner = Scanner()
  do throws(JSONError) {
    try scanner.scan(text.span)
  } catch {
    precondition(error.offset >= 0 && error.offset <= text.count, "offset outside of the text")
    precondition(!scanner.isCanonical && scanner.count == 0, "a refusal leaves nothing behind")
    return .refused(error)
  }
  var canonical: [UInt8] = []
  scanner.appendCanonical(text.span, to: &canonical)
  precondition(scanner.isCanonical == (canonical == text), "isCanonical says what is not so")

  do throws(JSONError) {
    try scanner.scan(canonical.span)
  } catch {
    preconditionFailure("canonical JSON is refused: \(error)")
  }
  precondition(scanner.isCanonical, "the canonical form is not called canonical")
  return .accepted(canonical)
}

func canonicalize(_ text: String) -> Answer { canonicalize(Array(text.utf8)) }
