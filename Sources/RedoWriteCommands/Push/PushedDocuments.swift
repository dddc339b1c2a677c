// Whether the documents that a push wrote to Firestore are as they should be.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Checks the documents that a push has written.
enum PushedDocuments {
  /// Reads documents again and checks them.
  ///
  /// - Parameters:
  ///   - done: the push; for remotes that are not at Firestore the comparison has shown the result already.
  ///   - report: what it has sent.
  ///   - all: whether the whole history is checked, not only what was sent.
  ///   - context: for messages.
  /// - Returns: whether all is well.
  /// - Throws: the errors of `RemoteQuery.ask`; `fatal` when the history cannot be read.
  static func areGood(
    _ done: SyncSession, _ report: SyncReport, all: Bool, _ context: inout Context
  ) throws -> Bool {
    guard RemoteQuery.isAnswered(by: done.remote) else { return true }
    var ids = report.pushed
    if all {
      let refused = Set(report.refused.map(\.id))
      let graph = try HistoryGraph.open(done.opened, usesCache: true, [.ids]).graph
      ids = (0..<graph.count).map { graph.id(at: $0) }.filter { !refused.contains($0) }
    }
    guard !ids.isEmpty else { return true }
    let query = RemoteQuery(
      done.remote, repeats: done.options.repeats, isQuiet: done.options.isQuiet)
    let rows = try RemoteDocumentCheck.run(
      ids.map(\.text), at: query, allowsUnsigned: done.options.allowsUnsigned, context.effects)
    let wrong = rows.filter { !$0.findings.isEmpty }
    context.errors(wrong, summary: "documents are not as they should be") {
      RemoteDocumentCheck.say($0, context)
    }
    if wrong.isEmpty, !done.options.isQuiet {
      context.note(
        "the documents of \(SyncReport.changes(rows.count)) in "
          + "'\(done.remote.title)' are as they should be")
    }
    return wrong.isEmpty
  }
}
