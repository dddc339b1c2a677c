// The member `createdAt` of a remote's copy of a node: when the remote first had it, in one of the forms in which
// that has been written. It is not part of the node, and nothing depends on it.

internal import CanonicalJSON

/// What a copy of a node says about when a remote first had the node.
package enum CreatedAt: Equatable, Sendable {
  /// The time, what is below a millisecond cut off.
  case time(WallTime)
  /// The value has no known form: its beginning, unescaped.
  case unknown(String)

  /// An instant; `nil` outside of the years 0001 to 9999, and of 0 to 999,999,999 nanoseconds.
  fileprivate static func time(seconds: Int64, nanoseconds: Int64) -> CreatedAt? {
    let range = WallTime.earliest.milliseconds / 1000...WallTime.latest.milliseconds / 1000
    guard range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
    return .time(WallTime(milliseconds: seconds * 1000 + nanoseconds / 1_000_000))
  }
}

extension NodeJudge {
  /// Reads a time in any form: a text of RFC 3339; a map of `_seconds` and `_nanoseconds`, with or without the
  /// underscores, the second of which may be missing; or `timestampValue`, as in the REST interface of Firestore.
  ///
  /// - Parameter value: the member; `nil` when it is absent.
  /// - Returns: `nil` for an absent member and for null, which say nothing.
  func createdAt(_ value: JSONValue?) -> CreatedAt? {
    guard let value else { return nil }
    switch value.kind {
    case .null: return nil
    case .string: if let time = time(ofText: value) { return time }
    case .object: if let time = time(ofMap: value) { return time }
    case .array, .number, .literalTrue, .literalFalse: break
    }
    return .unknown(excerpt(value))
  }

  private func time(ofText value: JSONValue) -> CreatedAt? {
    guard let text = value.escaped, let time = RFC3339.parse(text) else {
      return nil
    }
    return .time(seconds: time.seconds, nanoseconds: time.nanoseconds)
  }

  private func time(ofMap value: JSONValue) -> CreatedAt? {
    var seconds: Int64?
    var nanoseconds: Int64?
    var count = 0
    var members = value.members
    while let next = members.next() {
      let name = next.name.content
      let member = next.value
      count += 1
      if name.elementsEqual("timestampValue") {
        // It is the only member of such a value.
        return count == 1 && members.next() == nil ? time(ofText: member) : nil
      } else if name.elementsEqual("_seconds") || name.elementsEqual("seconds") {
        guard seconds == nil, let number = integer(member) else { return nil }
        seconds = number
      } else if name.elementsEqual("_nanoseconds") || name.elementsEqual("nanoseconds") {
        guard nanoseconds == nil, let number = integer(member) else { return nil }
        nanoseconds = number
      } else {
        return nil
      }
    }
    guard let seconds else { return nil }
    return .time(seconds: seconds, nanoseconds: nanoseconds ?? 0)
  }
}
