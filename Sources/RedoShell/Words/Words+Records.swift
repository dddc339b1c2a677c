// Messages about schemas, records and devices that somebody names.

internal import RedoObject
package import RedoRepository

extension RecordFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noSchema(let text):
      CommandError(.absent, "there is no schema '\(Escape.text(text))'")
    case .reserved(let name):
      CommandError(.refused, "'\(Escape.text(name.text))' is no schema of records")
    case .otherPerson(let name):
      .usage("'\(Escape.text(name.text))' is the copy of another person")
    case .noRecord(let task):
      CommandError(.absent, "task '\(task.text)' is no record: it has no 'schemaId'")
    case .unfit(let name, _):
      CommandError(.refused, "what was typed does not fit the schema '\(Escape.text(name.text))'")
    }
  }
}

extension DeviceFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .unknown(let text):
      CommandError(.absent, "there is no device '\(Escape.text(text))'")
    case .ambiguous(let text, let ids):
      .fatal(
        "several devices are called '\(Escape.text(text))'", hints: Candidates.hints(ids))
    }
  }
}
