// How much of DAG-CBOR is taken.

/// The limits of what is read.
package struct CBORProfile: Sendable {
  /// The deepest nesting of maps and arrays; the outermost is 1.
  package var depthLimit: Int
  /// Whether integers beyond 64 bits with a sign are taken, as far as CBOR has them.
  package var takesLargeIntegers: Bool
  /// Whether links to other content than raw bytes and DAG-CBOR under SHA-256 are taken.
  package var takesOtherLinks: Bool
  /// Whether a zero may have a sign.
  package var takesNegativeZero: Bool

  /// What receipts are written in (receipts, section 1.2).
  package static let strict = CBORProfile(
    depthLimit: 32, takesLargeIntegers: false, takesOtherLinks: false, takesNegativeZero: false)
  /// All that IPLD calls DAG-CBOR.
  package static let ipld = CBORProfile(
    depthLimit: 1024, takesLargeIntegers: true, takesOtherLinks: true, takesNegativeZero: true)
}
