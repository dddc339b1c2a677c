// Files of the time zone database: TZif of version 2 or later (RFC 8536), the block of 64-bit times and the
// footer. Strict: every count, index and order that the RFC demands is checked, and nothing may be left over.
//
//   header (44)   block of 32-bit times, passed over   header (44)   block of 64-bit times   "\n" rule "\n"

extension CivilZone {
  /// The longest file; those of the database have a few thousand bytes.
  package static let fileLimit = 262_144

  /// The zone of a TZif file; `nil` for anything else, and for a file that counts leap seconds.
  package init?(file bytes: [UInt8]) {
    var reader = ZoneFileReader(bytes: bytes)
    guard bytes.count <= Self.fileLimit, let old = reader.header(),
      reader.skip(old.byteCount(timeBytes: 4)), let header = reader.header(),
      let zone = reader.zone(header)
    else { return nil }
    self = zone
  }
}

/// Reads big-endian numbers one after the other.
private struct ZoneFileReader {
  struct Header {
    let standardCount, utCount, leapCount, timeCount, typeCount, nameBytes: Int

    func byteCount(timeBytes: Int) -> Int {
      timeCount * (timeBytes + 1) + typeCount * 6 + nameBytes + leapCount * (timeBytes + 4)
        + standardCount + utCount
    }
  }

  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) -> Bool {
    guard count <= bytes.count - position else { return false }
    position += count
    return true
  }

  private mutating func integer(_ count: Int) -> Int64 {
    var value: UInt64 = 0
    for _ in 0..<count {
      value = value << 8 | UInt64(bytes[position])
      position += 1
    }
    let shift = UInt64(64 - 8 * count)
    return Int64(bitPattern: value << shift) >> Int64(shift)
  }

  mutating func header() -> Header? {
    guard bytes.count - position >= 44,
      bytes[position..<position + 4].elementsEqual("TZif".utf8),
      (UInt8(ascii: "2")...UInt8(ascii: "4")).contains(bytes[position + 4])
    else { return nil }
    position += 20
    let counts = (0..<6).map { _ in Int(integer(4)) }
    guard counts.allSatisfy({ 0...CivilZone.fileLimit ~= $0 }) else { return nil }
    let header = Header(
      standardCount: counts[1], utCount: counts[0], leapCount: counts[2], timeCount: counts[3],
      typeCount: counts[4], nameBytes: counts[5])
    let indicators = [0, header.typeCount]
    guard header.typeCount > 0, header.nameBytes > 0, indicators.contains(header.standardCount),
      indicators.contains(header.utCount)
    else { return nil }
    return header
  }

  mutating func zone(_ header: Header) -> CivilZone? {
    guard header.leapCount == 0, header.typeCount <= 256,
      header.byteCount(timeBytes: 8) + 2 <= bytes.count - position
    else { return nil }
    let times = (0..<header.timeCount).map { _ in integer(8) }
    guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    let kinds = (0..<header.timeCount).map { _ in Int(integer(1)) & 0xFF }
    var offsets: [Int64] = []
    for _ in 0..<header.typeCount {
      let offset = integer(4)
      let (summer, name) = (integer(1), Int(integer(1)) & 0xFF)
      // RFC 8536, section 3.2: no clock is more than about a day from UTC.
      guard (-89_999...93_599).contains(offset), 0...1 ~= summer, name < header.nameBytes else {
        return nil
      }
      offsets.append(offset)
    }
    let names = bytes[position..<position + header.nameBytes]
    position += header.nameBytes
    let marks = bytes[position..<position + header.standardCount + header.utCount]
    position += marks.count
    guard names.last == 0, marks.allSatisfy({ $0 < 2 }),
      kinds.allSatisfy({ $0 < header.typeCount }), let rule = footer()
    else { return nil }
    return CivilZone(
      times: times, offsets: kinds.map { offsets[$0] }, first: offsets[0], rule: rule)
  }

  /// The rule at the end; there may be none.
  private func footer() -> ZoneRule?? {
    let rest = bytes[position...]
    guard rest.count >= 2, rest.first == UInt8(ascii: "\n"), rest.last == UInt8(ascii: "\n") else {
      return nil
    }
    let text = rest.dropFirst().dropLast()
    if text.isEmpty { return .some(nil) }
    guard let rule = ZoneRule(text) else { return nil }
    return .some(rule)
  }
}
