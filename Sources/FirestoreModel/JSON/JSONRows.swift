// The answers of :runQuery and :batchGet are arrays that may be larger than memory should be: they
// are cut into their elements while they arrive, so that each is parsed, and kept, separately.

/// Cuts a stream of bytes that is one JSON array into the texts of its elements.
///
/// A stream that begins with an object has this object as its only element: the service sends an
/// error so, and older servers a single row. Nothing is judged here but brackets and quotes.
package struct JSONRows: Sendable {
  /// The largest element in bytes: a document of 1 MiB, its strings escaped and its bytes in Base64.
  package static let elementLimit = 16 * 1024 * 1024

  private enum Place { case before, between, inside, behind }

  private var place = Place.before
  private var isArray = false
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var element: [UInt8] = []

  /// A stream before anything has arrived.
  package init() {}

  /// Whether the array has ended; a stream that ends before is cut off.
  package var isComplete: Bool { place == .behind }

  /// Takes the next bytes.
  ///
  /// - Parameter bytes: as many as have arrived.
  /// - Returns: the elements that have become complete, in order.
  /// - Throws: `FirestoreFormatError` for anything that is not an array of objects, and for an element over
  ///   the limit.
  package mutating func take(_ bytes: some Sequence<UInt8>) throws(FirestoreFormatError)
    -> [[UInt8]]
  {
    let bytes = Array(bytes)
    var elements: [[UInt8]] = []
    var index = 0
    while index < bytes.count {
      guard place == .inside else {
        try takeOutside(bytes[index])
        index += 1
        continue
      }
      let end = endOfElement(bytes.span, from: index)
      guard element.count + end.index - index <= Self.elementLimit else {
        throw FirestoreFormatError("", "a row of more than \(Self.elementLimit) bytes")
      }
      element += bytes[index..<end.index]
      index = end.index
      guard end.isReached else { break }
      elements.append(element)
      element = []
      place = isArray ? .between : .behind
    }
    return elements
  }

  /// Follows an element up to its last byte.
  ///
  /// - Returns: where the element ends, or the bytes do.
  private mutating func endOfElement(
    _ bytes: Span<UInt8>, from start: Int
  ) -> (index: Int, isReached: Bool) {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return (index, true) }
      default: break
      }
    }
    return (index, false)
  }

  private mutating func takeOutside(_ byte: UInt8) throws(FirestoreFormatError) {
    switch (place, byte) {
    case (_, 0x20), (_, 0x0A), (_, 0x0D), (_, 0x09): return
    case (.before, UInt8(ascii: "[")):
      isArray = true
      place = .between
    case (.between, UInt8(ascii: ",")): return
    case (.between, UInt8(ascii: "]")): place = .behind
    case (.before, UInt8(ascii: "{")), (.between, UInt8(ascii: "{")):
      place = .inside
      element.append(byte)
      isInString = false
      depth = 1
    default: throw FirestoreFormatError("", "not an array of objects")
    }
  }
}
