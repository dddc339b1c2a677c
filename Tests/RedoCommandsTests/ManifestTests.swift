// Manifests and their signatures: exactly the bytes that were written can be read back.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Signatures of manifests")
struct ManifestTests {
  private static func key() -> SecretKey {
    var seed = [UInt8](repeating: 7, count: 32)
    return SecretKey(seed: SecretBytes(moving: &seed))
  }

  @Test("hold for the manifest they were made of, and for no other")
  func holds() {
    let manifest = Array("{\"bytes\":1}\n".utf8)
    let signature = ManifestSignature(of: manifest, by: Self.key())
    #expect(signature.holds(for: manifest))
    #expect(!signature.holds(for: manifest + [10]))
    #expect(ManifestSignature(signature.bytes) == signature)
    // A plain signature of the bytes, as for a node, is not a signature of a manifest.
    let isPlain = Ed25519.isValid(signature.signature, of: manifest.span, by: signature.key)
    #expect(!isPlain)
  }

  @Test("every change of a byte is refused, by the form or by the signature")
  func changes() {
    let manifest = Array("{\"bytes\":1}\n".utf8)
    let bytes = ManifestSignature(of: manifest, by: Self.key()).bytes
    for place in bytes.indices {
      var bad = bytes
      bad[place] ^= 1
      #expect(ManifestSignature(bad)?.holds(for: manifest) != true, "byte \(place)")
    }
    for count in bytes.indices { #expect(ManifestSignature(Array(bytes[..<count])) == nil) }
    #expect(ManifestSignature(bytes + [10]) == nil)
  }
}
