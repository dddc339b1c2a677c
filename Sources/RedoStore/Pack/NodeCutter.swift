// Cuts a canonical body into its shape and its values.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject

/// Cuts one body after another, keeping its memory.
struct NodeCutter {
  /// The shape of the body that was cut last.
  private(set) var shape: [UInt8] = []
  /// The places of its values in the body, without quotes, in the order of the text.
  private(set) var values: [Range<Int>] = []

  /// The most bytes of a value that is left in the shape.
  private static let keptLimit = 64
  /// The most digits of an integer: fewer than those of 2^53.
  private static let digitLimit = 15

  /// Cuts a body.
  ///
  /// Whether the pieces give the body back is for others to check.
  ///
  /// - Returns: `false` when it contains a byte that no canonical JSON has.
  mutating func cut(_ body: Span<UInt8>) -> Bool {
    shape.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    var last = 0..<0
    var key: Range<Int>?
    var index = 0
    while index < body.count {
      let byte = body[index]
      switch byte {
      case UInt8(ascii: "\""):
        guard let end = StringEscape.end(body, from: index) else { return false }
        let isName = end + 1 < body.count && body[end + 1] == UInt8(ascii: ":")
        let content = index + 1..<end
        if isName
          || content.count <= Self.keptLimit && body.extracting(last).elementsEqual("action")
        {
          shape.append(body, index..<end + 1)
          last = content
        } else {
          let kind = Self.kind(body, content, key)
          if kind == .hex32 { key = content }
          shape.append(kind.rawValue)
          values.append(content)
        }
        index = end + 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let start = index
        while index < body.count, Self.isOfNumber(body[index]) { index += 1 }
        if index - start <= Self.keptLimit, body.extracting(last).elementsEqual("version") {
          shape.append(body, start..<index)
        } else {
          let kind: LeafKind = Self.integer(body, start..<index) == nil ? .number : .integer
          shape.append(kind.rawValue)
          values.append(start..<index)
        }
      case 0..<0x20: return false
      default:
        shape.append(byte)
        index += 1
      }
    }
    return true
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// What kind of value a string is: one whose text follows from the value.
  private static func kind(
    _ body: Span<UInt8>, _ range: Range<Int>, _ key: Range<Int>?
  ) -> LeafKind {
    let text = body.extracting(range)
    switch text.count {
    case ObjectID.textCount: return ObjectID(ascii: text) == nil ? .text : .id
    case TaskID.textCount:
      guard let uuid = TaskID(text) else { return .text }
      var written: [UInt8] = []
      uuid.append(to: &written)
      return isEqual(written.span, text) ? .uuid : .text
    case 24: return WallTime.parse(text) == nil ? .text : .time
    case 32:
      guard Hex.decode16(text) != nil else { return .text }
      guard let key else { return .hex16 }
      return isEqual(body.extracting(key.lowerBound..<key.lowerBound + 32), text) ? .half : .hex16
    case 64: return Hex.decode32(text) == nil ? .text : .hex32
    default: return .text
    }
  }

  private static func isEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  /// An integer whose text follows from its value; `nil` for any other number.
  static func integer(_ body: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var index = range.lowerBound
    let isNegative = body[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let digits = range.upperBound - index
    guard digits > 0, digits <= digitLimit else { return nil }
    guard body[index] != UInt8(ascii: "0") || digits == 1 && !isNegative else { return nil }
    var value: Int64 = 0
    while index < range.upperBound {
      let digit = body[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
      index += 1
    }
    return isNegative ? -value : value
  }
}
