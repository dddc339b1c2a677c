// Why a command could not answer or could not do what it was asked. The answer "no" is not an error.

package import RedoRepository
internal import RedoStore

/// The error that ends a command: a message for people, an exit status for programs.
package struct CommandError: Error, Equatable, Sendable {
  /// The kind of error; it determines the prefix and the exit status.
  package enum Kind: Equatable, Sendable {
    /// The request was understood but refused.
    case refused
    /// The named thing is absent, in commands where status 1 means something else.
    case absent
    /// Trying again may help.
    case temporary
    /// A remote is not the one it used to be.
    case identity
    /// Authentication or access was refused.
    case access
    /// Anything else that ends the command.
    case fatal
    /// The command line makes no sense; a hint says where the usage is found.
    case usage
    /// The command line has an option or a subcommand that does not exist; the usage follows the message.
    case unknownWord
    /// The process is to die from this signal, silently, after cleaning up.
    case signal(Int32)
  }

  /// The kind of error.
  package let kind: Kind
  /// The message: the fault first, the subject in single quotes, lower case, no full stop.
  package let message: String
  /// Advice that may help, one line each.
  package let hints: [String]
  /// The name that the protocol's documents give to this error, as in `STORAGE_003`.
  package let code: String?

  /// Creates an error of some kind.
  package init(_ kind: Kind, _ message: String, hints: [String] = [], code: String? = nil) {
    self.kind = kind
    self.message = message
    self.hints = hints
    self.code = code
  }

  /// An error that ends the command with 128.
  package static func fatal(
    _ message: String, hints: [String] = [], code: String? = nil
  ) -> CommandError {
    CommandError(.fatal, message, hints: hints, code: code)
  }

  /// An error in the command line; it ends the command with 129, after saying where its usage is found.
  package static func usage(_ message: String, hints: [String] = []) -> CommandError {
    CommandError(.usage, message, hints: hints)
  }

  /// An option or a subcommand that does not exist; it ends the command with 129, after printing its usage.
  package static func unknownWord(_ message: String, hints: [String] = []) -> CommandError {
    CommandError(.unknownWord, message, hints: hints)
  }

  /// The end of a command by a signal; nothing is printed.
  package static func signal(_ number: Int32) -> CommandError {
    CommandError(.signal(number), "")
  }
}

extension CommandError {
  /// How the process is to end.
  package var ending: Ending {
    switch kind {
    case .refused: .exit(.no)
    case .absent: .exit(.absent)
    case .temporary: .exit(.temporary)
    case .identity: .exit(.identity)
    case .access: .exit(.access)
    case .fatal: .exit(.fatal)
    case .usage, .unknownWord: .exit(.usage)
    case .signal(let number): .signal(number)
    }
  }

  /// The prefix of the message on stderr.
  package var prefix: String {
    switch kind {
    case .refused, .absent, .usage, .unknownWord: "error: "
    case .temporary, .identity, .access, .fatal, .signal: "fatal: "
    }
  }

  /// The message, followed by the code in brackets.
  package var messageWithCode: String {
    guard let code else { return message }
    return "\(message) [\(code)]"
  }
}

/// How the process is to end.
package enum Ending: Equatable, Sendable {
  /// With an exit status.
  case exit(Exit)
  /// By a signal with its default action.
  case signal(Int32)
}

/// A fault for which the shell has a message.
package protocol WordedFault: Fault {
  /// The error that ends the command.
  var words: CommandError { get }
}

extension CommandError {
  /// The command error for any error: the one place where errors become words.
  package init(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as any WordedFault: self = error.words
    case let error as RedoError: self.init(error.cause)
    case let error as Interruption: self = .signal(error.signal)
    case let error as StoreError: self = .fatal(error)
    case let error as RefsError: self = .fatal(error)
    case let error as SystemError: self = .fatal(error)
    case let error as StoreDirectoryError: self = .fatal(error)
    case let error as KeyringError: self = .fatal(error)
    case let error as TrustError: self = .fatal(error)
    case let error as ArchiveRegister.Failure: self = .fatal(error)
    case InputError.lineTooLong(let name, let limit):
      self = .fatal("the line on '\(name)' is longer than \(limit) bytes")
    case InputError.broken(let error): self = .fatal("read error: \(error.reason)")
    case InputError.tooLarge(let name): self = .fatal("'\(name)' is too large")
    default: self = .fatal("\(error)")
    }
  }
}
