// Bytes in both directions over two descriptors (pipe(7), poll(2)): what comes while bytes go out is
// read, so that two sides that both write never wait for each other for ever.

internal import CLinux
internal import Glibc

/// Why bytes could not go through.
package enum StreamError: Error, Hashable, Sendable {
  /// Nobody reads any more.
  case closed
  /// A call did not succeed.
  case system(SystemError)
  /// A signal has come.
  case interrupted
  /// The other side has neither sent nor taken a byte for that long.
  case silent(seconds: Int)
  /// The other side sends what nobody expects.
  case flooded
}

extension StreamError: CustomStringConvertible {
  /// One line for people, without the name of the other side.
  package var description: String {
    switch self {
    case .closed: "the other side has closed the connection"
    case .system(let error): error.description
    case .interrupted: "a signal has come"
    case .silent(let seconds): "nothing was heard for \(seconds) seconds"
    case .flooded: "the other side sends while it is not its turn"
    }
  }
}

/// One end of a connection.
///
/// A class, because its holders share one place in the bytes. Unchecked: each end belongs to one thread at
/// a time.
package final class TwoWayStream: @unchecked Sendable {
  /// How long to wait for bytes.
  package struct Patience: Sendable {
    /// How long the other side may be silent; `nil` for any time.
    package let seconds: Int?
    /// Whether a signal has come.
    package let isInterrupted: @Sendable () -> Bool

    /// How long to wait for bytes.
    ///
    /// - Parameters:
    ///   - seconds: how long the other side may be silent; `nil` for any time.
    ///   - isInterrupted: asked now and then.
    package init(seconds: Int? = nil, isInterrupted: @escaping @Sendable () -> Bool = { false }) {
      self.seconds = seconds
      self.isInterrupted = isInterrupted
    }
  }

  /// How long a signal that comes right before the kernel waits is left unnoticed, in milliseconds.
  private static let noticeMilliseconds: Int32 = 100
  /// What may come while it is our turn to write: the last word of a side that gives up.
  private static let earlyLimit = 65_536
  /// A write of this many bytes never waits when poll(2) says that there is room (PIPE_BUF of pipe(7)).
  private static let writeBytes = 4096

  private var input: Int32
  private var output: Int32
  private let isOwned: Bool
  private let patience: Patience
  /// What came while bytes went out.
  private var early: [UInt8] = []
  private var hasEnded = false

  /// Takes over descriptors.
  ///
  /// - Parameters:
  ///   - input: what is read from.
  ///   - output: what is written to.
  ///   - isOwned: whether they are ours alone, to be closed in the end.
  ///   - patience: how long to wait for bytes.
  package init(input: Int32, output: Int32, isOwned: Bool, patience: Patience) {
    self.input = input
    self.output = output
    self.isOwned = isOwned
    self.patience = patience
    guard isOwned else { return }
    // Their other ends are other open files, which stay as they are.
    for descriptor in [input, output] {
      _ = linux_set_flags(descriptor, linux_get_flags(descriptor) | O_NONBLOCK)
    }
  }

  deinit { close() }

  /// Ends both directions; doing so again has no effect.
  package func close() {
    endOutput()
    guard input >= 0 else { return }
    if isOwned { _ = Glibc.close(input) }
    input = -1
  }

  /// Tells the other side that nothing more comes; what it sends can still be read.
  package func endOutput() {
    guard output >= 0 else { return }
    if isOwned { _ = Glibc.close(output) }
    output = -1
  }

  /// Waits for bytes and reads them.
  ///
  /// - Parameter limit: the most bytes, above 0.
  /// - Returns: at least one; none when the other side has ended.
  /// - Throws: `interrupted`, `silent`, `system`.
  package func read(atMost limit: Int) throws(StreamError) -> [UInt8] {
    if !early.isEmpty {
      let bytes = Array(early.prefix(limit))
      early.removeFirst(bytes.count)
      return bytes
    }
    let start = SystemClock.monotonicNanoseconds()
    while !hasEnded, input >= 0 {
      let ready = try wait(reading: true, writing: false, since: start)
      if ready.canRead, let bytes = try take(atMost: limit) { return bytes }
    }
    return []
  }

  /// Writes all of some bytes.
  ///
  /// - Parameter bytes: in any number.
  /// - Throws: `closed`, `interrupted`, `silent`, `flooded`, `system`.
  package func write(_ bytes: [UInt8]) throws(StreamError) {
    var done = 0
    var last = SystemClock.monotonicNanoseconds()
    while done < bytes.count {
      guard output >= 0 else { throw .closed }
      let ready = try wait(reading: !hasEnded && input >= 0, writing: true, since: last)
      if ready.canRead, let more = try take(atMost: Self.earlyLimit) {
        early += more
        guard early.count <= Self.earlyLimit else { throw .flooded }
      }
      guard ready.canWrite else { continue }
      let count = try put(bytes, from: done)
      if count > 0 { last = SystemClock.monotonicNanoseconds() }
      done += count
    }
  }

  /// Reads what is there.
  ///
  /// - Returns: `nil` when there is nothing to read after all; empty at the end.
  private func take(atMost limit: Int) throws(StreamError) -> [UInt8]? {
    var got = 0
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: limit) { space in
      // SAFETY: the call writes at most the buffer's free bytes, and the count it answers is the
      // number of bytes it has initialized.
      unsafe space.withUnsafeMutableBufferPointer { buffer, count in
        got = retryingInterrupted { unsafe Glibc.read(input, buffer.baseAddress, limit) }
        if got > 0 { count = got }
      }
    }
    if got == 0 { hasEnded = true }
    // A standard input that the caller has closed is one that has ended.
    if got < 0, errno == EBADF, !isOwned {
      hasEnded = true
      return []
    }
    if got < 0, errno == EAGAIN { return nil }
    // A socket tells in this way of a side that has gone.
    if got < 0, errno == ECONNRESET { throw .closed }
    guard got >= 0 else { throw .system(.last("read from", "the connection")) }
    return bytes
  }

  /// Writes what there is room for.
  private func put(_ bytes: [UInt8], from start: Int) throws(StreamError) -> Int {
    let count = isOwned ? bytes.count - start : min(bytes.count - start, Self.writeBytes)
    // SAFETY: the call reads bytes of the array from `start` on, no more than there are.
    let put = unsafe bytes.withUnsafeBufferPointer { buffer in
      retryingInterrupted {
        unsafe Glibc.write(output, buffer.baseAddress.map { unsafe $0 + start }, count)
      }
    }
    if put >= 0 { return put }
    switch errno {
    case EAGAIN: return 0
    case EPIPE, ECONNRESET: throw .closed
    default: throw .system(.last("write to", "the connection"))
    }
  }

  /// Waits until something can be read or written.
  private func wait(
    reading: Bool, writing: Bool, since start: Int64
  ) throws(StreamError) -> (canRead: Bool, canWrite: Bool) {
    if patience.isInterrupted() { throw .interrupted }
    // poll(2) passes over negative numbers.
    var requests = [
      pollfd(fd: reading ? input : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: writing ? output : -1, events: Int16(POLLOUT), revents: 0),
    ]
    // SAFETY: two plain structs, for the length of the call.
    let count = unsafe poll(&requests, 2, Self.noticeMilliseconds)
    // If it cannot be polled, the call itself reports that.
    if count < 0, errno != EINTR { return (reading, writing) }
    if count <= 0, let seconds = patience.seconds {
      let waited = (SystemClock.monotonicNanoseconds() - start) / 1_000_000_000
      if waited >= Int64(seconds) { throw .silent(seconds: seconds) }
    }
    return (requests[0].revents != 0, requests[1].revents != 0)
  }
}

extension TwoWayStream {
  /// Two ends that are connected with each other, for two threads.
  ///
  /// - Parameter patience: how long to wait for bytes, at both ends.
  /// - Returns: both ends.
  /// - Throws: what pipe2(2) answered.
  package static func pair(
    _ patience: Patience
  ) throws(SystemError) -> (TwoWayStream, TwoWayStream) {
    let up = try pipe()
    let down: (reading: Int32, writing: Int32)
    do throws(SystemError) { down = try pipe() } catch {
      for end in [up.reading, up.writing] { _ = Glibc.close(end) }
      throw error
    }
    return (
      TwoWayStream(
        input: down.reading, output: up.writing, isOwned: true, patience: patience),
      TwoWayStream(
        input: up.reading, output: down.writing, isOwned: true, patience: patience)
    )
  }

  /// A new pipe, which no other program inherits.
  static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the call fills in both numbers of the array.
    guard unsafe linux_pipe(&ends, O_CLOEXEC) == 0 else { throw .last("make a pipe", "") }
    return (ends[0], ends[1])
  }
}
