// The clocks of the machine (clock_gettime(2)). Pure code receives times as arguments.

internal import Glibc

/// The clocks of the machine.
package enum SystemClock {
  /// The time of day in milliseconds since 1970, UTC; it may jump.
  package static func wallMilliseconds() -> Int64 {
    let time = read(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The time of day in microseconds since 1970, UTC; it may jump.
  package static func wallMicroseconds() -> Int64 {
    let time = read(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Nanoseconds since some moment in the past; it never goes back.
  package static func monotonicNanoseconds() -> Int64 {
    let time = read(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Waits.
  ///
  /// - Parameter microseconds: how long; a signal may end it early.
  package static func sleep(microseconds: Int64) {
    var time = timespec()
    time.tv_sec = Int(microseconds / 1_000_000)
    time.tv_nsec = Int(microseconds % 1_000_000) * 1_000
    // SAFETY: the call reads the plain struct.
    _ = unsafe nanosleep(&time, nil)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    // SAFETY: the call fills in the plain struct.
    _ = unsafe clock_gettime(clock, &time)
    return time
  }
}
