// Bytes as DAG-CBOR: whatever is accepted has one form only, which is written again.

import DAGCBOR

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for profile in [CBORProfile.strict, .ipld] {
    do throws(CBORError) {
      let document = try CBORDocument(bytes, profile)
      var writer = CBORWriter()
      writer.value(document)
      precondition(writer.bytes == bytes, "accepted in another form")
      visit(document.root)
    } catch {
      precondition((0...count).contains(error.offset), "refused at a byte that is not there")
    }
  }
  return 0
}

/// Looks at a value, and at the first of what is in it.
private func visit(_ value: CBORValue) {
  var value = value
  for _ in 0..<64 {
    _ = (value.form, value.text, value.link, value.content.count)
    guard let next = value.elements.last ?? value.members.reversed().first?.value else { return }
    value = next
  }
}
