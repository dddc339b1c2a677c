// What is said of a list of archives that cannot be read.

package import RedoStore

extension CommandError {
  /// A list of archives that cannot be read, as the end of a command.
  package static func fatal(_ error: ArchiveRegister.Failure) -> CommandError {
    guard case .damaged = error else { return .fatal(error.description) }
    return .fatal(
      error.description, hints: ["'redo archive register <file>' writes what is good of it anew"])
  }
}
