// What keeps a remote from being found, reached or talked to.

package import RedoObject
package import RedoRemote
internal import RedoStore

/// The errors of work with a remote.
package enum RemoteFault: Fault {
  /// No remote has the name; the existing ones.
  case absent(name: String, known: [String])
  /// A text is not the location of a remote.
  case malformedURL(text: String, RemoteURL.Fault)
  /// Nothing is at the location of the remote.
  case notThere(remote: String)
  /// The remote is a file, and nothing can be pushed to files.
  case fileIsReadOnly(remote: String)
  /// The location holds neither a store nor a bundle.
  case neitherStoreNorBundle(remote: String)
  /// A directory has no store in it.
  case noStore(directory: String)
  /// The remote is the store that talks to it.
  case sameStore(remote: String)
  /// The setting `core.sshCommand` is not a command line; where it was set.
  case unendedQuote(value: String, place: String)
  /// The program that the remote needs is not found.
  case noProgram(String, remote: String, ProgramKind)
  /// The system gives no thread for the other side.
  case noThread
  /// An option needs an answer that only a remote at Firestore gives.
  case notFirestore(remote: String, option: String)
  /// The remote cannot choose nodes.
  case cannotChoose(remote: String)
  /// The setting `heldBack` of a remote is malformed.
  case badHeldBack(remote: String, value: String)
  /// The remote refuses to exchange nodes without a signature.
  case unsignedRefused(remote: String)
  /// The remote does not exchange objects of a kind.
  case kindRefused(remote: String, ObjectKind)
  /// The setting `kinds` of a remote, or of a server, is malformed; its key.
  case badKinds(key: String, value: String)
  /// Nothing may be pushed to the remote.
  case readOnly(remote: String)
  /// The talk with the remote ended early.
  case ended(remote: String, RemoteError, RemoteTalk)

  /// The purpose of a program.
  package enum ProgramKind: Hashable, Sendable {
    /// It reaches other machines, as ssh(1) does.
    case shell
    /// It speaks for a kind of remotes.
    case helper
  }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .absent, .notThere, .noStore, .noProgram: .missing
    case .malformedURL, .unendedQuote, .badHeldBack, .badKinds: .malformed
    case .fileIsReadOnly, .sameStore: .refused
    case .neitherStoreNorBundle: .invalid
    case .noThread: .system
    case .notFirestore, .cannotChoose: .unsupported
    case .unsignedRefused, .readOnly, .kindRefused: .denied
    case .ended(_, let error, let talk): Self.code(error, talk)
    }
  }

  private static func code(_ error: RemoteError, _ talk: RemoteTalk) -> RedoError.Code {
    if case .peer(let fault) = error {
      if fault.code == .denied { return .denied }
      if fault.code == .changed, !talk.isQuestion { return .identity }
    }
    return error.isTransient ? .unavailable : RedoError(error).code
  }

  /// The name of the remote, or the text that was written.
  package var subject: String? {
    switch self {
    case .absent(let name, _): name
    case .malformedURL(let text, _): text
    case .notThere(let remote), .fileIsReadOnly(let remote), .neitherStoreNorBundle(let remote),
      .sameStore(let remote), .noProgram(_, let remote, _), .notFirestore(let remote, _),
      .badHeldBack(let remote, _), .cannotChoose(let remote), .unsignedRefused(let remote),
      .readOnly(let remote), .kindRefused(let remote, _), .ended(let remote, _, _):
      remote
    case .badKinds(let key, _): key
    case .noStore(let directory): directory
    case .unendedQuote: "core.sshCommand"
    case .noThread: nil
    }
  }
}

/// The kind of talk with a remote that ended.
package enum RemoteTalk: Hashable, Sendable {
  /// An exchange of nodes: how often it was tried, and whether the nodes that arrived are kept.
  case exchange(attempts: Int, keepsWhatCame: Bool)
  /// A question to a database: how often it was tried.
  case question(attempts: Int)
  /// A greeting and a comparison, once.
  case greeting

  /// Whether a helper has answered for a database.
  var isQuestion: Bool { if case .question = self { true } else { false } }
}
