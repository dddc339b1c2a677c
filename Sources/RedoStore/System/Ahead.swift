// Work that runs beside its creator until its result is needed: the next thing is made while the last one is used.

internal import Synchronization

/// A value that a separate thread makes.
///
/// A class, because it is joined once, whoever holds it; dropping it waits, too.
package final class Ahead<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private let box: Box
  /// Makes the value if there is no thread.
  private let body: (@Sendable () -> Value)?
  private let thread: Threads.Started?

  /// Begins to make a value; if the system has no thread to give, it is made when it is needed.
  ///
  /// - Parameter body: makes it.
  package init(_ body: @escaping @Sendable () -> Value) {
    let box = Box()
    self.box = box
    thread = Threads.start {
      let value = body()
      box.value.withLock { $0 = value }
    }
    // Only the thread holds on to what it works with.
    self.body = thread == nil ? body : nil
  }

  /// Whether nobody need wait for the value, unless it is only made when it is needed.
  package var isMade: Bool { thread == nil || box.value.withLock { $0 != nil } }

  /// Waits for the value; to be asked for once.
  package func value() -> Value {
    thread?.join()
    guard let value = box.value.withLock({ $0.take() }) ?? body?() else {
      preconditionFailure("BUG: a value is asked for twice")
    }
    return value
  }
}
