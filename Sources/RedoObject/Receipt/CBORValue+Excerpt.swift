// What stands in a receipt instead of what should, for messages: the diagnostic notation of RFC 8949, cut short.

internal import DAGCBOR

extension CBORValue {
  private static let limit = 100

  /// The beginning of the value; containers and bytes are only named.
  var excerpt: String {
    switch form {
    case .integer(let number): "\(number)"
    case .largeInteger(let number, let isNegative): isNegative ? "-1-\(number)" : "\(number)"
    case .text:
      "\"" + String(decoding: content.prefix(Self.limit), as: UTF8.self)
        + (content.count > Self.limit ? "..." : "") + "\""
    case .bytes: "\(content.count) bytes"
    case .link: "a link"
    case .array(let count): "an array of \(count)"
    case .map(let count): "a map of \(count)"
    case .bool(let truth): "\(truth)"
    case .null: "null"
    case .float(let number): "\(number)"
    }
  }
}
