// Messages about errors that lower modules throw.

internal import RedoObject
package import RedoStore

extension CommandError {
  /// The command error for a failed system call.
  package static func fatal(_ error: SystemError) -> CommandError { .fatal(error.description) }

  /// The command error for a failed system call on a path.
  package static func fatal(_ error: SystemError, _ path: String) -> CommandError {
    if error.isTooLarge { return .fatal("'\(path)' is too large") }
    return .fatal(SystemError(code: error.code, operation: error.operation, path: path).description)
  }

  /// The command error for a failed operation on objects.
  package static func fatal(_ error: StoreError) -> CommandError {
    if case .locked = error {
      return CommandError(.temporary, error.description)
    }
    if case .offline = error {
      return .fatal(error.description, hints: [StoreError.registerHint])
    }
    if case .archives = error {
      return .fatal(
        error.description, hints: ["'redo archive register <file>' sets the list right"])
    }
    if case .corrupt = error {
      return .fatal(
        error.description, hints: [StoreError.repairHint(from: nil)], code: Self.unreadableCode)
    }
    return .fatal(error.description)
  }

  /// The documents' name for what is there and cannot be read.
  static let unreadableCode = "STORAGE_004"

  /// The command error for a failed operation on refs.
  package static func fatal(_ error: RefsError) -> CommandError {
    if case .locked = error { return CommandError(.temporary, error.description) }
    if case .writeRefusedWhileCorrupt = error {
      return .fatal(
        error.description, hints: [RefsError.repairHint], code: Self.unreadableCode)
    }
    if case .corrupt(let corruption) = error {
      return .fatal(
        error.description, hints: corruption.isOfRefs ? [RefsError.repairHint] : [],
        code: Self.unreadableCode)
    }
    if case .behind = error {
      return .fatal(
        error.description,
        hints: [
          "'redo verify --repair-refs' takes in what is there of the rest; with core.fsync=none a loss of power may "
            + "have done this"
        ], code: Rule.refsBehind.id)
    }
    return .fatal(error.description)
  }

  /// The command error for a store that could not be opened.
  package static func fatal(_ error: StoreDirectoryError) -> CommandError {
    switch error {
    case .notFound:
      .fatal("not a redo repository (or any of the parent directories): .redo")
    case .notAStore(let path): .fatal("not a redo repository: '\(path)'")
    case .unsafeOwner(let path, _):
      .fatal(
        error.description,
        hints: ["to allow it: redo config set --user --append safe.directory '\(path)'"])
    case .refs(let refs): .fatal(refs)
    case .config, .system: .fatal(error.description)
    }
  }

  /// The command error for a failed operation on a keyring.
  package static func fatal(_ error: KeyringError) -> CommandError {
    switch error {
    case .locked: CommandError(.temporary, error.description)
    case .exposed(let path, _):
      .fatal(
        error.description,
        hints: [
          "'chmod go= \(path)' takes the rights away; whoever had them may know the secrets"
        ], code: error.code)
    case .foreign, .irregular, .unreadable, .unwritable, .malformed:
      .fatal(error.description, code: error.code)
    }
  }

  /// The command error for a trust file that cannot be used.
  package static func fatal(_ error: TrustError) -> CommandError {
    switch error {
    case .locked: CommandError(.temporary, error.description)
    case .form:
      .fatal(error.description, hints: ["see redo-trust(1) for what a line may be"])
    case .system, .irregular, .tooLarge, .missing: .fatal(error.description)
    }
  }

  /// The command error for a list of archives that cannot be read.
  package static func fatal(_ error: ArchiveRegister.Failure) -> CommandError {
    guard case .damaged = error else { return .fatal(error.description) }
    return .fatal(
      error.description, hints: ["'redo archive register <file>' writes what is good of it anew"])
  }
}

extension RefsError {
  fileprivate static let repairHint =
    "'redo verify' shows what is damaged, 'redo verify --repair-refs' repairs it"
}

extension StoreError {
  /// The hint for an object that is damaged.
  ///
  /// - Parameter remote: the name of a remote that may have it; `nil` when there is none.
  /// - Returns: one line.
  static func repairHint(from remote: String?) -> String {
    guard let remote else {
      return
        "'redo verify --repair-from=<source>' takes a good copy from another store, or a backup"
    }
    return "'redo verify --repair-from=\(remote)' takes a good copy from there"
  }

  /// The hint for a registered archive whose file is not there.
  package static let registerHint = "'redo archive register <file>' says where it is now"
}
