// What is said of nodes on their way into a history.

package import RedoRepository

extension WriteFault: WordedFault {
  /// The end of the command.
  package var words: CommandError {
    switch self {
    case .contended: CommandError(.temporary, "other writers kept changing the same heads")
    }
  }
}
