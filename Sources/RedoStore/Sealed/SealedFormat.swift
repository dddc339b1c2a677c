// A sealed file: a pack that only its recipients can read (redo-sealed(5)).
//
//   12 bytes    89 "redoseal" CR LF, and the version
//   2 bytes     the number of stanzas
//   stanzas     each: kind (1 byte), bytes (2 bytes), and these: the file key, wrapped
//   32 bytes    SHA-256 of all before: distinguishes damage from a missing key
//   32 bytes    BLAKE2b of all before under the file key: nobody without it can add or remove a stanza
//   24 bytes    the header of the stream
//   chunks      65,536 bytes each and 17 more; the last may be shorter, and says that it is the last
//
// Numbers are little-endian.

/// The constants of the format.
package enum SealedFile {
  /// The version that is written, and the only one that is read.
  package static let version: UInt8 = 1
  /// What every sealed file of any version begins with.
  package static let magic: [UInt8] = [0x89] + Array("redoseal\r\n".utf8)

  /// The bytes of a chunk before they are sealed.
  static let chunkBytes = 65_536
  /// The most stanzas.
  package static let stanzaLimit = 256
  /// The most bytes of a stanza of a kind that is not known here.
  static let stanzaByteLimit = 1024

  /// Whether a file is sealed, in whatever version.
  ///
  /// - Parameter start: its first bytes, `magic.count` of them or more.
  /// - Returns: `false` for fewer bytes.
  package static func isSealed(_ start: [UInt8]) -> Bool { start.starts(with: magic) }
}
