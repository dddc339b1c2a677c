// RS256: the signature that RFC 7515 prints, and keys that do not sign, each with its reason.

import RedoCrypto
import TestSupport
import Testing

@Suite("RS256")
struct RS256Tests {
  private static let folder = VectorFolder.own("rs256")

  private static func sign(_ message: [UInt8], _ pem: [UInt8]) throws -> [UInt8] {
    var pem = pem
    let secret = SecretBytes(moving: &pem)
    return try RS256.sign(message.span, pem: secret)
  }

  /// What is signed: one line.
  private static func message() throws -> [UInt8] { Array(try folder.bytes("message").dropLast()) }

  @Test("RFC 7515, appendix A.2.1, with the key as PKCS #8 and as PKCS #1", arguments: [8, 1])
  func rfc7515(form: Int) throws {
    let made = try Self.sign(try Self.message(), try Self.folder.bytes("pkcs\(form).pem"))
    let expected = try Self.folder.text("signature").filter { $0 != "\n" }
    #expect(made == bytes(hex: expected))
  }

  @Test("lines before the key, and Windows' ends of lines, change nothing")
  func textAround() throws {
    let key = try Self.folder.bytes("pkcs8.pem")
    let message = try Self.message()
    let plain = try Self.sign(message, key)
    #expect(try Self.sign(message, Array("Bag Attributes\n".utf8) + key) == plain)
    let lines = key.split(separator: 0x0A).flatMap { $0 + [0x0D, 0x0A] }
    #expect(try Self.sign(message, lines) == plain)
  }

  @Test(
    "keys that do not sign",
    arguments: [
      ("small.pem", RSAKeyError.size(bits: 1024)), ("ed25519.pem", .otherAlgorithm),
      ("encrypted.pem", .encrypted), ("message", .noKey),
    ])
  func refused(name: String, error: RSAKeyError) throws {
    let pem = try Self.folder.bytes(name)
    #expect(throws: error) { try Self.sign([1, 2, 3], pem) }
  }

  @Test("a key that was cut or changed does not sign")
  func damaged() throws {
    let pem = try Self.folder.bytes("pkcs8.pem")
    for count in stride(from: 1, to: pem.count - 30, by: 97) {
      #expect(throws: RSAKeyError.noKey) { try Self.sign([1], Array(pem.prefix(count))) }
    }
    #expect(throws: RSAKeyError.noKey) {
      try Self.sign([1], [UInt8](repeating: 0x41, count: RS256.textLimit + 1))
    }
  }
}
