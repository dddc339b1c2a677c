// Messages about nodes that the app's file has no place for.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

extension ExportRemarks {
  /// Reports each remark once, with the first node that it applies to.
  func report(_ context: inout Context) {
    for kind in Kind.allCases {
      guard let (count, first) = counts[kind] else { continue }
      let changes = count == 1 ? "1 change has" : "\(count) changes have"
      context.warning(
        "\(changes) \(kind.words), which the app's file does not describe, "
          + "the first is '\(first.text)'")
    }
    if shared > 0 {
      context.note(
        "\(shared) receipt\(shared == 1 ? "" : "s") left out: what others have shared, and what follows them"
      )
      context.hint("'--include-received' exports them as well")
    }
    if precise > 0 {
      context.warning(
        "\(precise) receipt\(precise == 1 ? "" : "s") left out: precise places, and what follows them"
      )
      context.hint("'--include-precise' exports them as well")
    }
    if chains > 0 {
      context.note(
        "\(chains) chain\(chains == 1 ? "" : "s") of receipts left out; '--kind=receipt' exports receipts"
      )
    }
  }
}

extension ExportRemarks.Kind {
  fileprivate var words: String {
    switch self {
    case .action: "an action that the app does not know"
    case .payload: "content in 'payload'"
    case .author: "an e-mail address or device name of the author"
    case .conflictResolution: "a record of a merge"
    case .names: "member names that the app takes for the same one"
    }
  }
}
