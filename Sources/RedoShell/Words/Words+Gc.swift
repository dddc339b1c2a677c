// Messages about nodes that cannot be moved out of a store.

package import RedoRepository

extension GcFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .differs(let path): .fatal("'\(path)' does not read as it was written")
    }
  }
}
