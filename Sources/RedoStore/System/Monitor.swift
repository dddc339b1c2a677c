// A value that threads share, and whose changes they wait for (pthread_cond_wait(3)).

internal import Glibc

/// A value behind a lock, with a way to wait until it is as wanted.
///
/// A class, because threads share it. Unchecked: only the owner of the lock touches the value.
@safe
final class Monitor<Value>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: Value) {
    self.value = value
    // SAFETY: both are initialized where they stay until `deinit`, which nobody who could use them outlives.
    unsafe lock = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    let isMade = unsafe pthread_mutex_init(lock, nil) == 0 && pthread_cond_init(changed, nil) == 0
    precondition(isMade, "BUG: Linux has no reason to refuse a lock")
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(lock)
    unsafe changed.deallocate()
    unsafe lock.deallocate()
  }

  /// Changes the value, or looks at it; waiting threads look again.
  ///
  /// - Parameter body: what is done; it must not use the monitor.
  /// - Returns: what it returns.
  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    wait { .some(body(&$0)) }
  }

  /// Waits until something can be done.
  ///
  /// - Parameter body: tries it, now and after each change, and returns `nil` to wait for the next one; it
  ///   must not use the monitor.
  /// - Returns: what it returned at last.
  func wait<Result>(_ body: (inout Value) -> Result?) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while true {
      if let result = body(&value) {
        unsafe pthread_cond_broadcast(changed)
        return result
      }
      unsafe pthread_cond_wait(changed, lock)
    }
  }
}
