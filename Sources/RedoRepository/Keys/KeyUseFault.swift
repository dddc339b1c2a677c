// What keeps keys from being made, taken in and used.

package import RedoObject
package import RedoStore

/// The errors of work with the keys of a store.
package enum KeyUseFault: Fault {
  /// There is a key pair, which stays.
  case taken(UserID)
  /// There is no key to retire.
  case noneToRetire
  /// There is no private key to sign with.
  case noneToSign
  /// There is something in a slot, which stays.
  case slotTaken(SlotName)
  /// A value does not fit into a slot: why.
  case misfit(source: String, SlotName, String)
  /// A file has nothing in it.
  case empty(source: String)
  /// A slot is a part of a key pair, which only comes as a whole.
  case ofPair(SlotName)
  /// A file has no private key in it: why.
  case noPrivateKey(source: String, WrappedKey.Fault)
  /// A file has no public key in it.
  case noPublicKey(source: String)
  /// A slot is made of another one, which would stay.
  case madeOf(SlotName, source: SlotName)
  /// A signature that was made does not hold.
  case unsound

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .taken, .slotTaken, .ofPair, .madeOf: .refused
    case .noneToRetire, .noneToSign: .missing
    case .misfit, .empty: .invalid
    case .noPrivateKey, .noPublicKey: .malformed
    case .unsound: .corrupt
    }
  }

  /// The user, the slot or the file.
  package var subject: String? {
    switch self {
    case .taken(let user): user.text
    case .slotTaken(let slot), .ofPair(let slot), .madeOf(let slot, _): slot.text
    case .misfit(let source, _, _), .empty(let source), .noPrivateKey(let source, _),
      .noPublicKey(let source):
      source
    case .noneToRetire, .noneToSign, .unsound: nil
    }
  }
}
