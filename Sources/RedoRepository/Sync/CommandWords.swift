// A command line in a setting, taken apart without a shell: blanks divide, quotes and backslashes keep
// together (IEEE Std 1003.1-2024, XCU 2.2), and nothing is ever expanded.

/// Takes command lines apart.
package enum CommandWords {
  /// The words of a command line.
  ///
  /// - Parameter text: as it stands in a setting.
  /// - Returns: its words; `nil` when a quote does not end, or a backslash stands last.
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
        // Within quotes a backslash only takes the meaning of what would end them, or its own.
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
