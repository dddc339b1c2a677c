// What to report when there is no token: the code of the protocol's documents, the fault, and what to do.

internal import RedoRemote

/// Faults of tokens.
enum TokenFault {
  /// There is no token, and another try would not help.
  ///
  /// - Parameter text: the fault and what to do; never a secret.
  /// - Returns: an error that ends a command with 77.
  static func denied(_ text: String) -> RemoteError {
    .peer(PeerFault(.denied, "FIREBASE_001: \(text)"))
  }

  /// There is no token at the moment.
  ///
  /// - Parameters:
  ///   - seconds: after how long to ask again, if the endpoint said so.
  ///   - text: the fault.
  /// - Returns: an error that ends a command with 75, after its attempts.
  static func unavailable(after seconds: Int? = nil, _ text: String) -> RemoteError {
    let text = "FIREBASE_002: \(text)"
    return .peer(
      seconds.map { .unavailable(retryAfterSeconds: $0, text) } ?? PeerFault(.unavailable, text))
  }
}
