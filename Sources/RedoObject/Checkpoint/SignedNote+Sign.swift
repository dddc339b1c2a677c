// Signing notes with Ed25519, under the key's own hex digits as its name.

package import RedoCrypto

extension SignedNote {
  /// A hash that tells apart keys of one name (c2sp.org/signed-note, "Signatures").
  ///
  /// - Parameter key: the public key; its name are its hex digits.
  /// - Returns: four bytes.
  package static func keyID(of key: PublicKey) -> [UInt8] {
    var text: [UInt8] = []
    Hex.append(key.bytes.span, to: &text)
    text.append(UInt8(ascii: "\n"))
    text.append(ed25519)
    text.append(key.bytes.span)
    let digest = SHA256.digest(of: text.span)
    return (0..<4).map { digest.bytes[$0] }
  }

  /// Signs a text.
  ///
  /// - Parameters:
  ///   - text: ends in a line feed, and has no empty line.
  ///   - key: the key.
  /// - Returns: the note, with this one signature.
  package static func signing(_ text: [UInt8], with key: borrowing SecretKey) -> SignedNote {
    precondition(text.last == UInt8(ascii: "\n"), "BUG: the text of a note does not end")
    let signature = key.sign(text.span)
    var signed = keyID(of: key.publicKey)
    signed.append(signature.bytes.span)
    var note = text
    note.append(UInt8(ascii: "\n"))
    note += dash
    Hex.append(key.publicKey.bytes.span, to: &note)
    note.append(UInt8(ascii: " "))
    Base64.append(signed.span, to: &note)
    note.append(UInt8(ascii: "\n"))
    do throws(NoteError) {
      return try SignedNote(decoding: note)
    } catch {
      preconditionFailure("BUG: a note is not read back: \(error)")
    }
  }
}
