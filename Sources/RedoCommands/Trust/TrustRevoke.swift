// redo trust revoke: a key is not trusted any more. What stays good is told by the graph and not by
// clocks: whoever has the key can write any time into a node, but nobody can put a node among the
// ancestors of one that is there already.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo trust revoke [--valid-through=<revision>]... [--stdin] <signer>`.
enum TrustRevoke: Command {
  static let name = "revoke"
  static let summary = "take trust from a signer, but for what certain nodes reach"
  static var usage: [String] {
    [
      "redo-trust revoke [-n] [-q] [--valid-through=<revision>]... [--stdin] [-m <why>]"
        + " [--json] [-z] <signer>"
    ]
  }
  private static let through = OptionSpec(
    "valid-through", .required("revision"),
    help: "what this node reaches stays good, itself included; may be repeated")
  private static let stdin = OptionSpec(
    "stdin", help: "read more such revisions from standard input, a line each")
  static var options: [OptionSpec] {
    [
      .dryRun, .quiet, through, stdin, TrustWords.message, .json,
      .nulBoth,
    ]
  }

  /// The longest line with a revision.
  private static let nameLimit = 65_536
  /// How many nodes stand on one line of the file.
  private static let lineCount = 8

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else { throw CommandError.usage("one signer must be named") }
    let signer = try TrustWords.signer(options.arguments[0])
    let comment = try TrustWords.comment(options)
    let opened = try context.effects.openRepository()
    let tips = try tips(options, opened, context)
    let reach = try Reach(signer, tips, opened)
    let lines = lines(signer, reach.last, comment)

    let change = try TrustWords.change(
      opened, isDryRun: options.has(.dryRun), &context
    ) { text throws in
      try missing(signer, lines, text.list)
    }
    try TrustWords.write(change, options, &context)
    guard !options.has(.quiet), !change.lines.isEmpty else { return .ok }
    try context.output.flush()
    let (kept, lost) = (reach.keptCount, reach.allCount - reach.keptCount)
    context.note(
      "\(kept) change\(kept == 1 ? "" : "s") of it stay\(kept == 1 ? "s" : "") good, "
        + "\(lost) \(lost == 1 ? "is" : "are") 'key-revoked'")
    if tips.isEmpty, reach.allCount > 0 {
      context.hint(
        "'--valid-through=<head>' keeps good what a head reaches that is known to be genuine")
    }
    return .ok
  }

  /// The nodes that are named.
  private static func tips(
    _ options: ParsedOptions, _ opened: Repository, _ context: borrowing Context
  ) throws -> [ObjectID] {
    let revisions = Revisions(opened, now: context.clock())
    var tips: [ObjectID] = []
    for text in options.values(through) { tips += try revisions.all(text) }
    guard options.has(stdin) else { return tips }
    var reader = LineReader(
      descriptor: context.input, separator: options.rowEnd, limitBytes: nameLimit)
    while let record = try reader.next() {
      let text = String(decoding: reader.bytes[record.range], as: UTF8.self)
      guard record.state != .tooLong else {
        throw CommandError.fatal("a line is too long to be a revision")
      }
      if !text.isEmpty { tips += try revisions.all(text) }
    }
    return tips
  }

  /// What nodes reach of the signer's work.
  private struct Reach {
    /// How many of the signer's nodes they reach.
    var keptCount = 0
    /// How many there are in the history, and among what they reach.
    var allCount = 0
    /// The last of those that they reach.
    var last: [ObjectID] = []

    init(
      _ signer: Signer, _ tips: [ObjectID], _ opened: Repository
    ) throws {
      let heads = try HistoryLoad.heads(opened)
      // From the objects themselves: what an index says could have been changed by a thief as well.
      let graph = try HistoryGraph.reaching(
        heads + tips, opened, usesCache: false, [.ids, .labels])
      let isOwn = graph.authors.map { author in
        guard author.userID == signer.userID else { return false }
        guard let key = signer.key, let carried = author.publicKey else { return true }
        return Hex.text(key.bytes.span) == Hex.text(carried.span)
      }
      func reach(_ ids: [ObjectID]) -> AuthorReach {
        AuthorReach(from: ids.compactMap { graph.position(of: $0) }, in: graph) {
          isOwn[graph.authorNumber(at: $0)]
        }
      }
      let kept = reach(tips)
      keptCount = kept.count
      last = kept.last.map { graph.id(at: $0) }
      allCount = reach(heads + tips).count
    }
  }

  private static func lines(
    _ signer: Signer, _ ids: [ObjectID], _ comment: [UInt8]?
  ) -> [TrustLine] {
    var line = TrustLine(signer)
    line.isRevoked = true
    line.comment = comment
    guard !ids.isEmpty else { return [line] }
    return stride(from: 0, to: ids.count, by: lineCount).map { start in
      line.validThrough = Array(ids[start..<min(start + lineCount, ids.count)])
      defer { line.comment = nil }
      return line
    }
  }

  /// The lines that the file does not have yet.
  ///
  /// - Throws: `refused` for a signer who is not in the file, or revoked otherwise.
  private static func missing(
    _ signer: Signer, _ lines: [TrustLine], _ list: TrustList
  ) throws -> [TrustLine] {
    guard let entry = list.entry(of: signer) else {
      if let key = signer.key, let user = list.entry(of: key) {
        throw CommandError(
          .refused, "'\(signer.text)' is trusted by its user id, on line \(user.line)",
          hints: ["name '\(user.signer.text)' instead"])
      }
      throw CommandError(
        .refused, "'\(signer.text)' is not in the trust file",
        hints: [
          "a key that is not there is not trusted; where there is no file, "
            + "'redo trust add --seen' makes one of all keys that nodes carry"
        ])
    }
    guard let revoked = entry.revokedLine else { return lines }
    let ids = Set(lines.flatMap(\.validThrough))
    if ids == Set(entry.validThrough) { return [] }
    throw CommandError(
      .refused, "'\(signer.text)' is revoked on line \(revoked) already, and other nodes stay good",
      hints: ["what a revocation says is changed by editing the file"])
  }
}
