// Who and what a change concerns: types, so that one is never taken for another.

package import RedoCrypto

/// The author of a change: the first 16 bytes of the public key, 32 lower-case hex digits.
package struct UserID: Hashable, Sendable {
  /// The bytes, first to last.
  package let bytes: InlineArray<16, UInt8>

  /// Reads 32 lower-case hex digits.
  package init?(hex: Span<UInt8>) {
    guard let bytes = Hex.decode16(hex) else { return nil }
    self.bytes = bytes
  }

  /// The user that a public key identifies.
  package init(of key: PublicKey) {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    let source = key.bytes.span
    for index in 0..<16 { bytes[index] = source[index] }
    self.bytes = bytes
  }

  package static func == (left: UserID, right: UserID) -> Bool {
    words(left.bytes) == words(right.bytes)
  }

  package func hash(into hasher: inout Hasher) { feed(bytes, into: &hasher) }

  /// Nobody's user id: all bytes 0.
  package static let none = UserID(bytes: InlineArray(repeating: 0))

  /// A user of the given bytes.
  package init(bytes: InlineArray<16, UInt8>) { self.bytes = bytes }

  /// 32 hex digits.
  package var text: String { Hex.text(bytes.span) }

  /// Appends 32 hex digits.
  package func append(to output: inout [UInt8]) { Hex.append(bytes.span, to: &output) }
}

/// A task, or a todo of one: a UUID, compared without case and written in lower case.
package struct TaskID: Hashable, Comparable, Sendable {
  /// The number of bytes of a written UUID, hyphens included.
  package static let textCount = 36

  /// The bytes, first to last.
  package let bytes: InlineArray<16, UInt8>

  /// A task of the given bytes.
  package init(bytes: InlineArray<16, UInt8>) { self.bytes = bytes }

  /// Reads a UUID of either case.
  ///
  /// - Parameter text: 36 ASCII bytes, hyphens included.
  package init?(_ text: Span<UInt8>) {
    let hyphen = UInt8(ascii: "-")
    guard text.count == Self.textCount, text[8] == hyphen, text[13] == hyphen,
      text[18] == hyphen, text[23] == hyphen
    else { return nil }
    var digits = InlineArray<32, UInt8>(repeating: 0)
    var output = digits.mutableSpan
    var position = 0
    for index in text.indices where index != 8 && index != 13 && index != 18 && index != 23 {
      // Bit 6 is set in letters, bit 5 in those of lower case; digits have bit 5 and not bit 6.
      let byte = text[index]
      output[position] = byte | (byte & 0x40) >> 1
      position += 1
    }
    guard let bytes = Hex.decode16(digits.span) else { return nil }
    self.bytes = bytes
  }

  /// A random UUID, version 4 (RFC 9562, section 5.4).
  ///
  /// - Parameter random: gives 64 random bits.
  /// - Returns: the UUID.
  package static func random(_ random: () -> UInt64) -> TaskID {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    for half in 0..<2 {
      let bits = random()
      for index in 0..<8 {
        bytes[8 * half + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))
      }
    }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return TaskID(bytes: bytes)
  }

  package static func == (left: TaskID, right: TaskID) -> Bool {
    words(left.bytes) == words(right.bytes)
  }

  package func hash(into hasher: inout Hasher) { feed(bytes, into: &hasher) }

  /// UUIDs are ordered bytewise, which is also the order of their written forms.
  package static func < (left: TaskID, right: TaskID) -> Bool {
    let (one, other) = (words(left.bytes), words(right.bytes))
    if one.0 != other.0 { return UInt64(bigEndian: one.0) < UInt64(bigEndian: other.0) }
    return UInt64(bigEndian: one.1) < UInt64(bigEndian: other.1)
  }

  /// The id of a todo that a CREATE makes without naming one: the first 16 bytes of SHA-256 of
  /// `<node id>/<index>` (protocol, section 3).
  package init(ofTodo index: Int, in node: ObjectID) {
    var text: [UInt8] = []
    node.append(to: &text)
    text += "/\(index)".utf8
    self.init(hashing: text)
  }

  /// The id of the todo that follows a todo of a task that comes again: the first 16 bytes of SHA-256 of
  /// `<todo, in lower case>/next`.
  package init(after todo: TaskID) {
    self.init(hashing: Array("\(todo.text)/next".utf8))
  }

  /// The id of the todo that replaces one which cannot be made pending again: the first 16 bytes of SHA-256 of
  /// `<task>/<todo>/again`, so that every device that brings the todo back makes the same one.
  package init(replacing todo: TaskID, of task: TaskID) {
    self.init(hashing: Array("\(task.text)/\(todo.text)/again".utf8))
  }

  private init(hashing text: [UInt8]) {
    let digest = SHA256.digest(of: text.span)
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    for place in 0..<16 { bytes[place] = digest.bytes[place] }
    self.bytes = bytes
  }

  /// 36 characters in lower case.
  package var text: String {
    var output: [UInt8] = []
    append(to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Appends 36 ASCII bytes in lower case.
  package func append(to output: inout [UInt8]) {
    var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
    var span = text.mutableSpan
    var digits = unsafe span.mutableBytes
    putDigits(ofFour: 0, &digits, at: 0, 4)
    putDigits(ofFour: 4, &digits, at: 9, 14)
    putDigits(ofFour: 8, &digits, at: 19, 24)
    putDigits(ofFour: 12, &digits, at: 28, 32)
    output.append(text.span)
  }

  /// Stores the digits of four bytes in two places.
  @inline(__always)
  private func putDigits(
    ofFour index: Int, _ digits: inout MutableRawSpan, at first: Int, _ second: Int
  ) {
    let eight = Hex.digits(
      of: (bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3]))
    let (low, high) = (UInt32(truncatingIfNeeded: eight), UInt32(eight >> 32))
    digits.storeBytes(of: low.littleEndian, toByteOffset: first, as: UInt32.self)
    digits.storeBytes(of: high.littleEndian, toByteOffset: second, as: UInt32.self)
  }
}

/// 16 bytes as two numbers in the byte order of the machine.
private func words(_ bytes: InlineArray<16, UInt8>) -> (UInt64, UInt64) {
  // SAFETY: both have 16 bytes, and every pattern of bits is a value of either.
  unsafe unsafeBitCast(bytes, to: (UInt64, UInt64).self)
}

private func feed(_ bytes: InlineArray<16, UInt8>, into hasher: inout Hasher) {
  let (first, second) = words(bytes)
  hasher.combine(first)
  hasher.combine(second)
}
