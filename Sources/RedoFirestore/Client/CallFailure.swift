// Why a request failed, and the fault that the side at the pipe gets: the code of the protocol's documents,
// the fault, and what to do.

internal import CanonicalJSON
package import FirestoreModel
package import RedoRemote

extension RemoteError {
  /// The same as a problem of our own side, reported to the side at the pipe.
  package var own: RemoteError {
    if case .peer(let fault) = self { .refused(fault) } else { self }
  }
}

/// Why a request came to nothing.
package enum CallFailure: Error {
  /// The service says so.
  case status(FirestoreError, retryAfterSeconds: Int?)
  /// The answer has more bytes than the limit.
  case tooLarge
  /// There was no answer, or none that can be understood.
  case transport(RemoteError)

  /// What the service says; `nil` when the answer is not from the service.
  package var status: FirestoreStatus? {
    if case .status(let error, _) = self { error.status } else { nil }
  }

  /// The meaning of an answer other than 200: its body decides if it is one of the service.
  ///
  /// - Parameters:
  ///   - status: the status of the answer.
  ///   - body: its body.
  ///   - location: where it redirects to.
  ///   - retryAfterSeconds: after how long to ask again.
  init(status: Int, _ body: [UInt8], location: String?, retryAfterSeconds: Int?) {
    if let answer = try? MessageText(body), let error = FirestoreError(answer.root) {
      self = .status(error, retryAfterSeconds: retryAfterSeconds)
      return
    }
    if (300..<400).contains(status) {
      let place = location.map { " to '\(String($0.unicodeScalars.prefix(120)))'" } ?? ""
      self = .transport(
        .refused(
          PeerFault(
            .stopped,
            "FIREBASE_002: status \(status): the service is redirected\(place), which is not "
              + "followed; the setting 'endpoint' says where it is")))
      return
    }
    let known: FirestoreStatus? =
      switch status {
      case 401: .unauthenticated
      case 403: .permissionDenied
      case 408, 425, 500, 502, 503, 504: .unavailable
      case 429: .resourceExhausted
      default: nil
      }
    if let known {
      self = .status(
        FirestoreError(known, "status \(status)"), retryAfterSeconds: retryAfterSeconds)
    } else {
      self = .transport(
        .refused(
          PeerFault(
            .stopped,
            "FIREBASE_002: status \(status), and no answer of Firestore; the setting 'endpoint' "
              + "says where it is")))
    }
  }

  /// The fault that the side at the pipe gets.
  ///
  /// - Parameters:
  ///   - what: what was asked, as in "the list of nodes".
  ///   - account: the account of the request.
  /// - Returns: the fault.
  package func told(_ what: String, by account: OAuthID) -> RemoteError {
    switch self {
    case .transport(let error): return error
    case .tooLarge:
      return .refused(
        PeerFault(.limit, "FIREBASE_002: \(what): the answer is larger than is taken"))
    case .status(let error, let field):
      let seconds = field ?? error.retryDelaySeconds.map { Int(min($0, 3600).rounded(.up)) }
      let said = "\(error.status.name): \(Self.shown(error.message))"
      switch error.status {
      case .unauthenticated:
        return Self.fault(
          .denied,
          "FIREBASE_001: \(what): the token is not accepted (\(said)); get a new one, and see "
            + "'tokenFile', 'tokenCommand' and 'credentialsFile' in redo-config(1)")
      case .permissionDenied:
        return Self.fault(
          .denied,
          "FIREBASE_001: \(what): the account '\(account.text)' may not do that (\(said)); see the "
            + "setting 'account' and the security rules")
      case .failedPrecondition, .invalidArgument, .outOfRange, .unimplemented, .notFound:
        let hint =
          error.status == .failedPrecondition
          ? "; 'firestore.indexes.json' declares the indexes, and 'listing = owned' needs none"
          : "; see the URL of the remote"
        return Self.fault(.stopped, "FIREBASE_003: \(what) is refused (\(said))\(hint)")
      default:
        let text = "FIREBASE_002: \(what): \(said)"
        guard error.status.isTransient else { return Self.fault(.stopped, text) }
        return .refused(
          seconds.map { .unavailable(retryAfterSeconds: $0, text) }
            ?? PeerFault(.unavailable, text))
      }
    }
  }

  private static func fault(_ code: PeerFault.Code, _ text: String) -> RemoteError {
    .refused(PeerFault(code, text))
  }

  /// The beginning of a text of the service, in one line.
  private static func shown(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return String(line.unicodeScalars.prefix(300))
  }
}
