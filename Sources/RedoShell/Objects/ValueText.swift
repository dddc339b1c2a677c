// A value of a state or of a content on a line for people: canonical JSON, escaped, and not too long.

internal import RedoRepository

/// Writes values.
package enum ValueText {
  /// The longest value that is shown whole, in bytes.
  package static let limit = 200

  /// Appends a value.
  ///
  /// - Parameters:
  ///   - value: RFC 8785 JSON.
  ///   - output: receives the text.
  package static func append(_ value: [UInt8], to output: inout [UInt8]) {
    guard value.count > limit else {
      output += Escape.text(value).utf8
      return
    }
    let text = String(decoding: value.prefix(limit), as: UTF8.self)
    output += Escape.text(text).utf8
    output += "...".utf8
  }
}
