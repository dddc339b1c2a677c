// Whose signatures on a checkpoint count: that of a required key, those of the trust file, or any when there is
// neither.

package import RedoCrypto
package import RedoObject
internal import RedoStore

/// Whose signatures count.
package struct CheckpointTrust {
  /// The key that must have signed.
  private let pinned: PublicKey?
  /// What the trust file says.
  private let list: TrustList?

  /// Any signature counts.
  package static let anybody = CheckpointTrust(pinned: nil)

  /// One signature counts; any when it is `nil`.
  package init(pinned: PublicKey?) {
    self.pinned = pinned
    list = nil
  }

  /// What a trust file says; any signature counts when there is none.
  package init(_ list: TrustList?) {
    pinned = nil
    self.list = list
  }

  /// What the trust file says, and a key that must have signed in any case.
  ///
  /// - Throws: `TrustError` when the trust file cannot be used.
  package init(
    _ opened: Repository?, pinned: PublicKey?, _ effects: Effects
  ) throws {
    self.pinned = pinned
    list = try effects.trustList(opened)
  }

  /// Whether a particular key must have signed.
  var isPinned: Bool { pinned != nil }

  /// Whether any signature counts.
  package var isAnybody: Bool { pinned == nil && list == nil }

  /// The key whose signature makes a checkpoint count.
  package func signer(of signed: SignedCheckpoint) -> PublicKey {
    if let pinned { return pinned }
    return signed.signers.first { key in
      list?.standing(of: key, for: .checkpoint, at: signed.checkpoint.time).rule == nil
    } ?? signed.signer
  }

  /// Why a checkpoint does not count although its signatures are good; `nil` when it does.
  package func refusal(of signed: SignedCheckpoint) -> CheckpointFlaw? {
    if let pinned, !signed.signers.contains(pinned) {
      return .otherSigner(signed.signer)
    }
    guard let list else { return nil }
    var refusal: CheckpointFlaw?
    for key in signed.signers {
      let standing = list.standing(of: key, for: .checkpoint, at: signed.checkpoint.time)
      guard let rule = standing.rule else { return nil }
      refusal = refusal ?? .refusedSigner(signed.signer, rule, line: standing.line)
    }
    return refusal
  }
}
