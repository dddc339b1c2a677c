// Lower-case hexadecimal, by ASCII byte loops: the only form the protocol accepts.

/// Lower-case hexadecimal of fixed and free lengths.
@usableFromInline
package enum Hex {
  /// The digit for a value of 0 to 15.
  @inlinable @inline(__always)
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// The value of one lower-case hex digit, or 0xFF.
  @inlinable @inline(__always)
  package static func value(_ digit: UInt8) -> UInt8 {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
    default: 0xFF
    }
  }

  /// Reads hex digits into bytes, sixteen digits at a time, without a branch on their values.
  ///
  /// Not generic over the count: the compiler would build the array's type at run time, for each
  /// node anew.
  ///
  /// - Parameters:
  ///   - text: ASCII, exactly twice as many bytes as the result.
  ///   - output: receives the bytes.
  /// - Returns: whether the text had the right count and lower-case hex digits only.
  package static func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
    guard text.count == 2 * output.count else { return false }
    let digits = unsafe text.bytes
    var bytes = unsafe output.mutableBytes
    var wrong = SIMD16<UInt8>(repeating: 0)
    let whole = bytes.byteCount & ~7
    for start in stride(from: 0, to: whole, by: 8) {
      // SAFETY: the load is bounds-checked, and every bit pattern is a row of bytes.
      let (values, errors) = Self.values(
        unsafe digits.unsafeLoadUnaligned(fromByteOffset: 2 * start, as: SIMD16<UInt8>.self))
      wrong |= errors
      bytes.storeBytes(
        of: values.evenHalf &<< 4 | values.oddHalf, toByteOffset: start, as: SIMD8<UInt8>.self)
    }
    if whole < output.count {
      var row = SIMD16(repeating: UInt8(ascii: "0"))
      for index in 2 * whole..<text.count { row[index - 2 * whole] = text[index] }
      let (values, errors) = Self.values(row)
      wrong |= errors
      for index in whole..<output.count {
        output[index] = values[2 * (index - whole)] &<< 4 | values[2 * (index - whole) + 1]
      }
    }
    return wrong == SIMD16(repeating: 0)
  }

  /// The values of sixteen hex digits, and a row that is 0 when all of them are digits.
  @inline(__always)
  private static func values(
    _ digits: SIMD16<UInt8>
  ) -> (values: SIMD16<UInt8>, errors: SIMD16<UInt8>) {
    // a to f are 61 to 66, 0 to 9 are 30 to 39: bit 6 says which, and is worth 9 in the low digit.
    let isLetter = (digits &>> 6) & 1
    let letters = SIMD16(repeating: 0) &- isLetter
    let values = (digits & 0x0F) &+ (letters & 9)
    // A letter must mean 10 to 15, a digit 0 to 9, and writing the value must give the digit back.
    let isAboveNine = ((values &+ 6) &>> 4) & 1
    let written = values &+ 0x30 &+ (letters & 0x27)
    return (values, (isAboveNine ^ isLetter) | (values & 0x10) | (written ^ digits))
  }

  /// 16 bytes from 32 digits.
  package static func decode16(_ text: Span<UInt8>) -> InlineArray<16, UInt8>? {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    return decode(text, into: &span) ? bytes : nil
  }

  /// 32 bytes from 64 digits.
  package static func decode32(_ text: Span<UInt8>) -> InlineArray<32, UInt8>? {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    return decode(text, into: &span) ? bytes : nil
  }

  /// 64 bytes from 128 digits.
  package static func decode64(_ text: Span<UInt8>) -> InlineArray<64, UInt8>? {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    return decode(text, into: &span) ? bytes : nil
  }

  /// Appends the hex digits of some bytes.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - output: receives two ASCII bytes for each byte.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    let count = 2 * bytes.count
    // Growing by half at least, so that repeated calls stay cheap.
    if output.capacity - output.count < count {
      output.reserveCapacity(max(output.count + count, output.capacity * 3 / 2))
    }
    output.append(addingCapacity: count) { digits in
      // SAFETY: the buffer has room for twice as many bytes as are read, and each of these gives two.
      unsafe digits.withUnsafeMutableBufferPointer { buffer, filled in
        guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
        let raw = unsafe bytes.bytes
        var index = 0
        while index + 4 <= bytes.count {
          // SAFETY: the load is bounds-checked, and every pattern of bits is a number.
          let four = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)
          var word = UInt64(four.littleEndian)
          word = (word | word << 16) & 0x0000_FFFF_0000_FFFF
          word = (word | word << 8) & 0x00FF_00FF_00FF_00FF
          unsafe start.storeBytes(
            of: Self.digits(ofSpread: word).littleEndian, toByteOffset: 2 * index, as: UInt64.self)
          index += 4
        }
        while index < bytes.count {
          unsafe buffer[2 * index] = digit(bytes[index] >> 4)
          unsafe buffer[2 * index + 1] = digit(bytes[index] & 0x0F)
          index += 1
        }
        filled = count
      }
    }
  }

  /// The eight digits of four bytes, the first in the lowest byte.
  @inlinable @inline(__always)
  package static func digits(of four: (UInt8, UInt8, UInt8, UInt8)) -> UInt64 {
    digits(
      ofSpread: UInt64(four.0) | UInt64(four.1) << 16 | UInt64(four.2) << 32
        | UInt64(four.3) << 48)
  }

  /// The same of four bytes, each followed by a byte of 0.
  @inlinable @inline(__always)
  package static func digits(ofSpread word: UInt64) -> UInt64 {
    // The high and the low half of each byte side by side, then 39 more for those from 10 on.
    let halves = word >> 4 & 0x000F_000F_000F_000F | (word & 0x000F_000F_000F_000F) << 8
    let letters = (halves &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return halves &+ 0x3030_3030_3030_3030 &+ letters &* 39
  }

  /// The hex digits of some bytes as text.
  package static func text(_ bytes: Span<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(2 * bytes.count)
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
