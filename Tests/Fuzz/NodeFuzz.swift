// Any bytes at all: the decoder answers, and what it accepts is written and read back as the same.

import CanonicalJSON
import RedoCrypto
import RedoObject

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = Array(UnsafeBufferPointer(start: start, count: count))
  readAsStored(text)
  var decoder = NodeDecoder(envelope: .strip)
  guard let node = decoder.decode(text.span) else {
    precondition(!decoder.findings.isEmpty, "refused for no reason")
    return 0
  }
  _ = node.verify()
  var whole: [UInt8] = []
  node.appendWhole(to: &whole)
  guard let again = decoder.decode(whole.span), decoder.statedID == node.id else {
    preconditionFailure("what was written is not read back")
  }
  precondition(again.body == node.body, "the body has changed")
  return 0
}

/// The same bytes in a file that calls itself a node.
private func readAsStored(_ body: [UInt8]) {
  let id = StoredObject(blob: body).id
  let object = StoredObject(id: id, kind: .node, canonical: body, signature: nil)
  var contents: [UInt8] = []
  object.appendContents(to: &contents)
  var decoder = NodeDecoder()
  let whole = decoder.decode(contents.span)
  let stored = decoder.decode(object)
  precondition((whole == nil) == (stored == nil), "one way accepts what the other refuses")
  precondition(whole == nil || whole?.id == id, "a body is taken for another node")
}
