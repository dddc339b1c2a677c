// Bytes on their way from an event loop, which never waits, to a thread, which may.
//
// The loop pushes what has come and stops reading from the network while the thread has enough; the
// thread tells it when to continue. So no more is held than the limit and the result of one read from
// the network.

internal import NIOConcurrencyHelpers
package import NIOCore
package import RedoRemote

/// A queue of bytes from an event loop to one thread.
///
/// A class, because both sides hold it; unchecked, because everything is behind the lock.
package final class IncomingBytes: @unchecked Sendable {
  /// How the bytes end.
  private enum End {
    case done
    case failed(RemoteError)
  }

  /// `true` when there is something to read: bytes, or the end.
  private let lock = ConditionLock(value: false)
  private let limit: Int
  private let resume: @Sendable () -> Void
  private var buffer = ByteBuffer()
  private var end: End?
  private var isPaused = false

  /// A queue.
  ///
  /// - Parameters:
  ///   - limit: the number of bytes at which the loop is asked to stop.
  ///   - resume: called by the reading thread when the loop may go on.
  package init(limit: Int, resume: @escaping @Sendable () -> Void) {
    self.limit = limit
    self.resume = resume
  }

  /// Whether the end has come, good or bad.
  package var hasEnded: Bool {
    lock.lock()
    defer { lock.unlock() }
    return end != nil
  }

  /// Whether the end has come in good order, and nothing before it is left to read.
  package var hasEndedEmpty: Bool {
    lock.lock()
    defer { lock.unlock() }
    if case .done = end { return buffer.readableBytes == 0 }
    return false
  }

  /// Takes bytes from the loop; they are dropped after the end.
  ///
  /// - Parameter bytes: the next bytes.
  /// - Returns: `false` when the loop must stop until it is asked to continue.
  package func push(_ bytes: ByteBuffer) -> Bool {
    lock.lock()
    guard end == nil else {
      lock.unlock()
      return true
    }
    var bytes = bytes
    // One piece of memory, however small the parts are that a peer cuts its bytes into.
    buffer.discardReadBytes()
    buffer.writeBuffer(&bytes)
    // Until the thread says so, whatever else was under way.
    if buffer.readableBytes >= limit { isPaused = true }
    let goesOn = !isPaused
    lock.unlock(withValue: buffer.readableBytes > 0)
    return goesOn
  }

  /// Says that all bytes have come.
  package func finish() { end(.done) }

  /// Says that no more come, and why; what has come is still read.
  ///
  /// - Parameter error: why.
  package func fail(_ error: RemoteError) { end(.failed(error)) }

  private func end(_ new: End) {
    lock.lock()
    if end == nil { end = new }
    lock.unlock(withValue: true)
  }

  /// Waits for bytes.
  ///
  /// - Parameters:
  ///   - limit: the most bytes, above 0.
  ///   - seconds: how long to wait.
  /// - Returns: at least one byte; none when all have been read; `nil` when the time is over.
  /// - Throws: why no more come.
  package func read(
    atMost limit: Int, waitingSeconds seconds: Double
  ) throws(RemoteError) -> [UInt8]? {
    guard lock.lock(whenValue: true, timeoutSeconds: max(seconds, 0)) else { return nil }
    if let bytes = buffer.readBytes(length: min(limit, buffer.readableBytes)), !bytes.isEmpty {
      let goesOn = isPaused && buffer.readableBytes <= self.limit / 2
      if goesOn { isPaused = false }
      lock.unlock(withValue: buffer.readableBytes > 0 || end != nil)
      if goesOn { resume() }
      return bytes
    }
    let end = end
    lock.unlock(withValue: end != nil)
    if case .failed(let error) = end { throw error }
    return []
  }
}
