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
    context.reportLeftOut(chains: chains, schemas: schemas, "exports")
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

  /// Says how many chains of receipts, and how many schemas, are not among what is about nodes.
  mutating func reportLeftOut(chains: Int, schemas: Int, _ verb: String) {
    for (kind, count) in [(ObjectKind.receipt, chains), (.schema, schemas)] where count > 0 {
      note("\(kind.groupWords(count)) left out; '--kind=\(kind)' \(verb) \(kind)s")
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
