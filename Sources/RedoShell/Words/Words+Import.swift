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
    case .unreadDatabase(let name):
      .fatal(
        "'\(name)' is a database, of which only 'redo import' reads one of the app, from a file",
        code: "STORAGE_003")
    case .database(let code, let detail, let name):
      Self.words(code, detail, detail.isEmpty ? "" : ": \(Escape.text(detail))", name)
    }
  }

  private static func words(
    _ code: String, _ detail: String, _ text: String, _ name: String
  ) -> CommandError {
    switch code {
    case "db-version":
      CommandError(
        .refused, Diagnosis.text(Finding(.databaseVersion, detail: detail), of: name),
        hints: ["a later release of the app wrote it, or something other than the app"])
    case "db-foreign":
      .fatal("'\(name)' is a database, but not one of the app", code: "STORAGE_003")
    case "db-damaged": .fatal("'\(name)' is a damaged database\(text)", code: "STORAGE_003")
    case "db-not-file":
      .fatal(
        "'\(name)' is no file", hints: ["of a link, name the file that it leads to"],
        code: "STORAGE_004")
    case "db-missing": .fatal("there is no '\(name)'", code: "STORAGE_001")
    case "db-busy":
      CommandError(.temporary, "'\(name)' is being changed, again and again, while it is copied")
    case "db-access":
      .fatal("'\(name)' cannot be read, or not copied\(text)", code: "STORAGE_004")
    case "db-io": .fatal("'\(name)' cannot be copied\(text)", code: "STORAGE_004")
    default:
      CommandError(.refused, "'\(name)' is not as the app makes a database\(text)")
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
    case .rowsLeft(let count, let table, let name):
      (
        "warning: ",
        "'\(name)' has \(count) row\(count == 1 ? "" : "s") of '\(Escape.text(table))', "
          + "\(count == 1 ? "which is" : "which are") not taken over"
      )
    case .picturesLacking(let count, let name):
      (
        "warning: ",
        "'\(name)' names pictures \(count) time\(count == 1 ? "" : "s") that it does not have; "
          + "they are left out"
      )
    }
  }
}
