// A proof that two keys belong to one person: the owner of both secret halves signs one line with each,
// which names both keys and a time.
//
//   redo-key-link 1 <old key> <new key> <time>

package import RedoCrypto

/// Two signatures of the same line.
package struct KeyLink: Equatable, Sendable {
  /// The time that the line states.
  package let time: WallTime
  /// The signature by the key that was there before.
  package let old: Signature
  /// The signature by the key that came after it.
  package let new: Signature

  /// A proof of two signatures, which need not hold.
  package init(time: WallTime, old: Signature, new: Signature) {
    self.time = time
    self.old = old
    self.new = new
  }

  /// Reads a written proof.
  ///
  /// - Parameter text: `<time>/<signature by the old key>/<signature by the new key>`; `nil` is
  ///   returned for anything else.
  package init?(_ text: Span<UInt8>) {
    let (timeCount, count) = (24, 128)
    guard text.count == timeCount + 2 * (1 + count), text[timeCount] == UInt8(ascii: "/"),
      text[timeCount + 1 + count] == UInt8(ascii: "/"),
      let (time, _) = WallTime.parse(text.extracting(0..<timeCount)),
      let old = Hex.decode64(text.extracting(timeCount + 1..<timeCount + 1 + count)),
      let new = Hex.decode64(text.extracting(timeCount + 2 + count..<text.count))
    else { return nil }
    self.init(time: time, old: Signature(bytes: old), new: Signature(bytes: new))
  }

  /// The proof in its written form.
  package var text: String {
    "\(time.text)/\(Hex.text(old.bytes.span))/\(Hex.text(new.bytes.span))"
  }

  /// What is signed: no node and no checkpoint begins like this.
  ///
  /// - Parameters:
  ///   - old: the key that was there before.
  ///   - new: the key that came after it.
  ///   - time: when the line is signed.
  /// - Returns: the line, its line feed included.
  package static func message(old: PublicKey, new: PublicKey, time: WallTime) -> [UInt8] {
    let keys = "\(Hex.text(old.bytes.span)) \(Hex.text(new.bytes.span))"
    return Array("redo-key-link 1 \(keys) \(time.text)\n".utf8)
  }

  /// Whether both signatures hold.
  ///
  /// - Parameters:
  ///   - oldKey: the key that was there before.
  ///   - newKey: the key that came after it.
  /// - Returns: `false` when one of them does not.
  package func holds(old oldKey: PublicKey, new newKey: PublicKey) -> Bool {
    let message = Self.message(old: oldKey, new: newKey, time: time)
    return Ed25519.isValid(old, of: message.span, by: oldKey)
      && Ed25519.isValid(new, of: message.span, by: newKey)
  }
}
