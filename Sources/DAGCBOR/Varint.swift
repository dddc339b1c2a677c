// Unsigned varints (multiformats): seven bits a byte from the least, in the fewest bytes.

/// Unsigned varints.
package enum Varint {
  /// The most bytes of one.
  package static let byteLimit = 9

  /// Reads one.
  ///
  /// - Parameters:
  ///   - bytes: where it stands.
  ///   - index: where it begins; afterwards what follows it.
  /// - Returns: `nil` when it ends too early, has more than 63 bits or is longer than it has to be; the index is untouched then.
  package static func read(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt64? {
    var value: UInt64 = 0
    var place = index
    for shift in stride(from: UInt64(0), to: UInt64(7 * byteLimit), by: 7) {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << shift
      guard byte < 0x80 else { continue }
      if byte == 0, shift > 0 { return nil }
      index = place
      return value
    }
    return nil
  }

  /// Appends one.
  package static func append(_ value: UInt64, to output: inout [UInt8]) {
    var rest = value
    while rest > 0x7F {
      output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    output.append(UInt8(rest))
  }
}
