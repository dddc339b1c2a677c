// The slots of a keyring: values are put in, read out and removed.

package import RedoCrypto
package import RedoStore

extension Repository {
  /// Puts a secret into a slot.
  ///
  /// One that replaces another is for the same addresses, unless others are named: whoever renews a token does not have
  /// to know for whom it is.
  ///
  /// - Parameters:
  ///   - input: the secret, perhaps with the end of its line.
  ///   - name: the slot.
  ///   - origins: the addresses that may get it; none for those that the slot has.
  ///   - source: the name of the input in messages.
  ///   - replacing: whether it may replace another value.
  ///   - effects: the surroundings.
  /// - Throws: `ofPair`, `misfit`, `unbindable`, `slotTaken`; the error when the keyring cannot be written.
  package func putSecret(
    _ input: borrowing SecretBytes, in name: SlotName, for origins: [WebOrigin],
    from source: String, _ replacing: Replacing, _ effects: Effects
  ) throws {
    guard origins.isEmpty || name.kind.isBindable else { throw KeyUseFault.unbindable(name) }
    let isEnded = input.withSpan { $0[$0.count - 1] == UInt8(ascii: "\n") }
    let count = input.count - (name.kind.isLine && isEnded ? 1 : 0)
    let fault = input.withSpan { name.kind.fault(of: $0.extracting(0..<count)) }
    if let fault { throw KeyUseFault.misfit(source: source, name, fault) }
    if origins.isEmpty, input.withSpan({ BoundSecret.isAmbiguous($0) }) {
      throw KeyUseFault.misfit(
        source: source, name, "it begins as the file of a secret for some addresses does")
    }
    let value = input.copy(0..<count)
    effects.cancellation.hold()
    try put(value, in: name, for: origins, replacing)
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
    try put(SecretBytes(moving: &bytes), in: name, for: [], replacing)
  }

  /// Puts a value into a slot, unless it is there already.
  private func put(
    _ value: borrowing SecretBytes, in name: SlotName, for named: [WebOrigin],
    _ replacing: Replacing
  ) throws {
    let writer = try keyringWriter()
    var origins = named
    // A damaged one is replaced as well.
    if origins.isEmpty, let known = (try? writer.keyring.boundSecret(name)) ?? nil {
      origins = known.origins
    }
    var isDone = try writer.put(name, value, for: origins, replacing)
    if !isDone, let known = try writer.keyring.boundSecret(name) {
      isDone = known.secret.isEqual(to: value) && Set(known.origins) == Set(origins)
    }
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
