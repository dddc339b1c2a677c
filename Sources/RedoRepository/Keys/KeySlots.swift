// The slots of a keyring: values are put in, read out and removed.

package import RedoCrypto
package import RedoStore

extension Repository {
  /// Puts a secret into a slot.
  ///
  /// - input: the secret, perhaps with its line ending.
  ///   - input: the secret, perhaps with the end of its line.
  ///   - name: the slot.
  ///   - source: the name of the input in messages.
  ///   - replacing: whether it may replace another value.
  ///   - effects: the surroundings.
  /// - Throws: `ofPair`, `misfit`, `slotTaken`; the error when the keyring cannot be written.
  package func putSecret(
    _ input: borrowing SecretBytes, in name: SlotName, from source: String,
    _ replacing: Replacing, _ effects: Effects
  ) throws {
    let isEnded = input.withSpan { $0[$0.count - 1] == UInt8(ascii: "\n") }
    let count = input.count - (name.kind.isLine && isEnded ? 1 : 0)
    let fault = input.withSpan { name.kind.fault(of: $0.extracting(0..<count)) }
    if let fault { throw KeyUseFault.misfit(source: source, name, fault) }
    let value = input.copy(0..<count)
    effects.cancellation.hold()
    try put(value, in: name, replacing)
  }

  /// Puts a line of text that is not secret into a slot.
  ///
  /// - Throws: `misfit` when it is not one line, `slotTaken` when another value is there and stays.
  package func putLine(
    _ text: String, in name: SlotName, _ replacing: Replacing
  ) throws {
    var bytes = Array(text.utf8)
    if let fault = name.kind.fault(of: bytes.span) {
      throw KeyUseFault.misfit(source: text, name, fault)
    }
    try put(SecretBytes(moving: &bytes), in: name, replacing)
  }

  /// Puts a value into a slot, unless it is there already.
  private func put(
    _ value: borrowing SecretBytes, in name: SlotName, _ replacing: Replacing
  ) throws {
    let writer = try keyringWriter()
    var isDone = try writer.put(name, value, replacing)
    if !isDone, let known = try writer.keyring.value(name) { isDone = known.isEqual(to: value) }
    guard isDone else { throw KeyUseFault.slotTaken(name) }
  }

  /// Refuses to remove what is derived from something that stays.
  ///
  /// - Parameters:
  ///   - names: the slots to be removed.
  ///   - present: the slots that exist.
  /// - Throws: `madeOf`.
  package static func refuseCopies(
    _ names: [SlotName], _ present: [SlotName]
  ) throws(KeyUseFault) {
    let sources: [(SlotName, SlotName)] = [
      (.publicKey, .privateKey), (.userID, .privateKey), (.userID, .publicKey),
    ]
    for (copy, source) in sources
    where names.contains(copy) && present.contains(source) && !names.contains(source) {
      throw .madeOf(copy, source: source)
    }
  }

  /// The text of the public key, with its line ending; `nil` when there is none.
  package func publicKeyText() throws -> SecretBytes? {
    guard let key = try keyring().publicKey() else { return nil }
    var text: [UInt8] = []
    Hex.append(key.bytes.span, to: &text)
    text.append(UInt8(ascii: "\n"))
    return SecretBytes(moving: &text)
  }

  /// The text of a private key, to leave the store: under a passphrase, its own if it has one, unless it is to be
  /// plain.
  ///
  /// - Parameters:
  ///   - slot: where it is.
  ///   - isPlain: whether anybody may use it who reads it.
  ///   - source: the passphrase, if one is needed.
  ///   - effects: where secrets come from.
  /// - Returns: `nil` when there is none.
  /// - Throws: the error when a passphrase or a keyring cannot be used.
  package func privateKeyText(
    _ slot: SlotName, isPlain: Bool, _ source: PassphraseSource, _ effects: Effects
  ) throws -> SecretBytes? {
    let found = try keyring().privateKey(slot)
    guard let found else { return nil }
    switch consume found {
    case .plain(let key):
      guard !isPlain else { return PrivateKeyText.plainText(of: key) }
      return try source.text(of: key, under: try source.new(self, effects))
    case .wrapped(let key):
      guard isPlain else {
        // Its own passphrase stays in use; to change it, export it plain and import it again.
        var text = key.text
        return SecretBytes(moving: &text)
      }
      return PrivateKeyText.plainText(of: try source.open(key, self, effects))
    }
  }

  /// The public key of a slot, also of one with a private key; `nil` when there is none.
  package func publicKey(in name: SlotName) throws -> PublicKey? {
    let keyring = try keyring()
    if name.kind.isPrivateKey { return try keyring.privateKey(name)?.publicKey }
    return try keyring.line(name).flatMap {
      Hex.decode32(Array($0.utf8).span).map { PublicKey(bytes: $0) }
    }
  }
}
