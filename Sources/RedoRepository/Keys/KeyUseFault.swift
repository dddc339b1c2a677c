// What keeps keys from being made, imported and used.

package import RedoObject
package import RedoStore

/// The errors of work with the keys of a store.
package enum KeyUseFault: Fault {
  /// A key pair exists, and stays.
  case taken(UserID)
  /// There is no key to retire.
  case noneToRetire
  /// There is no private key to sign with.
  case noneToSign
  /// Another value is in a slot, and stays.
  case slotTaken(SlotName)
  /// A value does not fit into a slot; the reason.
  case misfit(source: String, SlotName, String)
  /// What a slot holds is sent nowhere, so that it cannot be for an address.
  case unbindable(SlotName)
  /// What a slot holds is not for the address that asks for it.
  case notFor(address: String, SlotName, [WebOrigin])
  /// A file is empty.
  case empty(source: String)
  /// A slot is part of a key pair, which can only be stored as a whole.
  case ofPair(SlotName)
  /// A file contains no private key; the reason.
  case noPrivateKey(source: String, WrappedKey.Fault)
  /// A file contains no public key.
  case noPublicKey(source: String)
  /// A slot is derived from another one, which would stay.
  case madeOf(SlotName, source: SlotName)
  /// A new signature does not verify.
  case unsound

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .taken, .slotTaken, .ofPair, .madeOf, .notFor: .refused
    case .noneToRetire, .noneToSign: .missing
    case .misfit, .empty, .unbindable: .invalid
    case .noPrivateKey, .noPublicKey: .malformed
    case .unsound: .corrupt
    }
  }

  /// The user, the slot or the file.
  package var subject: String? {
    switch self {
    case .taken(let user): user.text
    case .slotTaken(let slot), .ofPair(let slot), .madeOf(let slot, _), .unbindable(let slot),
      .notFor(_, let slot, _):
      slot.text
    case .misfit(let source, _, _), .empty(let source), .noPrivateKey(let source, _),
      .noPublicKey(let source):
      source
    case .noneToRetire, .noneToSign, .unsound: nil
    }
  }
}
