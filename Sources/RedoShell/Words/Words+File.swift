// Messages about files that could not be read or written.

package import RedoRepository
internal import RedoStore

extension FileFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .failed(let error, let path): .fatal(error, path)
    case .irregular(let path):
      .fatal("'\(path)' is not a regular file", hints: ["'-o -' writes to standard output"])
    case .taken(let path): .fatal("'\(path)' is there already", hints: ["'--force' replaces it"])
    }
  }
}
