// The armor of an age file: strict PEM (RFC 7468) without headers, for places that take only text.
//
//   -----BEGIN AGE ENCRYPTED FILE-----
//   Base64 in lines of 64 characters, the last one of 4 to 64
//   -----END AGE ENCRYPTED FILE-----
//
// Lines end with LF or CR LF. Blanks before and after are allowed, nothing else is.

/// The lines of an armor.
package enum AgeArmor {
  /// The first line.
  package static let firstLine = "-----BEGIN AGE ENCRYPTED FILE-----"
  static let lastLine = "-----END AGE ENCRYPTED FILE-----"
  static let columns = 64
  /// The bytes of a full line.
  static let lineBytes = 48
  /// The most blanks before and after.
  static let blankLimit = 1024

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || 0x09...0x0D ~= byte
  }

  /// Whether a file begins as an armored one does, blanks aside.
  ///
  /// - Parameter start: the first bytes of a file.
  /// - Returns: `false` for fewer bytes than it takes to tell.
  package static func isArmor(_ start: [UInt8]) -> Bool {
    start.drop(while: isBlank).starts(with: Array("-----BEGIN AGE".utf8))
  }
}

/// Writes an armor.
package struct AgeArmorWriter {
  private var waiting: [UInt8] = []
  private var output = Array("\(AgeArmor.firstLine)\n".utf8)

  /// An armor of nothing yet.
  package init() {}

  /// Adds bytes.
  package mutating func add(_ bytes: [UInt8]) {
    let all = waiting + bytes
    var place = 0
    while all.count - place >= AgeArmor.lineBytes {
      let next = place + AgeArmor.lineBytes
      Base64.append(all.span.extracting(place..<next), to: &output)
      output.append(UInt8(ascii: "\n"))
      place = next
    }
    waiting = Array(all[place...])
  }

  /// The text that was made since it was taken last.
  package mutating func take() -> [UInt8] {
    let text = output
    output = []
    return text
  }

  /// Makes the last lines, which `take` gives.
  package mutating func finish() {
    let last = waiting
    waiting = []
    if !last.isEmpty {
      Base64.append(last.span, to: &output)
      output.append(UInt8(ascii: "\n"))
    }
    output += "\(AgeArmor.lastLine)\n".utf8
  }
}

/// Reads an armor.
package struct AgeArmorReader {
  private enum Part {
    case before
    case lines
    case lastLine
    case after
  }

  private var part = Part.before
  private var waiting: [UInt8] = []
  private var number = 0
  private var blanks = 0

  /// An armor of which nothing is read yet.
  package init() {}

  /// Adds the next text.
  ///
  /// - Parameters:
  ///   - text: of any count.
  ///   - output: receives the bytes, also when it throws.
  /// - Throws: `armor`.
  package mutating func add(_ text: [UInt8], into output: inout [UInt8]) throws(AgeFault) {
    waiting += text
    var place = 0
    defer { waiting.removeFirst(place) }
    while part != .after {
      if part == .before {
        let start = waiting[place...].firstIndex { !AgeArmor.isBlank($0) } ?? waiting.count
        number += waiting[place..<start].count { $0 == UInt8(ascii: "\n") }
        try skip(start - place)
        place = start
      }
      guard let end = waiting[place...].firstIndex(of: UInt8(ascii: "\n")) else {
        // No line is longer than its first or last one.
        guard waiting.count - place <= AgeArmor.columns + 1 else { throw wrong }
        return
      }
      let line = waiting[place..<end]
      place = end + 1
      number += 1
      try take(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, into: &output)
    }
    try skip(after: waiting[place...])
    place = waiting.count
  }

  /// Ends the text.
  ///
  /// - Parameter output: receives the last bytes.
  /// - Throws: `armor`.
  package mutating func finish(into output: inout [UInt8]) throws(AgeFault) {
    if part != .after, !waiting.isEmpty {
      let line = waiting
      waiting = []
      number += 1
      try take(line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], into: &output)
    }
    guard part == .after else { throw .armor(line: number + 1, part == .before ? .start : .cutOff) }
  }

  private var wrong: AgeFault { .armor(line: number + 1, part == .before ? .start : .line) }

  private mutating func take(
    _ line: ArraySlice<UInt8>, into output: inout [UInt8]
  ) throws(AgeFault) {
    switch part {
    case .before:
      guard line.elementsEqual(AgeArmor.firstLine.utf8) else {
        throw .armor(line: number, .start)
      }
      part = .lines
    case .lines, .lastLine:
      if line.elementsEqual(AgeArmor.lastLine.utf8) {
        part = .after
        return
      }
      guard part == .lines, !line.isEmpty, line.count <= AgeArmor.columns,
        let bytes = Base64.decode(Array(line).span)
      else { throw .armor(line: number, .line) }
      // A line that is not full, or ends with padding, is the last.
      if bytes.count < AgeArmor.lineBytes { part = .lastLine }
      output += bytes
    case .after: break
    }
  }

  private mutating func skip(after text: ArraySlice<UInt8>) throws(AgeFault) {
    guard text.allSatisfy(AgeArmor.isBlank) else { throw .armor(line: number + 1, .trailing) }
    try skip(text.count)
  }

  private mutating func skip(_ count: Int) throws(AgeFault) {
    blanks += count
    guard blanks <= AgeArmor.blankLimit else {
      throw .armor(line: number + 1, part == .after ? .trailing : .start)
    }
  }
}
