// Any bytes at all as the stanzas of a sealed file: its header is refused, or every byte of it has been
// looked at, and no key but the right one opens it.

import RedoCrypto

@testable import RedoStore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var bytes = SealedFile.magic + [SealedFile.version]
  bytes += Array(UnsafeBufferPointer(start: start, count: count))
  let sum = SHA256.digest(of: bytes.span)
  for place in 0..<Digest.byteCount { bytes.append(sum.bytes[place]) }
  bytes += [UInt8](repeating: 0, count: Digest.byteCount)
  let header = try? SealedHeader { count, offset in
    let from = min(offset, bytes.count)
    return Array(bytes[from..<min(from + count, bytes.count)])
  }
  guard let header else { return 0 }
  precondition(header.end == bytes.count, "bytes that nobody has looked at")
  precondition((1...SealedFile.stanzaLimit).contains(header.stanzas.count), "another count")
  precondition((try? header.streamKey(for: SecretBytes(count: 32))) == nil, "any key opens it")
  return 0
}
