// Messages about people and devices.

internal import RedoObject
package import RedoRepository

extension CircleFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .unknownPerson(let did): .fatal("'\(did)' is not in the circle")
    case .knownPerson(let did):
      CommandError(
        .refused, "'\(did)' is in the circle already",
        hints: ["'redo circle set' changes what is noted of them"])
    case .unknownDevice(let id): .fatal("device '\(id)' is not noted")
    case .noCard(let id):
      CommandError(
        .refused,
        "'\(id.cidText(as: .receipt))' is no card of a device whose signature holds, or of another author"
      )
    case .otherDevice(let id):
      CommandError(.refused, "device '\(id)' is noted with another key or owner")
    case .unknownCode(let code): .fatal("there is no invitation '\(code)'")
    case .usedUp(let code, let uses):
      CommandError(
        .refused,
        "invitation '\(code)' was accepted as often as it may be: \(uses) time\(uses == 1 ? "" : "s")"
      )
    case .ended(let code, let time):
      CommandError(
        .refused, "invitation '\(code)' ended at \(WallTime(milliseconds: time).text)")
    }
  }
}
