// Strings of JSON as RFC 8785, section 3.2.2.2, writes them, for rows and messages.

internal import CanonicalJSON

/// Writes JSON strings.
package enum JSONText {
  /// Appends a text as a JSON string, with its quotes.
  package static func append(_ text: String, to output: inout [UInt8]) {
    JSONWriter.appendString(text, to: &output)
  }
}
