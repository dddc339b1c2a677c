// Messages about checkpoints that do not hold, or that cannot be found or written.

internal import RedoCrypto
internal import RedoObject
package import RedoRepository

extension CheckpointFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .broken(let name, let flaw):
      .fatal("'\(name)' is no checkpoint that holds: \(flaw.detail)")
    case .relativeFile(let value, let place):
      .fatal("bad value '\(value)' for 'checkpoint.file' (\(place)): not an absolute path")
    case .irregular(let path): .fatal("'\(path)' is not a regular file")
    case .occupied(let path): .fatal("'\(path)' is there already, and is something else")
    case .badList(let path, let line):
      .fatal("'\(path)' is no list of ids, ascending, a line each: see line \(line)")
    case .otherList(let path, let checkpoint):
      .fatal("'\(path)' is not the list of ids that '\(checkpoint)' covers")
    case .silent(let name):
      .fatal(
        "'\(name)' does not say which changes the history has",
        hints: ["an earlier release made it; 'redo checkpoint create' makes one that does"])
    }
  }
}

extension CheckpointFlaw: WordedFault {
  /// The error that ends the command.
  package var words: CommandError { .fatal(detail) }

  /// The detail that follows the rule.
  package var detail: String {
    switch self {
    case .absent: "there is no such object"
    case .kind(let kind): "it is a \(kind)"
    case .damaged(let reason): "the object is damaged: \(reason)"
    case .fileAbsent: "the file is not there"
    case .unreadable(let error): error.description
    case .otherSigner(let key):
      "it is signed by \(Self.text(key)), not by the key that is asked for"
    case .refusedSigner(let key, _, let line):
      "it is signed by \(Self.text(key)): "
        + (line.map { "line \($0) of the trust file" } ?? "no line of the trust file")
    case .otherLog(let origin, let here):
      "it is of the log \(origin), and the one here "
        + (here.map { "is redo/\($0.text)" } ?? "has no name yet")
    case .diverged(let difference, let wipe):
      wipe.map { "\(difference.words); \($0.words)" } ?? difference.words
    case .shrunk(let before, let size, let entry):
      "the one before, \(before), has \(size) entries and \(entry) changes"
    }
  }

  private static func text(_ key: PublicKey) -> String { Hex.text(key.bytes.span) }
}

extension CheckpointFlaw.Difference {
  fileprivate var words: String {
    switch self {
    case .entriesMissing(let counted, let left):
      "of \(counted) entries \(left) are left, \(counted - left) are missing"
    case .otherEntries(let counted, let first, let last):
      "its \(counted) entries are not the first \(counted) of the history: "
        + (first == last
          ? "entry \(last) is another" : "the first other one is among \(first) to \(last)")
    case .refChangeMissing(let entry, let last):
      "change \(entry) of the refs is missing: the last one is \(last)"
    case .otherRefChanges(let entry): "the first \(entry) changes of the refs are others"
    case .otherRefs(let entry): "the refs after change \(entry) were others"
    }
  }
}

extension CheckpointFlaw.Wipe {
  fileprivate var words: String {
    "change \(entry) of the refs says that it is a wipe, of "
      + DateStyle.iso.text(milliseconds, now: 0)
  }
}
