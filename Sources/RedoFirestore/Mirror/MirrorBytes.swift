// Numbers, ids and texts of records; numbers have their lowest byte first.

internal import RedoCrypto
internal import RedoObject

/// Writes the payload of a record.
struct MirrorWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(byte: UInt8) { bytes.append(byte) }
  mutating func append(_ more: [UInt8]) { bytes += more }
  mutating func append(_ id: ObjectID) { id.appendRaw(to: &bytes) }

  mutating func append(number: UInt64) {
    for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
  }

  mutating func append(text: String) {
    let text = Array(text.utf8.prefix(Int(UInt16.max)))
    bytes.append(UInt8(truncatingIfNeeded: text.count))
    bytes.append(UInt8(truncatingIfNeeded: text.count >> 8))
    bytes += text
  }
}

/// Reads the payload of a record; a missing part is `nil`.
struct MirrorReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number() -> UInt64? {
    guard let bytes = take(8) else { return nil }
    return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func id() -> ObjectID? {
    guard let bytes = take(Digest.byteCount) else { return nil }
    return ObjectID(digest: Digest(bytes: InlineArray { bytes[bytes.startIndex + $0] }))
  }

  mutating func text() -> String? {
    guard let low = byte(), let high = byte(), let bytes = take(Int(low) | Int(high) << 8) else {
      return nil
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
