// The small values that definitions of schemas are made of (schemas, section 1.1): UUIDs, versions, and the words for types.

internal import CanonicalJSON
internal import RedoCrypto

/// A UUID: of a field, of a device, of a person whose copy of a schema it is.
package struct UniqueID: Hashable, Comparable, Sendable {
  // As tasks are named, which these are not.
  private let bytes: TaskID

  /// Built in, or unknown.
  package static let zero = UniqueID(bytes: InlineArray(repeating: 0))

  /// A UUID of 16 bytes.
  package init(bytes: InlineArray<16, UInt8>) { self.bytes = TaskID(bytes: bytes) }

  /// Reads a UUID of either case.
  ///
  /// - Parameter text: 36 ASCII bytes, hyphens included.
  package init?(_ text: Span<UInt8>) {
    guard let read = TaskID(text) else { return nil }
    bytes = read
  }

  /// Reads a UUID of lower case.
  ///
  /// - Parameter text: 36 ASCII bytes, hyphens included.
  package init?(lowerCase text: Span<UInt8>) {
    for index in text.indices where text[index] & 0xE0 == 0x40 { return nil }
    self.init(text)
  }

  /// The UUID that a text stands for wherever it is met: the first 16 bytes of its SHA-256, all bits of them.
  ///
  /// - Parameter text: UTF-8.
  package init(hashing text: [UInt8]) {
    let digest = SHA256.digest(of: text.span)
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    for place in 0..<16 { bytes[place] = digest.bytes[place] }
    self.init(bytes: bytes)
  }

  package static func < (left: UniqueID, right: UniqueID) -> Bool { left.bytes < right.bytes }

  /// 36 characters in lower case.
  package var text: String { bytes.text }

  /// Appends 36 ASCII bytes in lower case.
  package func append(to output: inout [UInt8]) { bytes.append(to: &output) }
}

/// A text that is compared by its bytes: two that look alike are two.
package struct ByteText: Hashable, Comparable, Sendable {
  /// Well-formed UTF-8.
  package let utf8: [UInt8]

  /// A text of its bytes.
  package init(utf8: [UInt8]) { self.utf8 = utf8 }

  /// A text.
  package init(_ text: String) { utf8 = Array(text.utf8) }

  /// For people.
  package var text: String { String(decoding: utf8, as: UTF8.self) }

  package static func < (left: ByteText, right: ByteText) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

/// The version of a definition: it grows with each edit, on whichever device.
package struct SchemaVersion: Hashable, Comparable, Sendable {
  /// The greatest counter: what JSON holds exactly.
  package static let counterLimit: Int64 = 9_007_199_254_740_991
  /// The latest time that an edit takes by itself, 9998-12-31T23:59:59.999Z: no stamp may end the clock.
  package static let clockEnd = WallTime(milliseconds: 253_370_764_799_999)

  /// When the edit was made, as far as that goes with the versions before it.
  package let timestamp: WallTime
  /// The device that made it.
  package let deviceID: UniqueID
  /// How many edits led to it.
  package let counter: Int64

  /// A version of its parts.
  package init(_ timestamp: WallTime, _ deviceID: UniqueID, _ counter: Int64) {
    self.timestamp = timestamp
    self.deviceID = deviceID
    self.counter = counter
  }

  package static func < (left: SchemaVersion, right: SchemaVersion) -> Bool {
    if left.timestamp != right.timestamp { return left.timestamp < right.timestamp }
    if left.deviceID != right.deviceID { return left.deviceID < right.deviceID }
    return left.counter < right.counter
  }

  /// The version of an edit (section 1.3): later than all that it follows.
  ///
  /// - Parameters:
  ///   - seen: the versions of the heads.
  ///   - device: the device that edits.
  ///   - now: its clock.
  /// - Returns: `nil` when the last instant is taken.
  package static func next(
    after seen: [SchemaVersion], by device: UniqueID, now: WallTime
  ) -> SchemaVersion? {
    let now = min(now, clockEnd)
    let time = seen.map(\.timestamp).max().map { max(now, $0.next) } ?? now
    guard time <= .latest else { return nil }
    let counter = (seen.map(\.counter).max() ?? 0).addingReportingOverflow(1)
    return SchemaVersion(
      time, device, counter.overflow ? counterLimit : min(counterLimit, counter.partialValue))
  }

  /// Appends its RFC 8785 form.
  func append(to output: inout [UInt8]) {
    output += "{\"counter\":\(counter),\"deviceId\":\"".utf8
    deviceID.append(to: &output)
    output += "\",\"timestamp\":\"".utf8
    timestamp.append(to: &output)
    output += "\"}".utf8
  }
}

extension WallTime {
  /// A millisecond later.
  var next: WallTime { WallTime(milliseconds: milliseconds + 1) }

  /// Whether a stamp may stand here (rule `schema-clock-range`).
  ///
  /// - Parameter parents: what stands there in the parents.
  /// - Returns: `false` for the last year, unless the same or a millisecond less stands there in a parent.
  package func isInRange(after parents: some Sequence<WallTime>) -> Bool {
    self <= SchemaVersion.clockEnd
      || parents.contains { 0...1 ~= milliseconds - $0.milliseconds }
  }
}

/// What the values of a field are.
package enum FieldType: String, CaseIterable, Comparable, Sendable {
  case string, int, double, bool, date, attachmentIds, stringArray

  package static func < (left: FieldType, right: FieldType) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Where a field is shown.
package enum FieldVisibility: String, Sendable {
  /// Everywhere.
  case active
  /// Only on request.
  case hidden
  /// With a warning.
  case deprecated
}

/// What the keyboard writes large.
package enum Capitalization: String, CaseIterable, Sendable {
  case none, words, sentences, allCharacters
}

/// What a value must keep.
package struct ValidationRule: Hashable, Sendable {
  /// What is asked.
  package enum Kind: String, CaseIterable, Sendable {
    case minLength, maxLength, minValue, maxValue, minDate, maxDate, pattern
  }

  /// What is asked.
  package let kind: Kind
  /// The bound, in its RFC 8785 form: an integer, a number, a time or a text.
  package let value: [UInt8]

  /// A rule of its parts.
  package init(_ kind: Kind, _ value: [UInt8]) {
    self.kind = kind
    self.value = value
  }

  /// Appends its RFC 8785 form.
  func append(to output: inout [UInt8]) {
    output += "{\"type\":\"\(kind.rawValue)\",\"value\":".utf8
    output += value
    output += "}".utf8
  }
}
