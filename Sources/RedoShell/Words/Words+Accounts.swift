// What is wrong with a file of accounts, for people.

package import RedoRepository

extension AccountFile.Fault {
  /// The error that ends a command.
  package var commandError: CommandError {
    switch self {
    case .exposed(let path, _): .fatal(description, hints: ["chmod 600 '\(path)'"])
    case .taken: .fatal(description, hints: ["'redo serve account revoke' takes it away"])
    case .absent(_, let account, let known):
      CommandError(.absent, description, hints: Suggestion.hints(for: account, among: known))
    case .locked: CommandError(.temporary, description)
    case .system, .form: .fatal(description)
    }
  }
}
