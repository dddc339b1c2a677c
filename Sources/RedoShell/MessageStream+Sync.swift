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
    let unseen = Set(rows.lazy.filter { $0.rule == RefusedNode.ancestorUnseen }.map(\.id))
    if !unseen.isEmpty {
      let isOne = unseen.count == 1
      say(
        "hint: ",
        "\(unseen.count) change\(isOne ? "" : "s") of '\(remote)' \(isOne ? "is" : "are") held back "
          + "until somebody there adds the account to the access lists of all ancestors")
    }
    let count = Set(rows.map(\.id)).subtracting(unseen).count
    guard count > 0 else { return }
    say(
      "hint: ",
      "\(count) document\(count == 1 ? "" : "s") of '\(remote)' cannot be taken; "
        + "'redo quarantine list' shows what is kept of \(count == 1 ? "it" : "them")")
  }
}
