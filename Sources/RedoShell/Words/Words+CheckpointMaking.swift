// Messages about checkpoints that cannot be made.

internal import RedoObject
package import RedoRepository

extension CheckpointMakingFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .diverged(let name, let flaw):
      CommandError(
        .refused, "the history does not continue checkpoint '\(name)': \(flaw.detail)",
        hints: [
          "'redo checkpoint verify' shows all checkpoints",
          "'--new-log' begins a new log, after a wipe or with an older copy that is wanted",
        ])
    case .timeless: .fatal("the clock shows no time between the years 1 and 9999")
    case .renamed:
      CommandError(
        .temporary, "the store has just got another name", hints: ["the same again goes on"])
    case .notRemembered(let id, let error):
      .fatal(
        "checkpoint '\(id.text)' is made, but not remembered: \(CommandError(error).message)",
        hints: ["'checkpoint.file' names the file; the next one that is made is written there"])
    }
  }
}
