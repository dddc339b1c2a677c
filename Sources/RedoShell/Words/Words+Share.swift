// Messages about sharing; each step that refuses has a word of its own.

internal import RedoHistory
internal import RedoObject
package import RedoRepository

extension ShareFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    func cid(_ id: ObjectID) -> String { "'\(id.cidText(as: .receipt))'" }
    func refused(_ text: String, _ hints: String...) -> CommandError {
      CommandError(.refused, text, hints: hints)
    }
    switch self {
    case .foreign(let id):
      return refused(
        "share-foreign: \(cid(id)) was not signed by this device, whose key others check it with")
    case .precise(let id):
      return refused(
        "\(cid(id)) tells a precise place", "'--include-precise' shares it all the same")
    case .uncopied(let id):
      return refused("\(cid(id)) cannot be copied without what is not to be shared")
    case .nobody: return refused("nobody is active in the circle")
    case .inactive(let did): return refused("'\(did)' is not active in the circle")
    case .noDevice(let did):
      return refused(
        "'\(did)' has no device that is pinned and not revoked", "'redo device add' pins one")
    case .unusableKey(let device):
      return refused("the key of device '\(device)' is one with which everybody shares its secrets")
    case .noPlace(let id):
      return refused("no place is noted of \(cid(id))", "'redo receipt place' notes one")
    case .deferred(let id, let until):
      return refused(
        "deferred: the place of \(cid(id)) may not be shown before \(WallTime(milliseconds: until).text)"
      )
    case .noExchangeKey:
      return .fatal(
        "there is no key by which others share secrets with this device",
        hints: ["the first 'redo receipt create' makes one"])
    case .form(let fault):
      return refused(
        "share-form: "
          + (fault.member.map { "'\($0)' is missing, or of another form" }
            ?? "it is no JSON object of at most 1 MiB"))
    case .senderUnknown(let did, let device):
      return refused(
        "sender-unknown: '\(did)' is not active in the circle, or device '\(device)' is not pinned")
    case .noKey(let message): return refused("no-key: '\(message)' has no key for this device")
    case .openFailed(let message):
      return refused("open-failed: '\(message)' is not as it was, or not for this device")
    case .unfit(let message, let finding):
      return refused("\(finding.rule.id): what '\(message)' holds: \(Diagnosis.text(finding))")
    case .untrusted(let message, let row):
      let unknown = UntrustedCount([row]).unknown.first
      let change = unknown.map { "'redo trust add \($0.text)'" } ?? "a change of the trust file"
      return refused(
        "\(row.answer.standing.rule?.id ?? ""): what '\(message)' holds: \(row.detail)",
        "after \(change) it can be opened")
    case .otherSender(let message):
      return refused("share-sender: what '\(message)' holds was made by another device")
    case .unshared(let name): return .fatal("nothing is shared under '\(name)'")
    }
  }
}
