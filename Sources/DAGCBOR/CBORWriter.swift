// Writes DAG-CBOR, value by value: each in the one form that it has.

/// Writes one value.
package struct CBORWriter: Sendable {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []

  /// A writer that has written nothing.
  package init() {}

  private mutating func head(_ major: UInt8, _ number: UInt64) {
    let count =
      switch number {
      case ..<24: 0
      case ...0xFF: 1
      case ...0xFFFF: 2
      case ...0xFFFF_FFFF: 4
      default: 8
      }
    guard count > 0 else {
      bytes.append(major << 5 | UInt8(number))
      return
    }
    bytes.append(major << 5 | UInt8(24 + count.trailingZeroBitCount))
    for index in stride(from: count - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)))
    }
  }

  /// Writes an integer.
  package mutating func value(_ integer: Int64) {
    if integer < 0 { head(1, UInt64(-1 - integer)) } else { head(0, UInt64(integer)) }
  }

  /// Writes a float, which must be finite and no zero with a sign.
  package mutating func value(_ float: Double) {
    precondition(
      float.isFinite && float.bitPattern != 1 << 63, "BUG: a float that DAG-CBOR does not have")
    write(bits: float.bitPattern)
  }

  private mutating func write(bits: UInt64) {
    bytes.append(0xFB)
    for index in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(index)))
    }
  }

  /// Writes false or true.
  package mutating func value(_ truth: Bool) { bytes.append(truth ? 0xF5 : 0xF4) }

  /// Writes null.
  package mutating func null() { bytes.append(0xF6) }

  /// Writes bytes.
  package mutating func value(_ content: some Collection<UInt8>) {
    head(2, UInt64(content.count))
    bytes += content
  }

  /// Writes a text.
  package mutating func value(_ text: String) {
    head(3, UInt64(text.utf8.count))
    bytes += text.utf8
  }

  /// Writes a link.
  package mutating func value(_ link: CID) { write(link: link.bytes) }

  private mutating func write(link cid: some Collection<UInt8>) {
    head(6, 42)
    head(2, UInt64(cid.count + 1))
    bytes.append(0)
    bytes += cid
  }

  /// Writes an array.
  ///
  /// - Parameters:
  ///   - elements: the elements.
  ///   - write: writes one of them.
  package mutating func array<Element>(
    _ elements: some Collection<Element>, _ write: (Element, inout CBORWriter) -> Void
  ) {
    head(4, UInt64(elements.count))
    for element in elements { write(element, &self) }
  }

  /// Writes a map.
  ///
  /// - Parameters:
  ///   - keys: the keys, each once, in any order.
  ///   - write: writes the value of one of them.
  package mutating func map(_ keys: [String], _ write: (String, inout CBORWriter) -> Void) {
    let sorted = keys.sorted { one, other in
      let (one, other) = (Array(one.utf8), Array(other.utf8))
      return one.count == other.count
        ? one.lexicographicallyPrecedes(other) : one.count < other.count
    }
    precondition(
      zip(sorted, sorted.dropFirst()).allSatisfy { !$0.utf8.elementsEqual($1.utf8) },
      "BUG: a key twice in a map")
    head(5, UInt64(sorted.count))
    for key in sorted {
      value(key)
      write(key, &self)
    }
  }

  /// Writes what was read.
  package mutating func value(_ document: CBORDocument) {
    for item in document.items {
      let content = document.bytes[item.content]
      switch item.kind {
      case .unsigned: head(0, item.number)
      case .negative: head(1, item.number)
      case .bytes: value(content)
      case .text:
        head(3, item.number)
        bytes += content
      case .array: head(4, item.number)
      case .map: head(5, item.number)
      case .link: write(link: content)
      case .bool: value(item.number == 1)
      case .null: null()
      case .float: write(bits: item.number)
      }
    }
  }
}
