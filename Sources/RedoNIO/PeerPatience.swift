// How long to wait for the other side.
//
// Never longer than the limit at a time; and in all no longer than the limit and the time that its bytes
// are worth, so that a peer that sends a byte now and then is cut off as well.

/// The patience that is left with one peer.
package struct PeerPatience: Sendable {
  /// The bytes that are worth a second.
  package static let bytesPerSecond = 1024

  private let limitSeconds: Double
  private var leftSeconds: Double

  /// Full patience.
  ///
  /// - Parameter limitSeconds: the longest wait.
  package init(limitSeconds: Double) {
    self.limitSeconds = limitSeconds
    leftSeconds = limitSeconds
  }

  /// How long the next wait may be.
  package var seconds: Double { max(0, min(limitSeconds, leftSeconds)) }

  /// Counts a wait.
  ///
  /// - Parameters:
  ///   - seconds: how long it was.
  ///   - bytes: how many bytes have moved since.
  package mutating func count(waitedSeconds seconds: Double, bytes: Int) {
    leftSeconds += Double(bytes) / Double(Self.bytesPerSecond) - seconds
  }

  /// What is said about a peer that did not answer in time.
  package var complaint: String {
    "no answer in time: \(Int(limitSeconds.rounded(.up))) s without enough bytes"
  }
}
