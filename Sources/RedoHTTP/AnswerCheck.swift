// What an answer's first lines mean (RFC 9110): whether frames follow, and if not, which fault it is.

package import RedoRemote

/// Looks at the status and the fields of an answer.
package enum AnswerCheck {
  /// The media type of frames.
  package static let mediaType = "application/vnd.redo.wire"
  /// The longest that a server may ask to wait.
  static let waitLimitSeconds = 3600

  /// Why an answer is unusable.
  ///
  /// - Parameters:
  ///   - status: its status.
  ///   - field: the value of one of its fields, by the name in lower case.
  /// - Returns: the fault; `nil` when frames follow.
  package static func fault(status: Int, _ field: (String) -> String?) -> PeerFault? {
    guard status == 200 else { return fault(ofStatus: status, field) }
    if let coding = field("content-encoding"), coding.lowercased() != "identity" {
      // What is small here could be of any size then.
      return PeerFault(
        .malformed, "the answer is encoded as '\(shown(coding))', which is not taken")
    }
    let type = field("content-type")
    guard let type, isWire(type) else {
      let what = type.map { "'\(shown($0))'" } ?? "of no media type"
      return PeerFault(
        .malformed,
        "the answer is \(what), not '\(mediaType)'; is this the address of a store?")
    }
    return nil
  }

  /// Whether a field `Content-Type` names frames, whatever parameters follow.
  ///
  /// - Parameter value: the field's value.
  /// - Returns: whether it does.
  package static func isWire(_ value: String) -> Bool {
    let type = value.prefix { $0 != ";" }
    return type.lowercased().filter { $0 != " " && $0 != "\t" } == mediaType
  }

  private static func fault(ofStatus status: Int, _ field: (String) -> String?) -> PeerFault {
    switch status {
    case 300..<400:
      let place = field("location").map { " to '\(shown($0))'" } ?? ""
      return PeerFault(
        .stopped, "status \(status): the store is redirected\(place), which is not followed")
    case 401: return PeerFault(.denied, "status 401: the token is missing, wrong or expired")
    case 403: return PeerFault(.denied, "status 403: the token does not give this right")
    case 404, 410:
      return PeerFault(.stopped, "status \(status): no store is served at this address")
    case 408, 425, 500, 502, 504: return PeerFault(.unavailable, "status \(status)")
    case 413: return PeerFault(.limit, "status 413: more is sent than the server takes at a time")
    case 429, 503:
      let wait = field("retry-after").flatMap(waitSeconds).map { "retry-after \($0): " } ?? ""
      let why = status == 429 ? "too many requests" : "the server has no room now"
      return PeerFault(.unavailable, "\(wait)status \(status): \(why)")
    default: return PeerFault(.stopped, "status \(status)")
    }
  }

  /// The seconds of a field `Retry-After`; a date there says nothing.
  ///
  /// - Parameter value: the field's value.
  /// - Returns: at most an hour; `nil` when it is not a number.
  package static func waitSeconds(_ value: String) -> Int? {
    guard (1...9).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(value).map { min($0, waitLimitSeconds) }
  }

  /// The beginning of a text of the server.
  private static func shown(_ text: String) -> String { String(text.unicodeScalars.prefix(120)) }
}
