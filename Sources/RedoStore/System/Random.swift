// Random bytes for names that must not collide (getrandom(2)); keys come from libsodium.

internal import CLinux
internal import Glibc
internal import RedoCrypto

/// Random bytes of the kernel.
package enum Random {
  /// Eight random bytes as a number.
  package static func uint64() -> UInt64 {
    var value: UInt64 = 0
    // SAFETY: the call writes 8 bytes, which is the size of the number.
    let got = retryingInterrupted { unsafe getrandom(&value, 8, 0) }
    // Up to 256 bytes are always delivered whole once the kernel's pool is ready (getrandom(2)).
    precondition(got == 8, "BUG: the kernel gave no random bytes")
    return value
  }

  /// Random bytes, as good as the kernel has them, in ordinary memory.
  package static func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let value = uint64()
      for place in 0..<min(8, count - bytes.count) {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * place)))
      }
    }
    return bytes
  }

  /// 16 random hex digits.
  package static func hex16() -> String {
    var value = uint64()
    let bytes = InlineArray<8, UInt8> { _ in
      defer { value >>= 8 }
      return UInt8(truncatingIfNeeded: value)
    }
    return Hex.text(bytes.span)
  }
}
