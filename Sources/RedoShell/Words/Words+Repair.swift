// Messages about repairs.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension RepairFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noSource(let name):
      .fatal("'\(name)' is neither a store, an export, an archive nor a remote", hints: Self.hints)
    case .ownStore(let name): .fatal("'\(name)' is the store that is to be repaired")
    case .incomplete(let id):
      .fatal(
        "node '\(id.text)' was received, and it or an ancestor is missing or damaged",
        hints: ["give '--repair-from=<source>' too, an empty file if there is no other copy"])
    }
  }

  private static let hints = [
    "a source is the path of a store, the name or URL of a remote, or a file or directory that 'redo import' reads"
  ]
}

extension RepairEvent {
  /// The message.
  var words: String {
    switch self {
    case .refsUnread(let error): "\(error); what only refs name is not looked for"
    case .receivedDamaged(let path, let reason):
      "'\(path)': \(reason); what only its damaged part names is not looked for"
    case .changesLost:
      "changes at the end may be lost; refs other than heads are as old as what is proved"
    }
  }
}

extension RepairRow {
  /// What was wrong, and what is done about it.
  package var reason: String {
    let damage = damage.map { ": \($0.words)" } ?? ""
    return ([rule.id + damage] + remarks.map(\.words)).joined(separator: "; ")
  }
}

extension RepairDamage {
  fileprivate var words: String {
    switch self {
    case .bytes(let reason): reason
    case .pack(let reasons, let worse):
      (reasons + (worse > 0 ? ["\(worse) of its nodes have a better copy elsewhere"] : []))
        .joined(separator: "; ")
    case .holds(let id): "it holds '\(id.text)'"
    case .blob: "it is kept as a blob"
    case .frame: "its frame of the pack cannot be read"
    case .unreachable(let count):
      "\(count) node\(count == 1 ? "" : "s") that were received are in the history again"
    case .staleHeads(let count):
      "\(count) head\(count == 1 ? " is" : "s are") ancestors of others, and no heads any more"
    case .unreceived(let count):
      "\(count) node\(count == 1 ? " gets" : "s get") the time of the repair"
    }
  }
}

extension RepairRemark {
  fileprivate var words: String {
    switch self {
    case .absent: "the source does not have it"
    case .damaged(let damage): damage.words
    case .kind(let kind): "the source has it as a \(kind.name)"
    case .invalid(let finding): "the copy breaks a rule: \(finding.summary)"
    case .noBetter(let finding): "the copy is no better" + (finding.map { ": \($0.summary)" } ?? "")
    case .unnamed: "nothing names it"
    case .pack(let error): error.description
    case .nowhereElse(let count): "\(count) of its nodes are nowhere else"
    case .kept(let count): "\(count) nodes are kept"
    case .lost(let count): "\(count) nodes are lost"
    }
  }
}

extension CopyDamage {
  fileprivate var words: String {
    switch self {
    case .corrupt(let reason): "its copy is corrupt: \(reason)"
    case .unreadable(let error): "its copy cannot be read: \(error.reason)"
    case .offline: "its copy is in an archive that is not there"
    case .invalid(let finding): "its copy breaks a rule: \(finding.summary)"
    case .heldBack(let rule, _) where rule == Rule.signatureMissing.id:
      "its copy has no signature, or follows one that has none; '--allow-unsigned' takes it"
    case .heldBack(let rule, let detail):
      "it does not send its copy: \(Escape.text(rule))\(detail.isEmpty ? "" : ", \(Escape.text(detail))")"
    }
  }
}
