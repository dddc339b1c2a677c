// Reading signed notes: one defect, one fault with its line.

internal import RedoCrypto

extension SignedNote {
  /// The em dash and the space that a signature line begins with.
  static let dash: [UInt8] = [0xE2, 0x80, 0x94, 0x20]

  /// Reads a note.
  ///
  /// - Parameter bytes: the whole note, and nothing else.
  /// - Throws: the first fault.
  package init(decoding bytes: [UInt8]) throws(NoteError) {
    let lines = try NoteLines(bytes, limit: Self.byteLimit)
    // The text is separated from the signatures by the last empty line.
    guard let empty = lines.ranges.lastIndex(where: \.isEmpty) else {
      throw NoteError(lines.ranges.count, "no empty line separates a text from its signatures")
    }
    guard empty > 0 else { throw NoteError(1, "there is no text above the empty line") }
    guard empty + 1 < lines.ranges.count else {
      throw NoteError(empty + 1, "no signature follows the empty line")
    }
    var signatures: [Line] = []
    for index in (empty + 1)..<lines.ranges.count {
      signatures.append(try Self.signature(bytes[lines.ranges[index]], number: index + 1))
    }
    self.init(
      bytes: bytes, textCount: lines.ranges[empty].lowerBound, signatures: signatures)
  }

  private static func signature(
    _ line: ArraySlice<UInt8>, number: Int
  ) throws(NoteError) -> Line {
    guard line.starts(with: dash) else {
      throw NoteError(number, "a signature line does not begin with a dash (U+2014) and a space")
    }
    let parts = line.dropFirst(dash.count).split(
      separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw NoteError(number, "a signature line is not a dash, a key name and a signature")
    }
    let name = Array(parts[0])
    let text = String(decoding: name, as: UTF8.self)
    guard !name.isEmpty, !name.contains(UInt8(ascii: "+")),
      !text.unicodeScalars.contains(where: \.properties.isWhitespace)
    else { throw NoteError(number, "a key name is empty, or has a space or a plus sign") }
    let encoded = Array(parts[1])
    guard let signed = Base64.decode(encoded.span) else {
      throw NoteError(number, "a signature is not Base64")
    }
    guard signed.count > 4 else { throw NoteError(number, "a signature is too short") }
    return Line(
      number: number, name: name, keyID: Array(signed[..<4]), signature: Array(signed[4...]))
  }
}

/// The lines of a text whose bytes have all been checked.
struct NoteLines {
  /// Where the lines are, without their ends.
  let ranges: [Range<Int>]

  /// Splits a text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8 that ends in a line feed, without other control characters.
  ///   - limit: the most bytes.
  /// - Throws: the first line that is malformed.
  init(_ bytes: [UInt8], limit: Int) throws(NoteError) {
    guard bytes.count <= limit else { throw NoteError(1, "the text is longer than \(limit) bytes") }
    guard !bytes.isEmpty else { throw NoteError(1, "there is nothing") }
    var ranges: [Range<Int>] = []
    var start = 0
    for index in bytes.indices {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\n") {
        try Self.check(bytes[start..<index], ranges.count + 1)
        ranges.append(start..<index)
        start = index + 1
      } else if byte < 0x20 {
        throw NoteError(ranges.count + 1, "a control character")
      }
    }
    guard start == bytes.count else {
      throw NoteError(ranges.count + 1, "the last line does not end in a line feed")
    }
    self.ranges = ranges
  }

  private static func check(_ line: ArraySlice<UInt8>, _ number: Int) throws(NoteError) {
    guard String(validating: line, as: UTF8.self) != nil else {
      throw NoteError(number, "bytes that are not UTF-8")
    }
  }
}
