// A signature beside a manifest, three lines:
//
//   redo-archive-manifest-signature 1
//   key <64 hex>
//   signature <128 hex>
//
// It is made over the first line, with its line feed, and the bytes of the manifest: no node, checkpoint or proof
// begins like that, so the signature cannot be used for anything else.

package import RedoCrypto

/// The signature of a manifest.
package struct ManifestSignature: Equatable {
  /// The end of the name of such a file.
  package static let suffix = ArchiveManifest.suffix + ".sig"
  /// The most bytes of such a file.
  package static let byteLimit = 1024
  private static let firstLine = "redo-archive-manifest-signature 1\n"

  /// The key that signed it.
  package let key: PublicKey
  package let signature: Signature

  private init(key: PublicKey, signature: Signature) {
    self.key = key
    self.signature = signature
  }

  private static func message(_ manifest: [UInt8]) -> [UInt8] {
    Array(firstLine.utf8) + manifest
  }

  /// Signs a manifest.
  package init(of manifest: [UInt8], by key: borrowing SecretKey) {
    self.init(key: key.publicKey, signature: key.sign(Self.message(manifest).span))
    precondition(holds(for: manifest), "BUG: the signature made does not hold")
  }

  /// Whether it is the signature of a manifest.
  package func holds(for manifest: [UInt8]) -> Bool {
    Ed25519.isValid(signature, of: Self.message(manifest).span, by: key)
  }

  /// The bytes of the file.
  package var bytes: [UInt8] {
    let text =
      "\(Self.firstLine)key \(Hex.text(key.bytes.span))\n"
      + "signature \(Hex.text(signature.bytes.span))\n"
    return Array(text.utf8)
  }

  /// Reads a file; `nil` unless it has exactly this form.
  package init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let (keyName, signatureName) = (Array("key ".utf8), Array("signature ".utf8))
    guard lines.count == 4, lines[1].starts(with: keyName), lines[2].starts(with: signatureName),
      let key = Hex.decode32(Array(lines[1].dropFirst(keyName.count)).span),
      let signature = Hex.decode64(Array(lines[2].dropFirst(signatureName.count)).span)
    else { return nil }
    self.init(key: PublicKey(bytes: key), signature: Signature(bytes: signature))
    guard self.bytes == bytes else { return nil }
  }
}
