// Messages about inputs that cannot be imported.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension ImportFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .namedPipe(let path):
      InputFault.namedPipe(path: path).words
    case .unopened(let path, let error):
      .fatal(
        "cannot open '\(path)': \(error.reason)",
        code: error.isMissing ? "STORAGE_001" : "STORAGE_004")
    case .archive(let name):
      .fatal(
        "'\(name)' is an archive, which '--from' does not read",
        hints: ["an archive has the form of this version, and is imported as it is"],
        code: "STORAGE_003")
    case .compressedTwice(let name):
      .fatal(
        "'\(name)' is compressed with gzip twice", hints: ["pipe it through 'gzip -dc'"],
        code: "STORAGE_003")
    case .gzip(let error, let name):
      .fatal("'\(name)' is no good gzip file: \(error.description)", code: "STORAGE_003")
    case .blocks(let offset, let name):
      .fatal(
        "'\(name)' is damaged, or no CAR file of changes: see byte \(offset)", code: "STORAGE_003")
    case .malformed(let finding, let name):
      .fatal(Diagnosis.text(finding, of: name), code: "STORAGE_003")
    case .damaged(let finding, let name):
      .fatal(
        Diagnosis.text(finding, of: name),
        hints: ["'--salvage' takes what is good and lists the rest"], code: "STORAGE_003")
    }
  }
}

extension ImportEvent {
  /// The line of the message, with its prefix.
  var line: (prefix: String, text: String) {
    switch self {
    case .empty(let name): ("warning: ", "'\(name)' has no changes")
    case .old(let layout, let name):
      (
        "hint: ",
        "'\(name)' looks like a log of before version 1, of the layout '\(layout.rawValue)': "
          + "'redo import --from=v0' converts it"
      )
    }
  }
}
