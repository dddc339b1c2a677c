// Comparing bytes with names that are known at compile time.

extension Span where Element == UInt8 {
  /// Whether the bytes are exactly those of a literal.
  @inline(__always)
  package func elementsEqual(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // SAFETY: a literal's bytes are there for ever; the index stays below both counts.
    let letters = unsafe text.utf8Start
    for index in 0..<count where unsafe self[unchecked: index] != letters[index] { return false }
    return true
  }
}
