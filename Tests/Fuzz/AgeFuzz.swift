// Any bytes at all as an age file, with armor or without: whatever is read of it is the same in one piece and in several,
// nothing but the right key opens it, and a stream gives out only what was sealed.

import RedoCrypto

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  header(Array("age-encryption.org/v1\n".utf8) + bytes)
  armor(bytes)
  armor(Array("\(AgeArmor.firstLine)\n".utf8) + bytes)
  stream(bytes)
  _ = try? SSHPrivateKey.read(bytes.span).publicKey
  _ = AgeRecipient(String(decoding: bytes, as: UTF8.self))
  switch AgeIdentity(text: bytes.span) {
  case .some: break
  case .none: break
  }
  return 0
}

private func header(_ bytes: [UInt8]) {
  let whole = try? AgeHeader.read(bytes, isWhole: true)
  let part = try? AgeHeader.read(bytes, isWhole: false)
  precondition(whole?.end == (part ?? nil)?.end, "another end when more may follow")
  guard let header = whole else { return }
  precondition(header.end <= bytes.count && !header.stanzas.isEmpty, "another end, or no way in")
  precondition(!header.hasPassphrase || header.stanzas.count == 1, "a passphrase and more")
  var secret = [UInt8](repeating: 7, count: 32)
  let key = AgeIdentity(X25519PrivateKey(bytes: SecretBytes(moving: &secret)))
  if let found = try? header.fileKey(key) {
    preconditionFailure("any key opens it, \(found.count)")
  }
  if let found = try? header.payloadKey(for: SecretBytes(count: 16)) {
    preconditionFailure("any file key is right, \(found.count)")
  }
}

private func armor(_ text: [UInt8]) {
  func read(_ step: Int) -> (bytes: [UInt8], isWhole: Bool) {
    var reader = AgeArmorReader()
    var bytes: [UInt8] = []
    do {
      for place in stride(from: 0, to: text.count, by: step) {
        try reader.add(Array(text[place..<min(place + step, text.count)]), into: &bytes)
      }
      try reader.finish(into: &bytes)
      return (bytes, true)
    } catch {
      return (bytes, false)
    }
  }
  let (whole, parts) = (read(text.count + 1), read(3))
  precondition(whole == parts, "another armor in pieces")
}

private func stream(_ bytes: [UInt8]) {
  var opener = AgeOpener(key: SecretBytes(count: 32))
  var output: [UInt8] = []
  do {
    try opener.add(bytes, into: &output)
    try opener.finish(into: &output)
    preconditionFailure("any bytes are a stream")
  } catch {
    precondition(output.isEmpty, "something was given out")
  }
}
