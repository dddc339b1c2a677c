// Any bytes at all: a trust file is read or refused at a place that it has, and its lines are written
// and read back as the same.

import RedoObject

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(TrustFault) {
    let text = try TrustText(bytes)
    var written = TrustText()
    do throws(TrustFault) {
      try written.append(text.entries.map(\.line))
    } catch {
      preconditionFailure("what was read is not written: \(error.description)")
    }
    precondition(written.entries.map(\.line) == text.entries.map(\.line), "another line")
    for entry in text.list.entries { precondition(text.list.entry(of: entry.signer) != nil) }
  } catch {
    precondition(error.line > 0 && 0...count ~= error.offset, "a place outside of the file")
  }
  return 0
}
