// redo checkpoint verify --of: whether a copy has all that a checkpoint states, and what it lacks.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Holds a copy against a checkpoint, and prints the answer.
enum CheckpointCompleteness {
  /// A row of the answer.
  fileprivate enum Row {
    case answer(Completeness, Checkpoint, by: PublicKey)
    case missing(String, ObjectKind, ObjectID, by: [ObjectID])
    case added(ObjectKind, ObjectID)
  }

  static func run(
    _ copy: String, _ pinned: PublicKey?, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    guard options.arguments.count == 1 else {
      throw CommandError.usage("'--of' holds a copy against one checkpoint")
    }
    let list = options.value(CheckpointWords.ids)
    let keys = try SealKeys(
      options, reading: [copy, list, options.arguments[0]].compactMap(\.self))
    let effects = context.effects
    let opened = try effects.openRepositoryIfPresent()
    let name = options.arguments[0]
    let signed = try CheckpointShelf.named(name, in: opened, effects)
    let trust = try CheckpointTrust(opened, pinned: pinned, effects)
    if let refusal = trust.refusal(of: signed) {
      throw CheckpointFault.broken(name: name, refusal)
    }
    let statements = signed.checkpoint.statements.compactMap { statement in
      ObjectKind(name: statement.kind).flatMap { $0.hasHistory ? ($0, statement) : nil }
    }
    guard !statements.isEmpty else { throw CheckpointFault.silent(name: name) }
    let contents = try list.map { list throws in
      try CheckpointShelf.list(list, of: signed.checkpoint, name, effects)
    }
    let source = try CopySource(copy, remotesOf: opened, effects)
    context.holdSignals()
    let copies = try source.read(
      statements.map(\.0), keepsParents: true, keys, context.effects)
    let signer = trust.signer(of: signed)
    var answers: [Completeness] = []
    var unread: [CopyComparison.Unread] = []
    for there in copies {
      guard let statement = statements.first(where: { $0.0 == there.kind })?.1 else { continue }
      let found = Completeness(there, statement, contents?[there.kind])
      try RowWriter(columns, options).write(rows(found, signed.checkpoint, signer), &context)
      answers.append(found)
      unread += there.unread(copy).map { [$0] } ?? []
    }
    try context.output.flush()
    sayWhose(signed, trust, options, &context)
    if source.isRemote {
      context.note(
        "'\(copy)' says so itself: 'redo ls-remote --verify' or a fetch asks for the bytes")
    }
    if copies.contains(where: \.showsPart) {
      context.warning("'\(copy)' shows a part of what it has")
    }
    for line in unread.flatMap(\.lines) { context.error(line) }
    let left = statements.filter { stated in !copies.contains { $0.kind == stated.0 } }
    for (kind, statement) in left {
      context.error(
        "'\(copy)' is a remote, and not asked about \(kind)s: the checkpoint states \(statement.count)"
      )
    }
    let isComplete = answers.allSatisfy { $0.verdict == .complete }
    if !isComplete, contents == nil {
      context.hint(
        "'--ids=<file>' with the list that 'redo checkpoint create --ids' wrote names each one")
    }
    return isComplete && unread.isEmpty && left.isEmpty ? .ok : .no
  }

  /// Says what the copy was held against: the answer is worth as much as whoever signed that.
  private static func sayWhose(
    _ signed: SignedCheckpoint, _ trust: CheckpointTrust, _ options: ParsedOptions,
    _ context: inout Context
  ) {
    if !options.has(.json) {
      let checkpoint = signed.checkpoint
      context.note(
        "stated by the checkpoint of \(checkpoint.time.text) of the log \(checkpoint.origin), "
          + "signed by \(Hex.text(trust.signer(of: signed).bytes.span))")
    }
    guard trust.isAnybody else { return }
    context.warning("anybody may have signed it: there is neither '--key' nor a trust file")
  }

  private static func rows(
    _ found: Completeness, _ checkpoint: Checkpoint, _ signer: PublicKey
  ) -> [Row] {
    [.answer(found, checkpoint, by: signer)]
      + found.heads.map { .missing("head", found.kind, $0, by: []) }
      + found.parents.map { .missing("parent", found.kind, $0.id, by: $0.children) }
      + found.others.map { .missing("\(found.kind.name)", found.kind, $0, by: []) }
      + found.added.map { .added(found.kind, $0) }
  }

  /// `<answer> <kind> <stated> <there> <heads stated> <heads there>`, then `missing head|parent|<kind> <id> [<child>...]` and
  /// `added <kind> <id>`.
  private static var columns: [RowColumn<Row>] {
    [
      .word("result") { $0.result },
      .word("what", in: .json) { $0.what },
      .word("kind", in: .json) { $0.kind.name.description },
      .word("words", in: .text) { $0.words },
      .word("id", in: .json) { $0.id?.text },
      .number("stated", in: .json) { $0.completeness?.statement.count },
      .number("there", in: .json) { $0.completeness?.count },
      .number("headsStated", in: .json) { $0.completeness?.statement.headCount },
      .number("headsThere", in: .json) { $0.completeness?.headCount },
      .list("by", in: .json) {
        $0.children
      } text: { _ in
        nil
      },
      .word("key", in: .json) { $0.signer.map { Hex.text($0.bytes.span) } },
      .text("origin", in: .json) { $0.checkpoint?.origin },
      .word("time", in: .json) { $0.checkpoint?.time.text },
    ]
  }
}

extension CheckpointCompleteness.Row {
  fileprivate var completeness: Completeness? {
    if case .answer(let found, _, _) = self { found } else { nil }
  }

  fileprivate var kind: ObjectKind {
    switch self {
    case .answer(let found, _, _): found.kind
    case .missing(_, let kind, _, _), .added(let kind, _): kind
    }
  }

  fileprivate var checkpoint: Checkpoint? {
    if case .answer(_, let checkpoint, _) = self { checkpoint } else { nil }
  }

  fileprivate var signer: PublicKey? {
    if case .answer(_, _, let signer) = self { signer } else { nil }
  }

  fileprivate var result: String {
    switch self {
    case .answer(let found, _, _): found.verdict.rawValue
    case .missing: "missing"
    case .added: "added"
    }
  }

  fileprivate var what: String? { if case .missing(let what, _, _, _) = self { what } else { nil } }

  fileprivate var id: ObjectID? {
    switch self {
    case .answer: nil
    case .missing(_, _, let id, _), .added(_, let id): id
    }
  }

  fileprivate var children: [String]? {
    guard case .missing(_, _, _, let children) = self, !children.isEmpty else { return nil }
    return children.map(\.text)
  }

  fileprivate var words: String {
    switch self {
    case .answer(let found, _, _):
      "\(found.kind.name) \(found.statement.count) \(found.count) \(found.statement.headCount) "
        + "\(found.headCount)"
    case .missing(let what, _, let id, let children):
      ([what, id.text] + children.map(\.text)).joined(separator: " ")
    case .added(let kind, let id): "\(kind.name) \(id.text)"
    }
  }
}
