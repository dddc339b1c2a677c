// When to try a remote again. Pure: the caller waits.

/// The attempts to reach a remote: after a problem that may pass, the waits are 2, 4, 8 and 16 seconds.
package struct Retry: Sendable {
  /// The wait before each further attempt, in milliseconds; there is one attempt more than these.
  package static let delays: [Int64] = [2_000, 4_000, 8_000, 16_000]
  /// The longest time that a remote may ask us to wait, in milliseconds; nobody waits longer.
  package static let longestDelay: Int64 = 300_000

  /// The number of the present attempt, from 1.
  package private(set) var attempt = 1
  /// The number of attempts.
  package let limit: Int

  /// Attempts.
  ///
  /// - Parameter repeats: whether there is more than one.
  package init(repeats: Bool = true) {
    limit = repeats ? Self.delays.count + 1 : 1
  }

  /// Moves on to the next attempt, if there is one.
  ///
  /// A remote that asks for a longer time than ours gets it, within limits.
  ///
  /// - Parameter error: what ended the present attempt.
  /// - Returns: how long to wait before the next one, in milliseconds; `nil` when no attempt is left.
  package mutating func next(after error: RemoteError) -> Int64? {
    guard error.isTransient, attempt < limit else { return nil }
    var delay = Self.delays[attempt - 1]
    if case .peer(let fault) = error, let seconds = fault.retryAfterSeconds {
      let asked = seconds * 1_000
      guard asked <= Self.longestDelay else { return nil }
      delay = max(delay, asked)
    }
    attempt += 1
    return delay
  }
}

extension PeerFault {
  private static let retryAfter = "retry-after "

  /// The text of a fault `unavailable` that says when to come again.
  ///
  /// - Parameters:
  ///   - seconds: after how long.
  ///   - text: what it is.
  /// - Returns: the fault.
  package static func unavailable(retryAfterSeconds seconds: Int, _ text: String) -> PeerFault {
    PeerFault(.unavailable, "\(retryAfter)\(max(seconds, 0)): \(text)")
  }

  /// After how many seconds the peer asks to come again; `nil` when it does not say.
  package var retryAfterSeconds: Int64? { parts?.seconds }

  /// The text without the time.
  package var reason: String { parts?.reason ?? text }

  private var parts: (seconds: Int64, reason: String)? {
    guard code == .unavailable, text.hasPrefix(Self.retryAfter) else { return nil }
    let rest = text.utf8.dropFirst(Self.retryAfter.utf8.count)
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    // Ten digits are three hundred years.
    guard (1...10).contains(digits.count), rest.dropFirst(digits.count).starts(with: ": ".utf8),
      let seconds = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return (seconds, String(decoding: rest.dropFirst(digits.count + 2), as: UTF8.self))
  }
}
