// The log leaves by a thread of its own: whoever reads it may be slow, or gone, and nobody waits for that.

internal import NIOConcurrencyHelpers
package import RedoStore

/// Writes lines, in their order; those for which there is no room are dropped and counted.
///
/// A class, because all connections write; everything is behind the lock.
package final class LogWriter: @unchecked Sendable {
  /// How many bytes may wait.
  private static let byteLimit = 1 << 20

  /// `true` when the thread has something to do.
  private let lock = ConditionLock(value: false)
  private let open: @Sendable () throws(SystemError) -> File
  private let dropped: @Sendable (Int) -> [UInt8]
  private let unopened: @Sendable (SystemError) -> [UInt8]
  /// What is written to; the thread's alone.
  private var file: File
  private var waiting: [UInt8] = []
  private var dropCount = 0
  private var allDropCount = 0
  private var isToReopen = false
  private var isWriting = false

  /// A log.
  ///
  /// - Parameters:
  ///   - dropped: the line that says how many lines are missing before it.
  ///   - unopened: the line that says why it cannot be opened anew; it goes to where lines have gone so far, as all others do then.
  ///   - open: opens what is written to; called again to reopen it, on the thread of the log.
  /// - Throws: why it cannot be opened the first time.
  package init(
    dropped: @escaping @Sendable (Int) -> [UInt8],
    unopened: @escaping @Sendable (SystemError) -> [UInt8],
    _ open: @escaping @Sendable () throws(SystemError) -> File
  ) throws(SystemError) {
    self.open = open
    self.dropped = dropped
    self.unopened = unopened
    file = try open()
    // It ends with the process: a write that never returns cannot be waited for.
    Threads.start { [self] in work() }?.detach()
  }

  /// How many lines were dropped.
  package var droppedCount: Int {
    lock.lock()
    defer { lock.unlock() }
    return allDropCount
  }

  /// Takes a line; never waits for the reader.
  package func write(_ line: [UInt8]) {
    lock.lock()
    if waiting.count + line.count > Self.byteLimit {
      dropCount += 1
      allDropCount += 1
    } else {
      if dropCount > 0 { waiting += dropped(dropCount) }
      dropCount = 0
      waiting += line
    }
    lock.unlock(withValue: true)
  }

  /// From now on lines go to what is opened anew: the file was renamed.
  package func reopen() {
    lock.lock()
    isToReopen = true
    lock.unlock(withValue: true)
  }

  /// Waits until all lines have left, or the time is over.
  package func finish(seconds: Double) {
    let end = SystemClock.monotonicNanoseconds() + Int64(seconds * 1e9)
    while SystemClock.monotonicNanoseconds() < end {
      lock.lock()
      let isDone = waiting.isEmpty && !isWriting
      lock.unlock()
      if isDone { return }
      SystemClock.sleep(microseconds: 5_000)
    }
  }

  private func work() {
    var isTorn = false
    while true {
      lock.lock(whenValue: true)
      var bytes = waiting
      let opensAnew = isToReopen
      waiting = []
      isToReopen = false
      isWriting = true
      lock.unlock(withValue: false)
      if opensAnew {
        do throws(SystemError) { file = try open() } catch { bytes += unopened(error) }
      }
      // What is left of a line that did not leave whole must not run into the next one.
      let hasLeft = (try? file.writeAll((isTorn ? [UInt8(ascii: "\n")] : []) + bytes)) != nil
      isTorn = !hasLeft
      lock.lock()
      isWriting = false
      if !hasLeft {
        // The disk is full, or the reader has gone.
        let count = bytes.count { $0 == UInt8(ascii: "\n") }
        dropCount += count
        allDropCount += count
      }
      lock.unlock(withValue: !waiting.isEmpty || isToReopen)
    }
  }
}
