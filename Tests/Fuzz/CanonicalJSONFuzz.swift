// Any bytes at all: the scanner answers, and the canonical form of what it accepts is final.

import CanonicalJSON

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = Array(UnsafeBufferPointer(start: start, count: count))
  var scanner = Scanner()
  guard (try? scanner.scan(text.span)) != nil else { return 0 }
  var canonical: [UInt8] = []
  scanner.appendCanonical(text.span, to: &canonical)
  precondition(scanner.isCanonical == (text == canonical), "isCanonical says what is not so")
  guard (try? scanner.scan(canonical.span)) != nil, scanner.isCanonical else {
    preconditionFailure("the canonical form is not final")
  }
  return 0
}
