// Work beside its maker, whose result is waited for: what comes next is made while what came last is used.

internal import Synchronization

/// A value that a thread of its own makes.
///
/// A class, because it is waited for once, whoever holds it; dropping it waits, too.
package final class Ahead<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private let box: Box
  /// Makes the value where there is no thread.
  private let body: (@Sendable () -> Value)?
  private let thread: Threads.Started?

  /// Begins to make a value; where the system gives no thread, it is made when it is asked for.
  ///
  /// - Parameter body: makes it.
  package init(_ body: @escaping @Sendable () -> Value) {
    let box = Box()
    self.box = box
    thread = Threads.start {
      let value = body()
      box.value.withLock { $0 = value }
    }
    // The thread alone holds on to what it works with.
    self.body = thread == nil ? body : nil
  }

  /// Waits for the value; to be asked for once.
  package func value() -> Value {
    thread?.join()
    guard let value = box.value.withLock({ $0.take() }) ?? body?() else {
      preconditionFailure("BUG: a value is asked for twice")
    }
    return value
  }
}
