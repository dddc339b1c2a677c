// How a program ended that spoke for a remote.

package import RedoStore

/// The end of a program that is not the end that it should have.
package struct ProgramEnd: Fault, Equatable {
  /// The program, as it was started.
  package let program: String
  /// Its end.
  package let end: ChildEnd
  /// Whether another machine answers so that it has no such program.
  package var isMissingThere = false

  /// The kind of error.
  package var code: RedoError.Code { isMissingThere ? .missing : .unavailable }

  /// The program.
  package var subject: String? { program }
}
