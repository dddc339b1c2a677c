// Messages about a wipe.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension WipeFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .brokenHistory(let id, let hole):
      .fatal(
        "the history is not whole: object '\(id.text)' is \(Self.words(hole))",
        hints: ["'redo import' of another copy of the log heals it; '--all' does not need it"])
    case .unreadableNotes(let ref): .fatal("'\(ref)' names no notes that this release reads")
    case .unfinished(let error):
      .fatal(
        "the changes have left the history, but not everything is removed: \(error)",
        hints: ["the same command again goes on"])
    }
  }

  private static func words(_ hole: Hole) -> String {
    switch hole {
    case .missing: "missing"
    case .blob: "a blob"
    case .damaged: "damaged"
    }
  }
}

extension WipeRemark {
  /// The message.
  package var words: String {
    switch self {
    case .alternates(let count):
      "alternates have \(count) of these objects; they are only read, and keep them"
    case .archive(let path):
      "archive '\(Escape.text(path))' is a part of the store no longer; its file stays"
    case .createdLost(let error):
      "the times at which remotes first had nodes are lost from where their file was damaged: \(error)"
    case .accessLost(let error):
      "the access lists of changes are lost from where their file was damaged: \(error)"
    case .localRows(let count):
      (count == 1 ? "1 row of '\(Layout.local)' names" : "\(count) rows of '\(Layout.local)' name")
        + " what is wiped, and \(count == 1 ? "goes" : "go") as well"
    case .localLost(let error):
      "what was noted about receipts is lost from where its file was damaged: \(error)"
    case .copy(let name):
      "'\(name)' stays: whose changes it has cannot be told; '--all' removes it"
    case .checkpoints(let count):
      (count == 1 ? "1 checkpoint counts" : "\(count) checkpoints count")
        + " what is wiped; 'redo checkpoint create --new-log' begins a new log without it"
    }
  }
}

extension WipeFailure {
  /// The message.
  package var words: String {
    switch self {
    case .unknownPack(let path, let reason):
      "pack '\(path)' stays, its nodes are not known: \(reason)"
    case .unknownObject(let id, let reason):
      "object '\(id.text)' stays, its author is not known: \(reason)"
    case .archived(let count, let path):
      "archive '\(Escape.text(path))' keeps \(count) of these objects; it is only read"
    case .damagedPack(let error, let path):
      "\(RepackFault.message(error, path)); it stays, and may have what is wiped"
    }
  }
}

extension WipePlan {
  /// `wiped 12 changes and 3 receipts, 9 of them as descendants`.
  package func summary(isDryRun: Bool) -> String {
    func count(_ number: Int, _ what: String) -> String {
      "\(number) \(what)\(number == 1 ? "" : "s")"
    }
    let changes = rows.count { $0.entry.node != nil }
    let others = ObjectKind.grouped.map { kind in
      (rows.count { $0.entry.kind == kind }, kind.name.description)
    }
    let descendants = rows.count { if case .descendant = $0.reason { true } else { false } }
    let parts = ([(changes, "change")] + others).filter { $0.0 > 0 }
    let things = parts.map { count($0.0, $0.1) }.joined(separator: " and ")
    var text = "\(isDryRun ? "would wipe" : "wiped") \(parts.isEmpty ? "0 changes" : things)"
    if descendants > 0 { text += ", \(descendants) of them as descendants" }
    let rest = rows.count - changes - others.reduce(0) { $0 + $1.0 }
    if rest > 0 { text += ", and \(count(rest, "other object"))" }
    return text
  }
}
