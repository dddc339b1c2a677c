// Messages about what happens while stores talk to each other.

internal import RedoObject
internal import RedoRemote
internal import RedoRepository

extension MessageStream {
  /// How many nodes are named before the rest are only counted.
  private static let notOfferedLimit = 100

  /// Reports problems of nodes that a remote does not offer.
  ///
  /// - Parameters:
  ///   - rows: what the remote said about them.
  ///   - remote: its title.
  func sayNotOffered(_ rows: [RefusedNode], by remote: String) {
    for row in rows.prefix(Self.notOfferedLimit) {
      if row.rule == Rule.parentMissing.id {
        // The wording is that of requirement K19.
        say("error: ", "ValidationError: \(row.detail) in \(row.id.text)")
      } else {
        let detail = row.detail.isEmpty ? row.rule : row.detail
        say("error: ", "'\(remote)', '\(row.id.text)': \(detail)")
      }
    }
    guard !rows.isEmpty else { return }
    let count = Set(rows.map(\.id)).count
    say(
      "hint: ",
      "\(count) document\(count == 1 ? "" : "s") of '\(remote)' cannot be taken; "
        + "'redo quarantine list' shows what is kept of \(count == 1 ? "it" : "them")")
  }
}
