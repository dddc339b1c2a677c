// Messages about registered archives that are left unchanged.

package import RedoRepository
internal import RedoStore

extension RegisteredFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .unknownNodes(let path, let error):
      .fatal(
        "it cannot be told which nodes '\(Escape.text(path))' has: \(error.description)",
        hints: ["'--force' forgets it all the same"])
    case .onlyCopy(let archive, let missing):
      .fatal(
        "\(missing) of the \(archive.nodes) nodes of '\(Escape.text(archive.path))' "
          + "are nowhere else in the store",
        hints: [
          "'redo archive restore \(archive.hex.prefix(12))' brings them back into it",
          "'--force' forgets them: the history is then incomplete",
        ])
    case .changed(let path):
      .fatal("'\(Escape.text(path))' is not the file that was registered")
    case .unreadable(let path, let error):
      .fatal(
        "the archive '\(Escape.text(path))' cannot be read: \(error.reason)",
        hints: [StoreError.registerHint])
    }
  }
}
