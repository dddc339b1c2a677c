// Reads the lines of a trust file. A line that is not understood makes the whole file unusable: a
// misspelt revocation must not go unnoticed.

internal import RedoCrypto

/// What is wrong with a trust file, and where.
package struct TrustFault: Error, Equatable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The byte of the file, from 0.
  package let offset: Int
  /// Lower case, without a full stop; text of the file unescaped.
  package let reason: String

  /// A fault at a place.
  package init(line: Int, offset: Int, _ reason: String) {
    self.line = line
    self.offset = offset
    self.reason = reason
  }

  /// The fault, following its place.
  package var description: String { "line \(line), byte \(offset): \(reason)" }
}

/// Reads one line.
struct TrustParser {
  private let bytes: [UInt8]
  private let number: Int
  private let range: Range<Int>
  /// The longest piece of a file that is shown in a message, in bytes.
  private static let excerptCount = 80

  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - range: the line, without its line feed.
  ///   - number: the line, from 1.
  init(_ bytes: [UInt8], _ range: Range<Int>, number: Int) {
    self.bytes = bytes
    self.range = range
    self.number = number
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Reads the line.
  ///
  /// - Returns: `nil` when it is empty, or only a comment.
  /// - Throws: the fault.
  func line() throws(TrustFault) -> TrustLine? {
    let signerRange = word(from: range.lowerBound)
    guard !signerRange.isEmpty, bytes[signerRange.lowerBound] != UInt8(ascii: "#") else {
      return nil
    }
    guard let signer = Signer(hex: bytes.span.extracting(signerRange)) else {
      let hint = EncodingHint.text(for: bytes.span.extracting(signerRange))
      throw fault(
        signerRange,
        "a signer is 64 or 32 lower-case hex digits, not '\(text(signerRange))'"
          + (hint.map { " (\($0))" } ?? ""))
    }
    var line = TrustLine(signer)
    var rest = word(from: signerRange.upperBound)
    if !rest.isEmpty, bytes[rest.lowerBound] != UInt8(ascii: "#") {
      try readOptions(rest, &line)
      rest = word(from: rest.upperBound)
    }
    guard !rest.isEmpty else { return line }
    guard bytes[rest.lowerBound] == UInt8(ascii: "#") else {
      throw fault(
        rest, "options are separated by commas, and a comment begins with '#': '\(text(rest))'")
    }
    var comment = bytes[(rest.lowerBound + 1)..<range.upperBound]
    while let last = comment.last, Self.isBlank(last) { comment.removeLast() }
    line.comment = Array(comment.drop { Self.isBlank($0) })
    return line
  }

  /// The next word of the line; it ends at a blank.
  private func word(from start: Int) -> Range<Int> {
    var first = start
    while first < range.upperBound, Self.isBlank(bytes[first]) { first += 1 }
    var end = first
    while end < range.upperBound, !Self.isBlank(bytes[end]) { end += 1 }
    return first..<end
  }

  private func readOptions(_ word: Range<Int>, _ line: inout TrustLine) throws(TrustFault) {
    var start = word.lowerBound
    while start <= word.upperBound {
      let rest = bytes[start..<word.upperBound]
      let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? word.upperBound
      try readOption(start..<end, &line)
      start = end + 1
    }
    guard line.isRevoked || line.validThrough.isEmpty else {
      throw fault(word, "'valid-through' says what stays good of a key that is 'revoked'")
    }
    guard line.proof == nil || (line.signer.key != nil && line.sameAs?.key != nil) else {
      throw fault(word, "'proof' is of a key that is 'same-as' another key")
    }
    guard line.devices.isEmpty || line.signer.key != nil else {
      throw fault(word, "'device' names whose receipts a key signs, and a user id is none")
    }
    if let after = line.validAfter, let before = line.validBefore, after >= before {
      throw fault(word, "'valid-after' is not before 'valid-before'")
    }
  }

  private func readOption(_ option: Range<Int>, _ line: inout TrustLine) throws(TrustFault) {
    guard !option.isEmpty else { throw fault(option, "an option is empty") }
    let equals = bytes[option].firstIndex(of: UInt8(ascii: "="))
    let name = option.lowerBound..<(equals ?? option.upperBound)
    let value = equals.map { ($0 + 1)..<option.upperBound }
    switch (text(name), value) {
    case ("revoked", nil):
      try once(line.isRevoked, name)
      line.isRevoked = true
    case ("role", .some(let value)):
      try once(line.role != nil, name)
      line.role = TrustLine.Role(rawValue: text(value))
      guard line.role != nil else {
        throw fault(value, "a role is 'author' or 'auditor', not '\(text(value))'")
      }
    case ("valid-after", .some(let value)):
      try once(line.validAfter != nil, name)
      line.validAfter = try time(value)
    case ("valid-before", .some(let value)):
      try once(line.validBefore != nil, name)
      line.validBefore = try time(value)
    case ("valid-through", .some(let value)):
      guard let id = ObjectID(ascii: bytes.span.extracting(value)) else {
        throw fault(value, "an id is 'sha256:' and 64 lower-case hex digits, not '\(text(value))'")
      }
      line.validThrough.append(id)
    case ("same-as", .some(let value)):
      try once(line.sameAs != nil, name)
      guard let signer = Signer(hex: bytes.span.extracting(value)) else {
        throw fault(
          value, "'same-as' names 64 or 32 lower-case hex digits, not '\(text(value))'")
      }
      guard signer != line.signer else { throw fault(value, "'same-as' names the signer itself") }
      line.sameAs = signer
    case ("proof", .some(let value)):
      try once(line.proof != nil, name)
      line.proof = KeyLink(bytes.span.extracting(value))
      guard line.proof != nil else {
        throw fault(value, "a proof is a time and two signatures, '/' between them")
      }
    case ("device", .some(let value)):
      guard let device = DeviceName(escaped: bytes[value]) else {
        throw fault(
          value,
          "a device is a did, '/' and a deviceId, '%' and two hex digits for any byte but "
            + "letters, digits and '.:_-', not '\(text(value))'")
      }
      guard !line.devices.contains(device) else {
        throw fault(value, "the device is named twice")
      }
      line.devices.append(device)
    case ("revoked", .some):
      throw fault(option, "'revoked' has no value; what stays good is told by 'valid-through'")
    case ("role", nil), ("valid-after", nil), ("valid-before", nil), ("valid-through", nil),
      ("same-as", nil), ("proof", nil), ("device", nil):
      throw fault(option, "'\(text(name))' lacks its value")
    default:
      throw fault(option, "unknown option '\(text(option))'")
    }
  }

  private func once(_ isGiven: Bool, _ name: Range<Int>) throws(TrustFault) {
    if isGiven { throw fault(name, "'\(text(name))' is given twice") }
  }

  private func time(_ value: Range<Int>) throws(TrustFault) -> WallTime {
    guard let (time, _) = WallTime.parse(bytes.span.extracting(value)) else {
      throw fault(value, "a time is written YYYY-MM-DDTHH:MM:SS.mmmZ and exists: '\(text(value))'")
    }
    return time
  }

  private func text(_ range: Range<Int>) -> String {
    let shown = String(decoding: bytes[range].prefix(Self.excerptCount), as: UTF8.self)
    return range.count > Self.excerptCount ? shown + "..." : shown
  }

  private func fault(_ range: Range<Int>, _ reason: String) -> TrustFault {
    TrustFault(line: number, offset: range.lowerBound, reason)
  }
}
