// Strings of JSON as RFC 8785, section 3.2.2.2, writes them, for rows and messages.

package import CanonicalJSON

/// Writes JSON strings.
package enum JSONText {
  /// Appends a text as a JSON string, with its quotes.
  package static func append(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 { StringEscape.append(byte, to: &output) }
    output.append(UInt8(ascii: "\""))
  }
}
