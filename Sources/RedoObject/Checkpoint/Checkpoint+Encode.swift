// Writing checkpoints.

internal import RedoCrypto

extension Checkpoint {
  /// The text that is signed: seven lines, and two for each kind that is stated.
  package var text: [UInt8] {
    var text = Array("\(origin)\n\(size)\n".utf8)
    Base64.append(root.bytes.span, to: &text)
    text += "\nentry \(entry) \(Hex.text(chain.bytes.span))\n".utf8
    text += "refs \(refCount) \(Hex.text(refsDigest.bytes.span))\n".utf8
    text += "previous \(previous?.text ?? "-")\ntime \(time.text)\n".utf8
    for statement in statements { text += statement.lines.utf8 }
    return text
  }
}
