// Messages about backups.

internal import RedoObject
package import RedoRepository
package import RedoStore

extension BackupFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .damaged(let path, let damage): .fatal("'\(path)' \(damage.words)")
    case .unsupported(let path, let version):
      .fatal("'\(path)' has the form \(version), which this release does not know")
    case .gap(let path, let missing):
      .fatal(
        "'\(path)' cannot be restored: it needs '\(missing)'",
        hints: ["points from before that file, and from the next full one on, are not affected"])
    case .replaced(let path, let other):
      .fatal("'\(path)' needs another '\(other)' than the one that is there")
    case .otherStore(let path, let found):
      .fatal(
        "'\(path)' has the backup of another store"
          + (found.isEmpty ? "" : ", '\(found)'"),
        hints: ["each store needs a directory of its own"])
    case .incomplete(let path, let count):
      .fatal(
        "'\(path)' lacks \(count) object\(count == 1 ? "" : "s") that could not be read then")
    case .mayNeed(let path):
      .fatal("no point from before '\(path)' is removed, because it may need them")
    case .unsealed(let path):
      .fatal(
        "the backup in '\(path)' is encrypted, and what would be added is not",
        hints: ["'-r <key>' encrypts it; what anybody may read belongs into another directory"])
    case .precise(let count):
      .fatal(
        "\(count) receipt\(count == 1 ? " tells" : "s tell") a precise place, and anybody could read the backup",
        hints: ["'-r <key>' encrypts it; '--include-precise' takes them as they are"])
    case .received(let count):
      .fatal(
        "\(count) receipt\(count == 1 ? " is" : "s are") what others have shared, and anybody could read the backup",
        hints: ["'-r <key>' encrypts it; '--include-received' takes them as they are"])
    case .blind(let path):
      .fatal(
        "nothing here opens what would be encrypted into '\(path)', and so it could not be read back",
        hints: [
          "'-i <key>' names a private key of one of the recipients; 'redo key generate' makes one"
        ])
    case .latest(let path):
      .fatal(
        "'\(path)' has the latest time that there is, and no backup can come after it",
        hints: ["move it elsewhere"])
    case .empty(let path): .fatal("there is no backup in '\(path)'")
    case .noneBefore(let path, let limit):
      .fatal("no backup in '\(path)' is from \(WallTime(milliseconds: limit).text) or before")
    case .locked(let path):
      CommandError(.temporary, "another process is at work in '\(path)'")
    case .changing: CommandError(.temporary, "the store changed while it was read")
    case .unwritten(let path):
      .fatal("'\(path)' is not what was written into it, and is not kept")
    case .longName(let name): .fatal("the name '\(name)' is too long for a backup")
    }
  }
}

extension BackupFault.Damage {
  /// What is wrong, after the name of the file.
  fileprivate var words: String {
    switch self {
    case .noBackup: "is no backup"
    case .manifest: "is damaged: its manifest is not one"
    case .renamed(let name): "has another name than it was given, '\(name)'"
    case .length: "is damaged: it has another length than its manifest says"
    case .header(let name):
      "is damaged: the header of '\(Escape.text(name))' is not that of its manifest"
    case .member(let name): "is damaged: '\(Escape.text(name))' is not what its manifest says"
    case .encryption: "is damaged: it cannot be decrypted"
    case .end: "is damaged: the hash at its end is not that of its bytes"
    case .content(let what): "is damaged: \(what.words) what its manifest says"
    }
  }
}

extension BackupFault.Content {
  /// What is not as it should be, before `what its manifest says`.
  fileprivate var words: String {
    switch self {
    case .logs: "its logs are not"
    case .history: "its history is not"
    case .objects: "its objects are not"
    case .nodes: "its nodes are not"
    case .refs: "its refs are not"
    case .files: "its files are not"
    case .store: "the name of its store is not"
    case .depth: "the number of increments that lead to it is not"
    }
  }
}

extension StoredPath.LeftKind {
  /// How many of the kind are left out, as a sentence.
  package func words(_ count: Int) -> String {
    let isOne = count == 1
    let subject =
      switch self {
      case .keys: isOne ? "1 file of the keyring" : "\(count) files of the keyring"
      case .documents:
        isOne ? "1 file of clients of Firestore" : "\(count) files of clients of Firestore"
      case .local: "what is noted about receipts, which 'redo local export' writes"
      case .lostFound: isOne ? "1 file of 'lost-found'" : "\(count) files of 'lost-found'"
      case .other:
        isOne ? "1 file that no store has" : "\(count) files that no store has"
      case .unreadable:
        isOne ? "1 object that cannot be read" : "\(count) objects that cannot be read"
      }
    return "left out: \(subject)"
  }
}
