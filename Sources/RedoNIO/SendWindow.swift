// How much of what a thread writes may be under way: it waits until the network has taken enough.

internal import NIOConcurrencyHelpers

/// Room for bytes that are being sent.
///
/// A class, because a thread and an event loop hold it; unchecked, because everything is behind the lock.
package final class SendWindow: @unchecked Sendable {
  /// What came of waiting for room.
  package enum Answer: Sendable {
    /// There is room; the bytes count from now on.
    case room
    /// Nothing can be sent any more.
    case stopped
    /// The time is over.
    case late
  }

  /// `true` while a thread need not wait: there is room, or nothing can be sent any more.
  private let lock = ConditionLock(value: true)
  private let limit: Int
  private var count = 0
  private var isStopped = false

  /// A window.
  ///
  /// - Parameter limit: with how many bytes under way a thread waits.
  package init(limit: Int) { self.limit = limit }

  /// Whether nothing can be sent any more.
  package var hasStopped: Bool {
    lock.lock()
    defer { lock.unlock() }
    return isStopped
  }

  /// Waits until there is room, and takes it.
  ///
  /// - Parameters:
  ///   - bytes: how many bytes are to be sent.
  ///   - seconds: how long to wait.
  /// - Returns: whether to send them.
  package func open(for bytes: Int, waitingSeconds seconds: Double) -> Answer {
    guard lock.lock(whenValue: true, timeoutSeconds: max(seconds, 0)) else { return .late }
    guard !isStopped else {
      lock.unlock()
      return .stopped
    }
    count += bytes
    lock.unlock(withValue: count < limit)
    return .room
  }

  /// Says that bytes have been sent.
  ///
  /// - Parameter bytes: how many.
  package func sent(_ bytes: Int) {
    lock.lock()
    count -= bytes
    lock.unlock(withValue: count < limit || isStopped)
  }

  /// Notes that nothing can be sent any more; a waiting thread continues at once.
  package func stop() {
    lock.lock()
    isStopped = true
    lock.unlock(withValue: true)
  }
}
