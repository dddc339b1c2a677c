// Keys of our own: what is signed holds, what is changed does not, and secrets do not stay behind.

import RedoCrypto
import TestSupport
import Testing

@Suite("Secret keys")
struct SecretKeyTests {
  @Test("a signature holds for its message and key, and for nothing else")
  func signAndVerify() {
    for seed in SeededRandom.seeds("secret keys") {
      var random = SeededRandom(seed: seed)
      let key = secretKey(seed: random.bytes(32))
      let other = secretKey(seed: random.bytes(32))
      let (point, otherPoint) = (key.publicKey, other.publicKey)
      #expect(point != otherPoint)
      let message = random.bytes(random.below(300))
      let made = key.sign(message.span)
      #expect(holds(made, of: message, by: point), "seed \(seed)")
      #expect(!holds(made, of: message, by: otherPoint), "seed \(seed)")
      #expect(!holds(made, of: message + [0], by: point), "seed \(seed)")
      for _ in 0..<20 {
        var bytes = made.bytes
        bytes[random.below(64)] ^= 1 << UInt8(random.below(8))
        #expect(!holds(Signature(bytes: bytes), of: message, by: point), "seed \(seed)")
      }
    }
  }

  @Test("the same key and message give the same signature: nothing is random in it")
  func deterministic() {
    let one = secretKey(seed: [UInt8](repeating: 7, count: 32))
    let two = secretKey(seed: [UInt8](repeating: 7, count: 32))
    let empty: [UInt8] = []
    let (first, second) = (one.sign(empty.span), two.sign(empty.span))
    #expect(first == second)
    #expect(holds(first, of: empty, by: two.publicKey))
  }

  @Test("signatures are ordered by their bytes")
  func order() throws {
    let low = try #require(signature(String(repeating: "00", count: 63) + "ff"))
    let high = try #require(signature("01" + String(repeating: "00", count: 63)))
    #expect(low < high)
    #expect(!(high < low))
    #expect(low == low)
    #expect(low != high)
  }
}

@Suite("Secret bytes")
struct SecretBytesTests {
  @Test("moving bytes in leaves zeros where they stood")
  func moving() {
    var source: [UInt8] = [1, 2, 3, 250]
    let secret = SecretBytes(moving: &source)
    #expect(source == [0, 0, 0, 0])
    let count = secret.count
    // SAFETY: reads the four bytes during the call.
    let inside = unsafe secret.withMutablePointer { base in
      (0..<4).map { unsafe base[$0] }
    }
    #expect(count == 4)
    #expect(inside == [1, 2, 3, 250])
  }

  @Test("new memory is zero")
  func zeros() {
    let secret = SecretBytes(count: 64)
    // SAFETY: reads 64 bytes during the call.
    let inside = unsafe secret.withMutablePointer { base in
      (0..<64).map { unsafe base[$0] }
    }
    #expect(inside.allSatisfy { $0 == 0 })
  }
}
