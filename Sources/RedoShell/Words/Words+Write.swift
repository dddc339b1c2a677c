// Messages about nodes on their way into a history.

internal import RedoObject
package import RedoRepository

extension WriteFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .contended: CommandError(.temporary, "other writers kept changing the same heads")
    }
  }
}

extension WriteEvent {
  /// The lines of the message, each with its prefix.
  var lines: [(prefix: String, text: String)] {
    switch self {
    case .refused(let finding, let subject):
      [("error: ", Diagnosis.text(finding, of: subject))]
        + (finding.hint.map { [("hint: ", $0)] } ?? [])
    case .leftOut(let finding, let subject): [("error: ", Diagnosis.text(finding, of: subject))]
    case .odd(let finding, let subject, let count):
      [
        (
          "warning: ",
          Diagnosis.text(finding, of: subject) + (count > 1 ? "; \(count) times in all" : "")
        )
      ]
    case .unchecked(let subject, let cause):
      [("warning: ", "whether '\(subject)' fits its record is not known: \(cause)")]
    case .outOfRange(let finding, let subject):
      [
        ("error: ", Diagnosis.text(finding, of: subject)),
        ("hint: ", "'-f' records it all the same"),
      ]
    case .returned(let count):
      [
        (
          "warning: ",
          "\(count) change\(count == 1 ? " is" : "s are") back that had been taken out of the history here"
        )
      ]
    case .refusedInAll(let count): [("hint: ", "\(count) nodes are refused in all")]
    }
  }
}
