// A command line in a setting, split without a shell: blanks separate, quotes and backslashes join (IEEE Std
// 1003.1-2024, XCU 2.2), and nothing is ever expanded.

/// Splits command lines.
package enum CommandWords {
  /// The words of a command line.
  ///
  /// - Parameter text: the text in a setting.
  /// - Returns: its words; `nil` when a quote does not end, or the text ends in a backslash.
  package static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    var isInside = false
    var quote: UInt8?
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\\") where quote != UInt8(ascii: "'"):
        guard let next = bytes.popFirst() else { return nil }
        // Within quotes a backslash only escapes the closing quote, or itself.
        if quote != nil, next != UInt8(ascii: "\""), next != byte { word.append(byte) }
        word.append(next)
        isInside = true
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        switch quote {
        case nil: quote = byte
        case byte: quote = nil
        default: word.append(byte)
        }
        isInside = true
      case UInt8(ascii: " ") where quote == nil, UInt8(ascii: "\t") where quote == nil:
        if isInside { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
        isInside = false
      default:
        word.append(byte)
        isInside = true
      }
    }
    guard quote == nil else { return nil }
    if isInside { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
