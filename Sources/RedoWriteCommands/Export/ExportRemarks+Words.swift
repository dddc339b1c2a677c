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
    context.reportLeftOut(precise: precise, shared: shared, "exports")
    context.reportLeftOut(chains: chains, "exports")
  }
}

extension Context {
  /// Says how many receipts do not leave the store, and why.
  ///
  /// - Parameters:
  ///   - precise: those that tell a precise place, and what follows them.
  ///   - shared: those that others have shared, and what follows them.
  ///   - verb: what an option would do with them.
  mutating func reportLeftOut(precise: Int, shared: Int, _ verb: String) {
    if shared > 0 {
      note(
        "\(shared) receipt\(shared == 1 ? "" : "s") left out: what others have shared, and what follows them"
      )
      hint("'--include-received' \(verb) them as well")
    }
    if precise > 0 {
      warning(
        "\(precise) receipt\(precise == 1 ? "" : "s") left out: precise places, and what follows them"
      )
      hint("'--include-precise' \(verb) them as well")
    }
  }

  /// Says how many chains of receipts are not among what is about nodes.
  mutating func reportLeftOut(chains: Int, _ verb: String) {
    guard chains > 0 else { return }
    note(
      "\(chains) chain\(chains == 1 ? "" : "s") of receipts left out; '--kind=receipt' \(verb) receipts"
    )
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
