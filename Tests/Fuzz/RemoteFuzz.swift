// Any bytes at all as what is remembered of a remote: a file says what it says in one form only, or nothing.

import RedoObject
import RedoStore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let id = StoreID(line: bytes) {
    precondition(id.line == bytes, "another id")
  }
  if let place = AccessNotes.Place(line: bytes) {
    precondition(place.line == bytes && place.endBytes > 0, "another place")
  }
  if let exchange = RemoteExchange(bytes) {
    precondition(exchange.bytes == bytes, "another exchange")
    precondition(exchange.fetched >= 0 && exchange.pushed >= 0, "less than nothing")
  }
  if let checkpoint = try? SignedCheckpoint(decoding: bytes) {
    _ = (checkpoint.id, checkpoint.checkpoint.store)
  }
  return 0
}
