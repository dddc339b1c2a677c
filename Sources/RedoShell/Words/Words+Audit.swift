// Messages about audits.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension AuditFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .weight(let value, let key, let place, let refusal):
      .fatal("bad value '\(Escape.text(value))' for '\(key)' (\(place)): \(refusal)")
    case .noHome(let path): .fatal("'\(path)' needs 'HOME', which is not set")
    case .skipList(let error): .fatal("the skip list cannot be read: \(error.description)")
    case .skipListLine(let line, let path):
      .fatal("line \(line) of the skip list '\(path)' is not an id")
    }
  }
}

extension MessageStream {
  /// Reports that a setting is about a rule that does not exist, and which rule may be meant.
  func sayUnknownRule(_ name: String, _ key: String, _ place: String) {
    say("warning: ", "no rule is called '\(Escape.text(name))' ('\(key)', \(place))")
    for hint in Suggestion.hints(for: name, among: Rule.allCases.map(\.id)) { say("hint: ", hint) }
  }
}

extension VerdictRow {
  /// The id or name that the row is about, or `-` if there is none.
  package var name: String {
    switch subject {
    case .id(let id): id.text
    case .name(let name): Escape.text(name)
    case .nothing: "-"
    }
  }
}
