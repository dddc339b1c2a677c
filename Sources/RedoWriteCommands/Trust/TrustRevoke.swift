// redo trust revoke: ends the trust in a key, except for what certain nodes reach.

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

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else { throw CommandError.usage("one signer must be named") }
    let signer = try TrustWords.signer(options.arguments[0])
    let comment = try TrustWords.comment(options)
    let opened = try context.effects.openRepository()
    let tips = try tips(options, opened, context)
    let revocation = TrustRevocation(
      of: signer, keeping: tips, comment: comment, isDryRun: options.has(.dryRun))
    let outcome = try revocation.make(opened, context.effects)
    let change = outcome.change
    try TrustWords.write(change, options, &context)
    guard !options.has(.quiet), !change.lines.isEmpty else { return .ok }
    try context.output.flush()
    let (kept, lost) = (outcome.keptCount, outcome.allCount - outcome.keptCount)
    context.note(
      "\(kept) change\(kept == 1 ? "" : "s") of it stay\(kept == 1 ? "s" : "") good, "
        + "\(lost) \(lost == 1 ? "is" : "are") 'key-revoked'")
    if tips.isEmpty, outcome.allCount > 0 {
      context.hint(
        "'--valid-through=<head>' keeps good what a head reaches that is known to be genuine")
    }
    return .ok
  }

  /// The named nodes.
  private static func tips(
    _ options: ParsedOptions, _ opened: Repository, _ context: borrowing Context
  ) throws -> [ObjectID] {
    let revisions = Revisions(opened, now: context.clock())
    var tips: [ObjectID] = []
    for text in options.values(through) { tips += try revisions.all(text) }
    guard options.has(stdin) else { return tips }
    for name in try context.names(end: options.rowEnd) {
      tips += try revisions.all(Escape.text(name.bytes))
    }
    return tips
  }
}
