// JSON as it is written: into bytes, without white space.

internal import CanonicalJSON
internal import RedoObject

extension Array where Element == UInt8 {
  /// Appends a string with its quotes.
  ///
  /// - Parameter text: any text.
  package mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 { StringEscape.append(byte, to: &self) }
    append(UInt8(ascii: "\""))
  }

  /// Appends a comma unless a bracket has just been opened.
  mutating func appendComma() {
    guard let last, last != UInt8(ascii: "{"), last != UInt8(ascii: "[") else { return }
    append(UInt8(ascii: ","))
  }

  /// Appends the name of a member, with the comma before it and the colon behind it.
  ///
  /// - Parameter name: ASCII without characters that JSON escapes.
  mutating func appendName(_ name: StaticString) {
    appendComma()
    append(UInt8(ascii: "\""))
    append(name)
    append("\":")
  }
}
