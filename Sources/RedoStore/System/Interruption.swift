// The end of work that a signal stops (signal(7)): not a failure, so nothing is reported.

/// A signal has come, and the work has ended before it was done.
package struct Interruption: Error, Hashable, Sendable {
  /// The number of the signal.
  package let signal: Int32

  /// The end by a signal.
  package init(signal: Int32) { self.signal = signal }
}
