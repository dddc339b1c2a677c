// Any bytes at all as a gzip file: they are refused, or give the same bytes in whatever pieces they come;
// and what is written comes back.

@testable import RedoStore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = inflate(bytes, pieces: max(count, 1), limit: 1 << 16)
  precondition(whole == inflate(bytes, pieces: 1, limit: 7), "pieces make a difference")
  var writer = GzipWriter()
  let packed = writer.add(bytes) + writer.finish()
  precondition(inflate(packed, pieces: 5, limit: 100) == bytes, "bytes do not come back")
  return 0
}

/// The contents of a file; `nil` when it is not a gzip file.
private func inflate(_ bytes: [UInt8], pieces: Int, limit: Int) -> [UInt8]? {
  var reader = GzipReader()
  var output: [UInt8] = []
  do {
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
      var place = 0
      while try reader.read(piece, from: &place, into: &output, atMost: limit) > 0 {
        guard output.count < 1 << 24 else { return nil }
      }
    }
    try reader.finish()
  } catch {
    return nil
  }
  return output
}
