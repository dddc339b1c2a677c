// A signed note (c2sp.org/signed-note): text that ends in a line feed, an empty line, and signatures,
// a line each:
//
//   <em dash> SP <key name> SP base64(key ID: 4 bytes || signature)
//
// Our own key names are the public keys themselves, 64 hex digits, so that a note can be checked with
// nothing else; whether a key may be believed is another question. Signatures by keys of other names
// are those of others, such as witnesses: they are kept and say nothing here.

package import RedoCrypto

/// Why a text is not what it should be.
package struct NoteError: Error, Equatable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The fault, as a clause.
  package let fault: String

  /// A fault of a line.
  package init(_ line: Int, _ fault: String) {
    self.line = line
    self.fault = fault
  }

  /// The same fault in a text whose first line is a later line of another text.
  package func offset(by lines: Int) -> NoteError { NoteError(line + lines, fault) }
}

extension NoteError: CustomStringConvertible {
  /// The line and its fault.
  package var description: String { "line \(line): \(fault)" }
}

/// A text with signatures.
package struct SignedNote: Equatable, Sendable {
  /// The most bytes of a note: 16 signatures of 5,000 bytes have room, as the specification asks.
  package static let byteLimit = 262_144
  /// The type of Ed25519 signatures, of c2sp.org/signed-note.
  static let ed25519: UInt8 = 1

  /// One signature line.
  package struct Line: Equatable, Sendable {
    /// Its number in the note, from 1.
    package let number: Int
    /// The name of the key, which says nothing about its owner.
    package let name: [UInt8]
    /// Four bytes that tell keys of one name apart.
    package let keyID: [UInt8]
    /// The signature itself.
    package let signature: [UInt8]
  }

  /// The whole note.
  package let bytes: [UInt8]
  /// How many of its bytes are signed: the text with its last line feed.
  package let textCount: Int
  /// The signatures, in their order.
  package let signatures: [Line]

  init(bytes: [UInt8], textCount: Int, signatures: [Line]) {
    self.bytes = bytes
    self.textCount = textCount
    self.signatures = signatures
  }

  /// What is signed.
  package var text: ArraySlice<UInt8> { bytes[..<textCount] }

  /// Verifies the signatures that can be verified: those whose key is their name.
  ///
  /// - Returns: the keys that have signed, in the order of the note; none when no line has a key of
  ///   ours.
  /// - Throws: the first signature of ours that does not hold: one such line invalidates the note.
  package func signers() throws(NoteError) -> [PublicKey] {
    var keys: [PublicKey] = []
    for line in signatures {
      guard let digits = Hex.decode32(line.name.span) else { continue }
      let key = PublicKey(bytes: digits)
      guard line.keyID == Self.keyID(of: key) else { continue }
      guard line.signature.count == 64 else {
        throw NoteError(line.number, "a signature has \(line.signature.count) bytes, not 64")
      }
      let signature = Signature(bytes: InlineArray { line.signature[$0] })
      let text = bytes.span.extracting(0..<textCount)
      guard Ed25519.isValid(signature, of: text, by: key) else {
        throw NoteError(line.number, "the signature does not hold")
      }
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }
}
