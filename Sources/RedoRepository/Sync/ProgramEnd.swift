// How a program that spoke for a remote ended.

package import RedoStore

/// An end of a program other than the expected one.
package struct ProgramEnd: Fault, Equatable {
  /// The program, as it was started.
  package let program: String
  /// Its end.
  package let end: ChildEnd
  /// Whether another machine answers that it has no such program.
  package var isMissingThere = false

  /// The kind of error.
  package var code: RedoError.Code { isMissingThere ? .missing : .unavailable }

  /// The program.
  package var subject: String? { program }
}
