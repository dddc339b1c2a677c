// The text of a trust file: what a command does not add stays byte for byte, comments, order and
// blanks included.

/// The text of a trust file, which is understood as a whole.
package struct TrustText: Sendable {
  /// A line with something on it.
  package struct Entry: Sendable {
    /// The line, from 1.
    package let number: Int
    /// Its first byte.
    package let offset: Int
    /// What it says.
    package let line: TrustLine
  }

  /// The bytes.
  package private(set) var bytes: [UInt8]
  /// The lines that say something, first to last.
  package private(set) var entries: [Entry]
  /// What they say together.
  package private(set) var list: TrustList

  /// A text without a line.
  package init() {
    bytes = []
    entries = []
    list = TrustList()
  }

  /// Reads a text.
  ///
  /// - Parameter bytes: the contents of the file.
  /// - Throws: the first line that is not understood, or contradicts one before it.
  package init(_ bytes: [UInt8]) throws(TrustFault) {
    entries = try Self.entries(bytes)
    list = try TrustList(entries)
    self.bytes = bytes
  }

  private static func entries(_ bytes: [UInt8]) throws(TrustFault) -> [Entry] {
    var entries: [Entry] = []
    var start = 0
    var number = 0
    while start < bytes.count {
      number += 1
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if let line = try TrustParser(bytes, start..<end, number: number).line() {
        entries.append(Entry(number: number, offset: start, line: line))
      }
      start = end + 1
    }
    return entries
  }

  /// Adds lines at the end.
  ///
  /// - Parameter lines: what is to be added.
  /// - Throws: a line that contradicts another; nothing has changed then.
  package mutating func append(_ lines: [TrustLine]) throws(TrustFault) {
    var changed = bytes
    if let last = changed.last, last != UInt8(ascii: "\n") { changed.append(UInt8(ascii: "\n")) }
    for line in lines { changed += line.bytes + [UInt8(ascii: "\n")] }
    self = try TrustText(changed)
  }
}
