// Any bytes at all as what is remembered of a collection: a record is refused, or written as it was read.

import RedoObject

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let node = MirrorNode(bytes[...]) {
    precondition(MirrorNode(node.bytes[...]) == node, "another node")
    _ = (node.place, node.wall.text)
  }
  if let document = UnfitDocument(bytes[...]) {
    precondition(UnfitDocument(document.bytes[...]) == document, "another document")
  }
  return 0
}
