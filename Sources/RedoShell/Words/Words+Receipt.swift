// Messages about receipts that cannot be made.

internal import RedoObject
package import RedoRepository

extension ReceiptFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    func cid(_ id: ObjectID) -> String { "'\(id.cidText(as: .receipt))'" }
    switch self {
    case .unknown(let id): return .fatal("\(cid(id)) is no receipt of the history")
    case .deleted(let id, let tombstone):
      return CommandError(.refused, "the chain of \(cid(id)) was deleted by \(cid(tombstone))")
    case .foreign(let id, let did):
      return CommandError(
        .refused, "\(cid(id)) is a receipt of '\(did)', and only its author can change it",
        hints: ["'receipt.did' names the author of new receipts, see redo-config(1)"])
    case .withoutEffect(let id, let rule, let device):
      return CommandError(
        .refused, "a receipt of this device would have no effect on \(cid(id)): \(rule.id)",
        hints: [
          "whoever pins its key in the trust file ('device=\(device.escaped)') lets it speak for "
            + "other devices of its author"
        ])
    case .unshown(let type, let root):
      return CommandError(
        .refused,
        "a receipt '\(type)' is not shown in the chain of \(cid(root)), which is one of sessions")
    case .timeTaken(let type):
      return CommandError(
        .refused, "'--at' is not the time of '\(type)': the payload tells another, or its type none"
      )
    case .didForm(let text):
      return .fatal("'receipt.did' is no name of an author such as did:buds:3uJq...: '\(text)'")
    case .didOfOtherKey(let text):
      return CommandError(
        .refused, "'receipt.did' is '\(text)', which is made of another key than this store's",
        hints: ["without the setting the name is made of the key"])
    case .otherCard(let device, let card):
      return CommandError(
        .refused,
        "device '\(device.escaped)' has a card with another key, \(cid(card)): "
          + "what this key signs would be of nobody known",
        hints: ["the trust file can pin this key to the device, see redo-trust(1)"])
    case .otherPin(let device):
      return CommandError(
        .refused, "another key than this store's is pinned to device '\(device.escaped)'")
    }
  }
}
