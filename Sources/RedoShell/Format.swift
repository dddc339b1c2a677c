// Formats as in git's --format and --batch: text with %(atom), %%, %n, %xNN and %NN (hex).

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
    /// The value of this atom in the row.
    case atom(Atom)
  }

  /// The parts, first to last; two literals are never adjacent.
  @usableFromInline package let pieces: [Piece]

  /// Reads a format.
  ///
  /// - Parameters:
  ///   - text: as the user wrote it.
  ///   - atoms: the names that may stand in `%(…)`; several names may mean the same.
  /// - Throws: `fatal` for an unknown atom, and for anything else after `%` that has no meaning.
  package init(_ text: String, atoms: KeyValuePairs<String, Atom>) throws {
    var reader = FormatReader(bytes: Array(text.utf8))
    var pieces: [Piece] = []
    while let token = try reader.next() {
      switch token {
      case .literal(let bytes): pieces.append(.literal(bytes))
      case .name(let name):
        guard let atom = atoms.first(where: { $0.key == name }) else {
          throw CommandError.fatal(
            "unknown atom '\(name)' in the format '\(text)'",
            hints: Suggestion.hints(for: name, among: atoms.map(\.key)))
        }
        pieces.append(.atom(atom.value))
      }
    }
    self.pieces = pieces
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
      case .atom(let atom): try value(atom, &output)
      }
    }
  }

  /// Whether any atom of the format satisfies a condition; values that are not shown need not be
  /// computed.
  package func contains(where condition: (Atom) -> Bool) -> Bool {
    pieces.contains { piece in
      if case .atom(let atom) = piece { condition(atom) } else { false }
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
