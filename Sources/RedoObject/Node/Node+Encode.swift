// A node as text: its canonical body with id and signature back in their places.

package import RedoCrypto

extension Node {
  /// Appends the canonical JSON of the whole node, id and signature included.
  package func appendWhole(to output: inout [UInt8]) {
    Self.appendWhole(body: body.span, id: id, signature: signature, to: &output)
  }

  /// The number of bytes of a whole node: of its body, `"id":"sha256:<64>",` and, where it is
  /// signed, `,"signature":"<128>"`.
  package static func wholeCount(bodyCount: Int, _ signature: Signature?) -> Int {
    bodyCount + 8 + ObjectID.textCount + (signature == nil ? 0 : 15 + 128)
  }

  /// Appends the canonical JSON of a whole node from its parts.
  ///
  /// `id` sorts right before `parents`, and `signature` right after it. Only a UUID, two times and the
  /// version follow the parents, so the last `"parents":[` of a body is the member itself: it is found
  /// from the end, without parsing.
  ///
  /// Bytes without it are not a node's body, whatever a file says. Id and signature then surround them:
  /// no reader takes that for JSON, and the number of bytes added is the same for every body.
  ///
  /// - Parameters:
  ///   - body: the canonical body of a valid node.
  ///   - id: its hash.
  ///   - signature: its signature, if it has one.
  ///   - output: receives UTF-8.
  package static func appendWhole(
    body: Span<UInt8>, id: ObjectID, signature: Signature?, to output: inout [UInt8]
  ) {
    let (parents, end) = parentsRange(body) ?? (0, body.count)
    output.reserve(wholeCount(bodyCount: body.count, signature))
    output.append(body, 0..<parents)
    output.append("\"id\":\"")
    id.append(to: &output)
    output.append("\",")
    output.append(body, parents..<end)
    if let signature {
      output.append(",\"signature\":\"")
      Hex.append(signature.bytes.span, to: &output)
      output.append("\"")
    }
    output.append(body, end..<body.count)
  }

  /// Where the name of the member `parents` begins, its quote included, and where its array ends.
  static func parentsRange(_ body: Span<UInt8>) -> (start: Int, end: Int)? {
    let name: StaticString = "\"parents\":["
    let count = name.utf8CodeUnitCount
    var rest = body
    while let bracket = rest.lastPlace(of: UInt8(ascii: "[")), bracket >= count {
      let start = bracket + 1 - count
      if body.extracting(start...bracket).elementsEqual(name) {
        let behind = body.extracting(droppingFirst: bracket + 1)
        guard let end = behind.firstPlace(of: UInt8(ascii: "]")) else { return nil }
        return (start, bracket + 1 + end + 1)
      }
      rest = body.extracting(first: bracket)
    }
    return nil
  }
}

extension Span<UInt8> {
  /// The first place of a byte; eight bytes are examined in one step.
  fileprivate func firstPlace(of byte: UInt8) -> Int? {
    var place = 0
    while place + 8 <= count, !hasByte(byte, at: place) { place += 8 }
    while place < count {
      if self[place] == byte { return place }
      place += 1
    }
    return nil
  }

  /// The last place of a byte.
  fileprivate func lastPlace(of byte: UInt8) -> Int? {
    var end = count
    while end >= 8, !hasByte(byte, at: end - 8) { end -= 8 }
    while end > 0 {
      end -= 1
      if self[end] == byte { return end }
    }
    return nil
  }

  /// Whether a byte is one of the eight at a place.
  @inline(__always)
  private func hasByte(_ byte: UInt8, at place: Int) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // SAFETY: the load is bounds-checked, and every pattern of bits is a number.
    let eight = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
    let rest = eight ^ ones &* UInt64(byte)
    return (rest &- ones) & ~rest & ones << 7 != 0
  }
}

extension Array where Element == UInt8 {
  /// Makes room for more bytes at once, growing at least by half, so that repeated calls stay
  /// cheap.
  @inline(__always)
  package mutating func reserve(_ more: Int) {
    if capacity - count < more { reserveCapacity(Swift.max(count + more, capacity * 3 / 2)) }
  }

  /// Appends a range of a span.
  @inline(__always)
  package mutating func append(_ span: Span<UInt8>, _ range: Range<Int>) {
    // SAFETY: copies bytes of a checked range.
    unsafe span.extracting(range).withUnsafeBufferPointer { bytes in
      unsafe append(contentsOf: bytes)
    }
  }

  /// Appends all bytes of a span.
  @inline(__always)
  package mutating func append(_ span: Span<UInt8>) {
    append(span, 0..<span.count)
  }

  /// Appends a number in decimal digits.
  ///
  /// - Parameter value: the number.
  package mutating func append(decimal value: Int64) {
    var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "-"))
    var start = 20
    var rest = value.magnitude
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if value < 0 { start -= 1 }
    append(digits.span, start..<20)
  }

  /// Appends the UTF-8 bytes of a literal.
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    // SAFETY: a literal's bytes are there for ever.
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
