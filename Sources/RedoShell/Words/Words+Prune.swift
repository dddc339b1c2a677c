// Messages about archives that cannot be pruned.

package import RedoRepository

extension PruneFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .irregular(let path): .fatal("'\(path)' is not a regular file")
    case .same(let path, let other): .fatal("'\(path)' and '\(other)' are the same file")
    }
  }
}
