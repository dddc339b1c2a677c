// Formats as in git's --format and --batch: text with %(atom), %%, %n, %xNN and %NN (hex). `%(atom:pad=20)` makes a value
// at least 20 characters wide by blanks behind it, `%(atom:pad=-20)` by blanks before it.

internal import RedoRepository

/// A format, read once and applied to many rows.
///
/// `Atom` is the command's own enum of what a row can show.
@usableFromInline
package struct Format<Atom: Sendable>: Sendable {
  /// A part of a format.
  @usableFromInline
  package enum Piece: Sendable {
    /// These bytes.
    case literal([UInt8])
    /// The value of this atom in the row, at least so many characters wide; negative with blanks before it.
    case atom(Atom, width: Int)
  }

  /// The parts, first to last; two literals are never adjacent.
  @usableFromInline package let pieces: [Piece]

  /// Reads a format.
  ///
  /// - Parameters:
  ///   - text: as the user wrote it.
  ///   - atoms: the names that may stand in `%(…)`; several names may mean the same.
  /// - Throws: `fatal` for an unknown atom, and for anything else after `%` that has no meaning.
  package init(_ text: String, atoms: some Collection<(key: String, value: Atom)>) throws {
    var reader = FormatReader(bytes: Array(text.utf8))
    var pieces: [Piece] = []
    while let token = try reader.next() {
      switch token {
      case .literal(let bytes): pieces.append(.literal(bytes))
      case .name(let name):
        let (plain, width) = try Self.padding(name)
        guard let atom = atoms.first(where: { $0.key == plain }) else {
          throw CommandError.fatal(
            "unknown atom '\(plain)' in the format '\(text)'",
            hints: Suggestion.hints(for: plain, among: atoms.map(\.key)))
        }
        pieces.append(.atom(atom.value, width: width))
      }
    }
    self.pieces = pieces
  }

  /// The widest that a value can be asked to be.
  private static var widthLimit: Int { 1000 }

  /// The name of an atom without `:pad=<n>`, and that number.
  ///
  /// - Throws: `fatal` for a number that is none, or too large.
  private static func padding(_ name: String) throws -> (name: String, width: Int) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = parts.last, last.hasPrefix("pad=") else { return (name, 0) }
    let digits = last.dropFirst("pad=".count)
    guard let width = Int(digits), String(width) == digits, abs(width) <= widthLimit else {
      throw CommandError.fatal(
        "'\(digits)' is not a width in '%(\(name))'",
        hints: ["a width is a number up to \(widthLimit); '-' before it puts the blanks in front"])
    }
    return (parts.dropLast().joined(separator: ":"), width)
  }

  /// Makes what was appended to an output wider by blanks.
  ///
  /// - Parameters:
  ///   - output: the output.
  ///   - start: where the value begins in it.
  ///   - width: how many characters it must have; negative with blanks before it.
  @usableFromInline
  static func pad(_ output: inout [UInt8], from start: Int, to width: Int) {
    // Characters, not bytes: a byte that continues one is not counted.
    let count = output[start...].count { $0 & 0xC0 != 0x80 }
    guard count < abs(width) else { return }
    let blanks = repeatElement(UInt8(ascii: " "), count: abs(width) - count)
    output.insert(contentsOf: blanks, at: width < 0 ? start : output.count)
  }

  /// Appends one row.
  ///
  /// - Parameters:
  ///   - output: receives the bytes.
  ///   - value: appends the value of an atom.
  /// - Throws: the errors of `value`.
  @inlinable
  package func append<Failure: Error>(
    to output: inout [UInt8], _ value: (Atom, inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for piece in pieces {
      switch piece {
      case .literal(let bytes): output.append(contentsOf: bytes)
      case .atom(let atom, let width):
        let start = output.count
        try value(atom, &output)
        if width != 0 { Self.pad(&output, from: start, to: width) }
      }
    }
  }

  /// Whether any atom of the format satisfies a condition; values that are not shown need not be
  /// computed.
  package func contains(where condition: (Atom) -> Bool) -> Bool {
    pieces.contains { piece in
      if case .atom(let atom, _) = piece { condition(atom) } else { false }
    }
  }
}

/// Splits a format into literals and names.
private struct FormatReader {
  enum Token {
    case literal([UInt8])
    case name(String)
  }

  let bytes: [UInt8]
  var position = 0

  mutating func next() throws -> Token? {
    var literal: [UInt8] = []
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "%") else {
        literal.append(bytes[position])
        position += 1
        continue
      }
      if byte(after: 1) == UInt8(ascii: "(") {
        return literal.isEmpty ? try name() : .literal(literal)
      }
      literal.append(try escape())
    }
    return literal.isEmpty ? nil : .literal(literal)
  }

  private func byte(after distance: Int) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  private mutating func name() throws -> Token {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ")")) else {
      throw CommandError.fatal(
        "missing ')' in the format after '\(Escape.text(bytes[position...]))'")
    }
    defer { position = end + 1 }
    return .name(String(decoding: bytes[(position + 2)..<end], as: UTF8.self))
  }

  private mutating func escape() throws -> UInt8 {
    switch byte(after: 1) {
    case UInt8(ascii: "%"):
      position += 2
      return UInt8(ascii: "%")
    case UInt8(ascii: "n"):
      position += 2
      return UInt8(ascii: "\n")
    case UInt8(ascii: "x"):
      return try hex(after: 2)
    default:
      return try hex(after: 1)
    }
  }

  private mutating func hex(after distance: Int) throws -> UInt8 {
    guard let high = Self.value(byte(after: distance)),
      let low = Self.value(byte(after: distance + 1))
    else {
      let part = bytes[position...].prefix(distance + 2)
      throw CommandError.fatal(
        "unknown placeholder '\(Escape.text(part))' in the format",
        hints: ["a percent sign is written '%%'"])
    }
    position += distance + 2
    return high << 4 | low
  }

  private static func value(_ digit: UInt8?) -> UInt8? {
    switch digit {
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")): digit.map { $0 - UInt8(ascii: "0") }
    case .some(UInt8(ascii: "a")...UInt8(ascii: "f")): digit.map { $0 - UInt8(ascii: "a") + 10 }
    case .some(UInt8(ascii: "A")...UInt8(ascii: "F")): digit.map { $0 - UInt8(ascii: "A") + 10 }
    default: nil
    }
  }
}
