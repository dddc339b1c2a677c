// Bytes that a peer sent, from the first to the last: every count is checked against what is left before
// memory is allocated for it.

internal import RedoCrypto

/// Reads the payload of one frame.
struct WireReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether everything has been read.
  var isAtEnd: Bool { place == bytes.count }
  /// How many bytes are left.
  var rest: Int { bytes.count - place }

  /// What is wrong at this place.
  func malformed(_ reason: String) -> RemoteError { .malformed(offset: place, reason: reason) }

  mutating func byte() throws(RemoteError) -> UInt8 {
    guard place < bytes.count else { throw malformed("it ends too early") }
    place += 1
    return bytes[place - 1]
  }

  /// The next bytes.
  mutating func take(_ count: Int) throws(RemoteError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest else { throw malformed("it ends too early") }
    place += count
    // The indices of the slice are those of an array of its own.
    return Array(bytes[place - count..<place])[...]
  }

  /// A number in groups of seven bits, in its shortest form.
  mutating func varint() throws(RemoteError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      // The tenth byte has room for one bit; a last group of 0 is a number that has a shorter form.
      guard shift < 63 || next <= 1, next != 0 || shift == 0 else {
        throw malformed("a number is not written in its shortest form")
      }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  /// A signed number, as the varint of twice its value or of one less than twice its opposite.
  mutating func zigzag() throws(RemoteError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A number of 8 bytes, the lowest first.
  mutating func number() throws(RemoteError) -> UInt64 {
    let bytes = try take(8)
    return (0..<8).reduce(0) { $0 | UInt64(bytes[$1]) << UInt64(8 * $1) }
  }

  /// How many things of some bytes follow: no more than a limit, and than there are bytes for.
  mutating func count(limit: Int, bytesEach: Int = 1) throws(RemoteError) -> Int {
    let value = try varint()
    guard value <= UInt64(limit) else { throw malformed("\(value), more than \(limit)") }
    guard Int(value) <= rest / bytesEach else { throw malformed("it ends too early") }
    return Int(value)
  }

  /// Proves that nothing is left.
  func end() throws(RemoteError) {
    guard isAtEnd else { throw malformed("\(rest) bytes are left over") }
  }
}

extension [UInt8] {
  /// Appends a number in groups of seven bits, the lowest first.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed number.
  mutating func append(zigzag value: Int64) {
    append(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Appends a number of 8 bytes, the lowest first.
  mutating func append(littleEndian value: UInt64) {
    for place in 0..<8 { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place))) }
  }

  /// Appends a number of 4 bytes, the lowest first.
  mutating func append(littleEndian value: UInt32) {
    for place in 0..<4 { append(UInt8(truncatingIfNeeded: value >> UInt32(8 * place))) }
  }
}
