// Why an age file cannot be read.

/// Why an age file cannot be read.
package enum AgeFault: Error, Equatable, Sendable {
  /// It does not begin as an age file does.
  case notAge
  /// It is of another version than v1.
  case version
  /// A line of the header, counted from 1, is not as it must be.
  case header(line: Int, Header)
  /// The header is not the one that was written with the file key.
  case changedHeader
  /// A passphrase asks for more work than is done here: the base-2 logarithm of scrypt's N.
  case work(logarithm: Int)
  /// The system does not have as much memory as a passphrase needs.
  case memory(logarithm: Int)
  /// A chunk of the payload, counted from 0, is not as it must be.
  case payload(chunk: Int, Payload)
  /// A line of the armor, counted from 1, is not as it must be.
  case armor(line: Int, Armor)

  /// What is wrong with a line of a header.
  package enum Header: Equatable, Sendable {
    /// The file ends in it.
    case cutOff
    /// The header is larger than `AgeHeader.byteLimit`.
    case tooLong
    /// It is neither a stanza nor the end.
    case form
    /// It is no line of a body: unpadded Base64 of one text a value, at most 64 characters.
    case body
    /// The arguments or the body of a known kind of stanza are not those of the kind.
    case stanza
    /// The share is a point with which everybody shares a secret.
    case lowOrder
    /// A passphrase is not the only way to open the file.
    case passphraseNotAlone
  }

  /// What is wrong with a chunk.
  package enum Payload: Equatable, Sendable {
    /// It is not what was written with the file key at this place.
    case changed
    /// The file ends before its last chunk does.
    case cutOff
    /// Bytes follow the last chunk.
    case trailing
    /// It is the last of several, and empty.
    case empty
  }

  /// What is wrong with a line of an armor.
  package enum Armor: Equatable, Sendable {
    /// It is not the line that an armor begins with.
    case start
    /// It is no Base64 of 64 characters, or of fewer on the last line.
    case line
    /// The file ends before the armor does.
    case cutOff
    /// More than blanks follow it.
    case trailing
  }
}
