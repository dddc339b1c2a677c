// Messages about remotes that cannot be found, reached or talked to, or whose identity has changed.

internal import RedoObject
internal import RedoRemote
package import RedoRepository
internal import RedoStore

extension RemoteName {
  /// The rule for names.
  package static let rule =
    "a name has 1 to \(byteLimit) letters, digits, '.', '_' and '-', and begins with a letter or digit"
}

extension RemoteURL.Fault {
  /// The reason, which follows the text in quotes.
  package var reason: String {
    switch self {
    case .empty: "is empty"
    case .tooLong: "has more than \(RemoteURL.byteLimit) bytes"
    case .controls: "has control characters in it"
    case .dash: "begins with '-'"
    case .commandLine: "names a command line, and none is run"
    case .otherMachine: "names another machine"
    case .noHost: "names no host"
    case .noPath: "names no path"
    case .user: "has a user in it"
    case .password: "has a password in it"
    case .port: "has a port that is no number from 1 to 65535"
    case .percent: "has a '%' without two hex digits"
    case .noText: "has bytes in it that are no text"
    case .dashedHost: "names a host that begins with '-'"
    case .blankHost: "names a host with a blank in it"
    case .dashedPath: "names a path that begins with '-'"
    }
  }

  /// Advice that may help.
  package var hint: String? {
    switch self {
    case .dash: "a path can begin with './'"
    case .commandLine: "a program 'redo-remote-<scheme>' makes a transport of '<scheme>://'"
    case .otherMachine: "a file is 'file:///<path>'"
    case .user: "'remote.<name>.tokenFile' names a file with what the server asks for"
    case .password: "ssh(1) asks for it, or better takes a key"
    case .dashedPath: "it can begin with './'"
    case .empty, .tooLong, .controls, .noHost, .noPath, .port, .percent, .noText, .dashedHost,
      .blankHost:
      nil
    }
  }
}

extension RemoteFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .absent(let name, let known):
      CommandError(
        .absent, "there is no remote '\(name)'", hints: Suggestion.hints(for: name, among: known))
    case .malformedURL(let text, let fault):
      .fatal("'\(text)' \(fault.reason)", hints: [fault.hint].compactMap(\.self))
    case .notThere(let remote): .fatal("'\(remote)' is not there")
    case .fileIsReadOnly(let remote):
      .fatal(
        "'\(remote)' is a file, which nothing can be pushed to",
        hints: ["'redo archive bundle' writes one"])
    case .neitherStoreNorBundle(let remote):
      .fatal("'\(remote)' is neither a store nor a bundle")
    case .noStore(let directory): .fatal("there is no redo store in '\(directory)'")
    case .sameStore(let remote): .fatal("'\(remote)' is this store itself")
    case .unendedQuote(let value, let place):
      .fatal("bad value '\(value)' for 'core.sshCommand' (\(place)): a quote does not end")
    case .noProgram(let program, let remote, let kind):
      .fatal(
        "there is no program '\(program)', which '\(remote)' needs", hints: [Self.hint(kind)])
    case .noThread: .fatal("the system gives no thread")
    case .notFirestore(let remote, let option):
      .fatal(
        "'\(remote)' is not at Firestore, and '\(option)' asks what only Firestore answers",
        hints: ["without it, 'redo ls-remote' compares, which every remote does"])
    case .badHeldBack(let remote, let value):
      .fatal(
        "bad value '\(Escape.text(value))' for 'remote.\(remote).heldBack': it is 'ignore:' and rules or "
          + "ids, divided by commas")
    case .cannotChoose(let remote): .fatal("'\(remote)' cannot choose nodes by task or time")
    case .unsignedRefused(let remote):
      CommandError(.access, "'\(remote)' does not allow nodes that nobody signed")
    case .kindRefused(let remote, let kind):
      CommandError(
        .access, "'\(remote)' exchanges no \(kind)s",
        hints: [
          "on a machine of yours 'redo config serve.kinds \"\(kinds(with: kind))\"' lets it, there"
        ])
    case .badKinds(let key, let value):
      .fatal(
        "bad value '\(Escape.text(value))' for '\(key)': it is some of node, receipt and schema, divided by blanks"
      )
    case .readOnly(let remote): CommandError(.access, "nothing may be pushed to '\(remote)'")
    case .ended(let remote, let error, .exchange(let attempts, let keepsWhatCame)):
      Self.exchange(remote, error, attempts, keepsWhatCame: keepsWhatCame)
    case .ended(let remote, let error, .question(let attempts)):
      Self.question(remote, error, attempts)
    case .ended(let remote, let error, .greeting): Self.greeting(remote, error)
    }
  }

  private static func hint(_ kind: ProgramKind) -> String {
    switch kind {
    case .shell: "'REDO_SSH' and 'core.sshCommand' name another program"
    case .helper: "it is looked for beside 'redo' and on the PATH"
    }
  }

  private static func exchange(
    _ remote: String, _ error: RemoteError, _ attempts: Int, keepsWhatCame: Bool
  ) -> CommandError {
    if case .peer(let fault) = error, fault.code == .denied {
      return CommandError(.access, "'\(remote)' denies access: \(fault.reason)")
    }
    if let changed = changed(remote, error) { return changed }
    guard error.isTransient else { return .fatal("'\(remote)': \(error.description)") }
    return CommandError(
      .temporary, "'\(remote)' cannot be reached\(after(attempts)): \(error.reason)",
      hints: keepsWhatCame ? ["what has come is kept; the same command goes on from there"] : [])
  }

  private static func question(
    _ remote: String, _ error: RemoteError, _ attempts: Int
  ) -> CommandError {
    if case .peer(let fault) = error {
      // The helper is part of this suite, so its message is passed on as our own.
      let text = Escape.text(fault.reason)
      if fault.code == .denied { return CommandError(.access, "'\(remote)': \(text)") }
      if fault.code != .unavailable { return .fatal("'\(remote)': \(text)") }
    }
    guard error.isTransient else { return .fatal("'\(remote)': \(error.description)") }
    return CommandError(
      .temporary, "'\(remote)' cannot be reached\(after(attempts)): \(Escape.text(error.reason))")
  }

  private static func greeting(_ remote: String, _ error: RemoteError) -> CommandError {
    let message = "'\(remote)': \(error.description)"
    if case .peer(let fault) = error, fault.code == .denied {
      return CommandError(.access, message)
    }
    if let changed = changed(remote, error) { return changed }
    return error.isTransient ? CommandError(.temporary, message) : .fatal(message)
  }

  private static func after(_ attempts: Int) -> String {
    attempts > 1 ? " after \(attempts) attempts" : ""
  }

  /// The error when the other side reports that it has changed; `nil` when it does not.
  private static func changed(_ remote: String, _ error: RemoteError) -> CommandError? {
    guard case .peer(let fault) = error, fault.code == .changed else { return nil }
    return CommandError(
      .identity, "'\(remote)' is not what it was: \(fault.reason)",
      hints: [
        "nothing was taken or sent; if that is right, 'redo remote rm \(remote)' forgets what was there"
      ])
  }
}

extension RemoteError {
  /// The reason for people, without details that only programs need.
  var reason: String {
    guard case .peer(let fault) = self else { return description }
    return fault.reason.isEmpty ? fault.code.rawValue : fault.reason
  }
}

extension RemoteIdentityFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .malformedCheckpoint(let remote, let error):
      .fatal("'\(remote)' states a checkpoint that is none: \(error.description)")
    case .foreignCheckpoint(let remote, let store):
      .fatal("'\(remote)' states a checkpoint of another store, '\(store.text)'")
    case .damagedCheckpoint(let remote, let error):
      .fatal("what is remembered of '\(remote)' is damaged: \(error.description)")
    case .damagedID(let path):
      .fatal(
        "'\(path)' is damaged: it is not an id of 32 hex digits",
        hints: [
          "it tells a changed remote; 'redo remote rm' forgets it, 'redo remote check' shows the id"
        ])
    case .changed(let remote, let change):
      CommandError(
        .identity, "'\(remote)' \(change.words)",
        hints: [
          "nothing was taken or sent; if that is right, 'redo remote rm \(remote)' forgets the old one"
        ])
    }
  }
}

extension RemoteIdentityFault.Change {
  fileprivate var words: String {
    switch self {
    case .otherStore(let id, let known):
      "is another store than the one that was met first: its id is "
        + "\(id.map { "'\($0.text)'" } ?? "not stated"), not '\(known.text)'"
    case .noCheckpoint: "states no checkpoint any more"
    case .shrunk(let count, let before):
      "has gone back: its checkpoint counts \(count) changes, and one before it \(before)"
    case .otherHistory(let time): "has another history than its checkpoint of \(time.text) says"
    case .unproven(let time):
      "does not show that its checkpoint continues the one of \(time.text)"
    case .otherRefs(let time): "has other refs than its checkpoint of \(time.text) says"
    }
  }
}

extension ProgramEnd: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    let text = "'\(program)' \(end)"
    return .fatal(
      isMissingThere ? "\(text): there is no 'redo' there, see 'remote.<name>.program'" : text)
  }
}

/// The kinds that are exchanged where nothing is set, and one more.
private func kinds(with kind: ObjectKind) -> String {
  ObjectKind.allCases.filter { [.node, .schema, kind].contains($0) }.map { "\($0)" }
    .joined(separator: " ")
}
