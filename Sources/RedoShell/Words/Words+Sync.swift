// Messages about exchanges that this side ends, and about what happens during an exchange.

internal import RedoHistory
internal import RedoObject
internal import RedoRemote
package import RedoRepository
internal import RedoStore

extension SyncFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .busy(let lock):
      CommandError(.temporary, "another synchronisation of this store is under way ('\(lock)')")
    case .changedBundle(let path): .fatal("'\(path)' has changed while it was read")
    case .unstartableHook(let name, let error):
      .fatal("the hook '\(name)' cannot be run: \(error.description)")
    case .foreignHook(let name, let reason):
      .fatal(
        "the hook '\(name)' is not run: \(reason)",
        hints: ["only a file of your own, which nobody else may write, is run"])
    case .busyDocuments(let error): CommandError(.temporary, error.description)
    case .damagedDocuments(let error):
      .fatal(
        error.description,
        hints: [
          "nothing of it was changed; with a copy of it at another place the file can be moved away: "
            + "nodes of the store come back as documents by themselves"
        ])
    }
  }
}

extension SyncEvent {
  /// The lines of the message, each with its prefix.
  var lines: [(prefix: String, text: String)] {
    switch self {
    case .unreachable(let remote, let error, let attempt, let limit, let delay):
      [
        (
          "warning: ",
          "'\(remote)' cannot be reached: \(error.reason); attempt \(attempt) of \(limit) in "
            + "\(delay / 1_000) seconds"
        )
      ]
    case .programEnded(let end): [("warning: ", end.words.message)]
    case .lost(let remote, let count, let kind, let isSent):
      [
        (
          "warning: ",
          "'\(remote)' lacks what it had: the heads of \(count) "
            + "\(kind.groupNoun)\(count == 1 ? "" : "s")"
        )
      ]
        + (isSent
          ? []
          : [
            (
              "hint: ",
              "'redo push \(kind == .node ? "" : "--kind=\(kind) ")\(remote)' gives it back"
            )
          ])
    case .nodesLost(let remote, let count, let isSent):
      [
        (
          "warning: ",
          "'\(remote)' lacks \(count) change\(count == 1 ? "" : "s") that it had"
        )
      ] + (isSent ? [] : [("hint: ", "'redo push \(remote)' gives back what is here of it")])
    case .nodeRefused(let id, let findings, let peer):
      findings.flatMap { finding in
        [("error: ", Diagnosis.text(finding, of: Self.subject(id, peer)))]
          + (finding.hint.map { [("hint: ", $0)] } ?? [])
      }
    case .unreadable(let id, let finding):
      [("error: ", Diagnosis.text(finding, of: id.text))]
    case .nodeUnasked(let node, let peer):
      [("error: ", "'\(Self.subject(node.id, peer))': \(node.rule): \(node.detail)")]
    case .parentMissing(let orphan) where orphan.isRefused:
      [
        (
          "error: ",
          Diagnosis.text(Finding(.parentRefused, detail: orphan.parent.text), of: orphan.id.text)
        )
      ]
    case .parentMissing(let orphan):
      // The wording is that of requirement K19.
      [
        (
          "error: ",
          "ValidationError: missing parent \(orphan.parent.text) (Invalid parent reference) in "
            + orphan.id.text
        )
      ]
    case .refusedInAll(let count): [("hint: ", "\(count) changes are refused in all")]
    case .waiting(let count): [("hint: ", Self.waiting(count))]
    case .untrusted(let row, _) where row.ancestor != nil: []
    case .untrusted(let row, let peer):
      [
        (
          "error: ",
          "'\(Self.subject(row.id, peer))' waits: \(row.answer.standing.rule?.id ?? ""): "
            + row.detail
        )
      ]
    case .untrustedInAll(let count): [("hint: ", Self.held(count))]
    case .untrustedTaken(let count):
      [
        (
          "warning: ",
          "\(Self.letters(count)) \(count.total == 1 ? "is" : "are") taken, although the trust file "
            + "does not let \(count.total == 1 ? "its key" : "their keys") sign; "
            + "'redo trust check --all' names \(count.total == 1 ? "it" : "them")"
        )
      ]
    case .hookRefused(let name, let ref, let status):
      [
        (
          "error: ",
          "the hook '\(name)' refuses what came\(ref.map { " for '\($0)'" } ?? ""): it ended with "
            + "\(status)"
        )
      ]
    case .hookFailed(let name, let status):
      [("warning: ", "the hook '\(name)' ended with \(status)")]
    case .hookPassedOver(let name):
      [("warning: ", "the hook '\(name)' is passed over: it is not executable")]
    case .hookUntold(let error): [("warning: ", CommandError(error).message)]
    }
  }

  /// A node and who sent it, as they are quoted in messages.
  private static func subject(_ id: ObjectID, _ peer: String) -> String {
    peer.isEmpty ? id.text : "\(peer)', '\(id.text)"
  }

  /// `3 changes (2 U, 1 X)`.
  private static func letters(_ count: UntrustedCount) -> String {
    let number = count.total - count.following
    let letters = UntrustedCount.order.compactMap { letter in
      count.letters[letter].map { "\($0) \(letter)" }
    }
    return "\(number) change\(number == 1 ? "" : "s") (\(letters.joined(separator: ", ")))"
  }

  /// How many wait because of the trust file, and what lets them in.
  private static func held(_ count: UntrustedCount) -> String {
    let isOne = count.total == 1
    let below = count.following
    let following =
      below == 0 ? "" : ", and \(below) that follow\(below == 1 ? "s" : ""),"
    let how: String
    switch count.unknown.count {
    case 0: how = "after a change of the trust file"
    case 1: how = "'redo trust add \(count.unknown[0].text)' and then"
    default: how = "'redo trust add' with the keys and then"
    }
    let them = isOne ? "it" : "them"
    return "\(letters(count))\(following) wait\(isOne ? "s" : "") in the quarantine until the "
      + "trust file lets \(them) in: \(how) 'redo quarantine promote' takes \(them) in"
  }

  private static func waiting(_ count: Int) -> String {
    let many = count != 1
    return "\(count) change\(many ? "s wait" : " waits") in the quarantine for "
      + "\(many ? "their" : "its") parents; 'redo quarantine list' shows \(many ? "them" : "it")"
  }
}
