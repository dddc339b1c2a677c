// The member `createdAt` of a remote's copy of a node: when the remote first had it, in one of the forms in which
// that has been written. It is no part of the node, and nothing is decided by it.

internal import CanonicalJSON

/// What a copy of a node says of the time at which a remote first had the node.
package enum CreatedAt: Equatable, Sendable {
  /// The time, what is below a millisecond cut off.
  case time(WallTime)
  /// What stands there instead is in no form that is known: the beginning of it, unescaped.
  case unknown(String)

  /// An instant; `nil` outside of the years 0001 to 9999, and of 0 to 999,999,999 nanoseconds.
  fileprivate static func time(seconds: Int64, nanoseconds: Int64) -> CreatedAt? {
    let range = WallTime.earliest.milliseconds / 1000...WallTime.latest.milliseconds / 1000
    guard range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
    return .time(WallTime(milliseconds: seconds * 1000 + nanoseconds / 1_000_000))
  }
}

extension NodeDecoder {
  /// Reads a time in any form: a text of RFC 3339; a map of `_seconds` and `_nanoseconds`, with or without the low
  /// lines, the second of which may be missing; or `timestampValue`, as the REST interface of Firestore has it.
  ///
  /// - Parameters:
  ///   - value: the token of the member; 0 when it is absent.
  ///   - text: where it stands.
  /// - Returns: `nil` for an absent member and for null, which say nothing.
  func createdAt(_ value: Int, _ text: Span<UInt8>) -> CreatedAt? {
    guard value > 0 else { return nil }
    switch scanner[value].kind {
    case .null: return nil
    case .string: if let time = time(ofText: value, text) { return time }
    case .object: if let time = time(ofMap: value, text) { return time }
    case .array, .number, .literalTrue, .literalFalse: break
    }
    return .unknown(excerpt(value, text))
  }

  private func time(ofText value: Int, _ text: Span<UInt8>) -> CreatedAt? {
    guard let range = string(value, text), let time = RFC3339.parse(text.extracting(range)) else {
      return nil
    }
    return .time(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  private func time(ofMap value: Int, _ text: Span<UInt8>) -> CreatedAt? {
    var seconds: Int64?
    var nanoseconds: Int64?
    var count = 0
    var index = value + 1
    let end = Int(scanner[value].next)
    while index < end {
      let name = text.extracting(scanner[index].range)
      let member = index + 1
      index = Int(scanner[member].next)
      count += 1
      if name.elementsEqual("timestampValue") {
        // It is the only member of such a value.
        return count == 1 && index == end ? time(ofText: member, text) : nil
      } else if name.elementsEqual("_seconds") || name.elementsEqual("seconds") {
        guard seconds == nil, let number = integer(member, text) else { return nil }
        seconds = number
      } else if name.elementsEqual("_nanoseconds") || name.elementsEqual("nanoseconds") {
        guard nanoseconds == nil, let number = integer(member, text) else { return nil }
        nanoseconds = number
      } else {
        return nil
      }
    }
    guard let seconds else { return nil }
    return .time(seconds: seconds, nanoseconds: nanoseconds ?? 0)
  }
}
