// Messages about names that no snapshot has.

package import RedoRepository

extension SnapshotNameFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .short(let text, let shortest):
      .fatal("the beginning of a snapshot's name has at least \(shortest) digits: '\(text)'")
    case .unknown(let text): .fatal("no snapshot has the name '\(text)'")
    case .ambiguous(let text): .fatal("'\(text)' is the beginning of several snapshots' names")
    }
  }
}
