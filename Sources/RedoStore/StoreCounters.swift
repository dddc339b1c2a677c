// How much was read and written, for traces.

internal import Synchronization

/// Counts objects and the bytes of their files.
///
/// A class, because all threads of a command count into the same numbers.
package final class StoreCounters: Sendable {
  private let objectsRead = Atomic<Int>(0)
  private let bytesRead = Atomic<Int>(0)
  private let objectsWritten = Atomic<Int>(0)
  private let bytesWritten = Atomic<Int>(0)

  /// Numbers at a moment.
  package struct Totals: Equatable, Sendable {
    /// Objects whose bytes were read and found to have their name.
    package let objectsRead: Int
    /// The bytes of their files.
    package let bytesRead: Int
    /// Objects whose bytes were written, under their names or still under temporary ones.
    package let objectsWritten: Int
    /// The bytes of their files.
    package let bytesWritten: Int
  }

  /// Counters at 0.
  package init() {}

  /// The numbers now.
  package var totals: Totals {
    Totals(
      objectsRead: objectsRead.load(ordering: .relaxed),
      bytesRead: bytesRead.load(ordering: .relaxed),
      objectsWritten: objectsWritten.load(ordering: .relaxed),
      bytesWritten: bytesWritten.load(ordering: .relaxed))
  }

  func countRead(_ bytes: Int) {
    objectsRead.add(1, ordering: .relaxed)
    bytesRead.add(bytes, ordering: .relaxed)
  }

  func countWrite(_ bytes: Int) {
    objectsWritten.add(1, ordering: .relaxed)
    bytesWritten.add(bytes, ordering: .relaxed)
  }
}
