// The bytes of a loose object before compression (protocol, section 7):
//
//   <kind> SP <size>[ SP ed25519:<128 hex>] NUL <canonical bytes>

internal import RedoCrypto
internal import RedoObject

/// The header of a loose object.
struct LooseFormat: Equatable {
  /// The largest object that is read or written, in bytes.
  static let sizeLimit = 1 << 30
  /// The longest header: kind, size, signature and NUL, with room to spare.
  static let headerLimit = 200

  let kind: ObjectKind
  let size: Int
  let signature: Signature?

  /// Appends the header, NUL included.
  func append(to output: inout [UInt8]) {
    output.append(kind.name)
    output.append(UInt8(ascii: " "))
    output += Array(String(size).utf8)
    if let signature {
      output.append(" ed25519:")
      Hex.append(signature.bytes.span, to: &output)
    }
    output.append(0)
  }

  /// Reads a header.
  ///
  /// - Parameter bytes: the bytes before the NUL.
  /// - Returns: the header; `nil` unless it is exactly what `append` writes.
  static func parse(_ bytes: Span<UInt8>) -> LooseFormat? {
    guard let kind = ObjectKind(header: bytes) else { return nil }
    var index = kind.name.utf8CodeUnitCount + 1
    var size = 0
    let digits = index
    while index < bytes.count, bytes[index] != UInt8(ascii: " ") {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10, index - digits < 12 else { return nil }
      size = size * 10 + Int(digit)
      index += 1
    }
    guard index > digits, index == digits + 1 || bytes[digits] != UInt8(ascii: "0") else {
      return nil
    }
    guard index < bytes.count else { return LooseFormat(kind: kind, size: size, signature: nil) }
    let mark: StaticString = " ed25519:"
    let hexStart = index + mark.utf8CodeUnitCount
    guard kind.hasHistory, bytes.count == hexStart + 128,
      bytes.extracting(index..<hexStart).elementsEqual(mark),
      let signature = Hex.decode64(bytes.extracting(hexStart..<bytes.count))
    else { return nil }
    return LooseFormat(kind: kind, size: size, signature: Signature(bytes: signature))
  }
}
