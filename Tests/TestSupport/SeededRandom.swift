// Random numbers that can be had again: a failing test names its seed, REDO_SEED repeats it.

internal import Foundation

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same everywhere.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator of a fixed sequence.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to below a limit.
  package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// This many random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// True once in this many times.
  package mutating func once(in times: Int) -> Bool { below(times) == 0 }

  /// The seeds of a property test: fixed ones, and that of REDO_SEED or a fresh one, which is printed.
  package static func seeds(_ name: String, fixed: Range<UInt64> = 1..<5) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["REDO_SEED"], let seed = UInt64(text) {
      return Array(fixed) + [seed]
    }
    let fresh = UInt64.random(in: 1_000_000..<1_000_000_000)
    print("\(name): repeat the fresh run with REDO_SEED=\(fresh)")
    return Array(fixed) + [fresh]
  }
}
