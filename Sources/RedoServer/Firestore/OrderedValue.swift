// Values as bytes that compare as the values do (the type order of Firestore): null, booleans, NaN, numbers,
// times, strings, bytes, references, points, arrays, maps. Equal values have equal bytes, 1 and 1.0 as well.
//
// A value begins with a byte for its type. Texts and bytes end with 00 01, a 00 in them is 00 FF. Arrays and
// maps end with 01, with which no type begins. So each can be distinguished from what follows, and a prefix comes first.

internal import FirestoreModel

/// Writes and reads values as bytes in their order.
enum OrderedValue {
  /// The first byte of each type.
  private enum Kind {
    static let null: UInt8 = 0x10
    static let boolean: UInt8 = 0x18
    static let notANumber: UInt8 = 0x20
    static let number: UInt8 = 0x28
    static let timestamp: UInt8 = 0x30
    static let string: UInt8 = 0x38
    static let bytes: UInt8 = 0x40
    static let reference: UInt8 = 0x48
    static let point: UInt8 = 0x50
    static let array: UInt8 = 0x58
    static let map: UInt8 = 0x60
  }

  private static let end: UInt8 = 0x01

  /// The bytes of a value.
  static func bytes(_ value: FirestoreValue) -> [UInt8] {
    var output: [UInt8] = []
    append(value, to: &output)
    return output
  }

  /// Whether two values are of one type, so that the greater one can be asked for.
  static func areComparable(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.first == other.first }

  /// Appends the bytes of a value.
  static func append(_ value: FirestoreValue, to output: inout [UInt8]) {
    switch value {
    case .null: output.append(Kind.null)
    case .boolean(let truth): output += [Kind.boolean, truth ? 1 : 0]
    case .integer(let number): append(number, to: &output)
    case .double(let number): append(number, to: &output)
    case .timestamp(let time):
      output.append(Kind.timestamp)
      append(bits: UInt64(bitPattern: time.seconds) ^ (1 << 63), to: &output)
      append(bits: UInt64(time.nanoseconds), to: &output)
    case .string(let text):
      output.append(Kind.string)
      append(raw: text.utf8, to: &output)
    case .bytes(let bytes):
      output.append(Kind.bytes)
      append(raw: bytes, to: &output)
    case .reference(let name):
      output.append(Kind.reference)
      for part in name.utf8.split(separator: UInt8(ascii: "/")) { append(raw: part, to: &output) }
      output.append(end)
    case .geoPoint(let latitude, let longitude):
      output.append(Kind.point)
      append(bits: bits(latitude), to: &output)
      append(bits: bits(longitude), to: &output)
    case .array(let values):
      output.append(Kind.array)
      for value in values { append(value, to: &output) }
      output.append(end)
    case .map(let fields):
      output.append(Kind.map)
      for member in fields.members {
        output.append(Kind.string)
        append(raw: member.name.utf8, to: &output)
        append(member.value, to: &output)
      }
      output.append(end)
    }
  }

  /// The elements of an array as bytes; `nil` when the bytes are not an array.
  static func elements(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    guard bytes.first == Kind.array else { return nil }
    var elements: [ArraySlice<UInt8>] = []
    var place = bytes.startIndex + 1
    while place < bytes.endIndex, bytes[place] != end {
      let start = place
      skip(bytes, &place)
      elements.append(bytes[start..<min(place, bytes.endIndex)])
    }
    return elements
  }

  // MARK: Numbers

  private static func append(_ number: Int64, to output: inout [UInt8]) {
    let rounded = Double(number)
    output.append(Kind.number)
    append(bits: bits(rounded), to: &output)
    // The part that rounding has removed orders the integers that round to the same double.
    let whole = rounded < 0x1p63 ? Int64(rounded) : Int64.max
    let rest = rounded < 0x1p63 ? number &- whole : number &- whole &- 1
    append(bits: UInt64(bitPattern: rest) ^ (1 << 63), to: &output)
  }

  private static func append(_ number: Double, to output: inout [UInt8]) {
    guard !number.isNaN else { return output.append(Kind.notANumber) }
    output.append(Kind.number)
    append(bits: bits(number), to: &output)
    append(bits: 1 << 63, to: &output)
  }

  /// The bits of a number that is one, in its order; -0 is 0.
  private static func bits(_ number: Double) -> UInt64 {
    let bits = (number == 0 ? 0 : number).bitPattern
    return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
  }

  private static func append(bits: UInt64, to output: inout [UInt8]) {
    for shift in stride(from: 56, through: 0, by: -8) {
      output.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  /// The number of some bytes; whole ones are integers, whatever they were.
  ///
  /// - Parameter bytes: the bytes of a value.
  /// - Returns: `nil` when it is no number.
  static func number(_ bytes: ArraySlice<UInt8>) -> FirestoreValue? {
    guard let kind = bytes.first else { return nil }
    if kind == Kind.notANumber { return .double(.nan) }
    guard kind == Kind.number, bytes.count == 17 else { return nil }
    func bits(_ place: Int) -> UInt64 {
      bytes[(bytes.startIndex + place)...].prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    let ordered = bits(1)
    let double = Double(bitPattern: ordered >> 63 == 1 ? ordered ^ (1 << 63) : ~ordered)
    let rest = Int64(bitPattern: bits(9) ^ (1 << 63))
    if rest != 0, double >= 0x1p63 { return .integer(Int64.max &+ 1 &+ rest) }
    guard let whole = Int64(exactly: double) else { return .double(double) }
    return .integer(whole &+ rest)
  }

  // MARK: Texts

  private static func append(raw: some Sequence<UInt8>, to output: inout [UInt8]) {
    for byte in raw {
      output.append(byte)
      if byte == 0 { output.append(0xFF) }
    }
    output += [0, end]
  }

  /// Moves past a value, however deep it is: what a log has may be no value at all.
  private static func skip(_ bytes: ArraySlice<UInt8>, _ place: inout Int) {
    var depth = 0
    repeat {
      let kind = bytes[place]
      place += 1
      switch kind {
      case end where depth > 0: depth -= 1
      case Kind.null, Kind.notANumber: break
      case Kind.boolean: place += 1
      case Kind.number, Kind.timestamp, Kind.point: place += 16
      case Kind.string, Kind.bytes: skipRaw(bytes, &place)
      case Kind.reference:
        while place < bytes.endIndex, bytes[place] != end { skipRaw(bytes, &place) }
        place += 1
      default: depth += 1
      }
    } while depth > 0 && place < bytes.endIndex
  }

  private static func skipRaw(_ bytes: ArraySlice<UInt8>, _ place: inout Int) {
    while place + 1 < bytes.endIndex {
      if bytes[place] == 0 {
        place += 2
        if bytes[place - 1] == end { return }
      } else {
        place += 1
      }
    }
    place = bytes.endIndex
  }
}

extension [UInt8] {
  /// Whether these bytes come before others.
  func isLess(than other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
