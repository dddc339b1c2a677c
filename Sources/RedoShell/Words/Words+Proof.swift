// Messages about proofs that cannot be made.

internal import RedoObject
package import RedoRepository

extension ProofFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noCheckpoint:
      CommandError(
        .refused, "there is no checkpoint", hints: ["'redo checkpoint create' makes one"])
    case .broken(let id, let fault): .fatal("checkpoint '\(id.text)': \(fault.detail)")
    case .foreign(let id, let log):
      CommandError(
        .refused, "checkpoint '\(id.text)' is of the log \(log)",
        hints: ["'redo checkpoint verify' shows which ones the history continues"])
    case .diverged(let id):
      CommandError(
        .refused, "the history does not continue checkpoint '\(id.text)'",
        hints: ["'redo checkpoint verify' shows the difference"])
    case .notReceived(let id): CommandError(.refused, "'\(id.text)' is not in the history")
    case .receivedLater(let id, let checkpoint):
      CommandError(
        .refused, "'\(id.text)' was received after checkpoint '\(checkpoint.text)'",
        hints: ["'redo checkpoint create' makes a new one"])
    case .shortened: .fatal("the received log has become shorter")
    case .notANode(let id): .fatal("'\(id.text)' is missing, or is no valid node")
    case .precise(let id):
      CommandError(
        .refused,
        "receipt '\(id.cidText(as: .receipt))' tells a precise place: "
          + "it is proven only with '--include-precise'")
    case .sharedByOthers(let id):
      CommandError(
        .refused,
        "receipt '\(id.cidText(as: .receipt))' is what somebody else has shared: "
          + "it is proven only with '--include-received'")
    case .smaller(let id, let size, let earlier):
      CommandError(
        .refused, "checkpoint '\(id.text)' has \(size) entries, the earlier one \(earlier)")
    }
  }
}
