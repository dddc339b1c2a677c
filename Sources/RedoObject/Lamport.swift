// The logical clock of a node (protocol, section 1).

/// A Lamport time: 1 to 2^48.
package struct Lamport: Hashable, Comparable, Sendable {
  /// The greatest Lamport time.
  package static let limit: UInt64 = 1 << 48
  /// How far a node may be above its parents when it travels (profile `sync`).
  package static let jumpLimit: UInt64 = 1_000_000

  /// The first one, of what follows nothing.
  package static let first = Lamport(value: 1)
  /// The number.
  package let value: UInt64

  private init(value: UInt64) { self.value = value }

  /// A Lamport time; `nil` for a number outside of 1 to 2^48.
  package init?(_ value: UInt64) {
    guard value >= 1, value <= Self.limit else { return nil }
    self.value = value
  }

  @inlinable
  package static func < (left: Lamport, right: Lamport) -> Bool { left.value < right.value }
}
