// redo trust add: adds signers to the trust file.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo trust add [<what they may>] (--seen | <key | user id>...)`.
enum TrustAdd: Command {
  static let name = "add"
  static let summary = "add signers to the trust file"
  static var usage: [String] {
    [
      "redo-trust add [-n] [-q] [--role=<role>] [--valid-after=<time>] [--valid-before=<time>]"
        + " [--same-as=<signer> [--prove [--passphrase-fd=<n>]]] [-m <comment>] [--json] [-z] (--seen | <signer>...)"
    ]
  }
  private static let role = OptionSpec(
    "role", .required("role"),
    help: "author (default): signs nodes and checkpoints; auditor: checkpoints only")
  private static let after = OptionSpec(
    "valid-after", .required("time"), help: "trusted for nodes from this time on")
  private static let before = OptionSpec(
    "valid-before", .required("time"), help: "trusted for nodes before this time")
  private static let sameAs = OptionSpec(
    "same-as", .required("signer"), help: "another key of the same person")
  private static let prove = OptionSpec(
    "prove", help: "sign it with both keys, which this store's keyring must have")
  private static let seen = OptionSpec(
    "seen", help: "every key that nodes of the history carry, and that is not in the file")
  static var options: [OptionSpec] {
    [
      .dryRun, .quiet, role, after, before, sameAs, prove,
      PassphraseSource.descriptorOption, TrustWords.message, seen, .json, .nul,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.has(seen) == options.arguments.isEmpty else {
      throw CommandError.usage(
        options.has(seen)
          ? "'--seen' takes no signers as arguments"
          : "no signer is named; '--seen' adds every key that nodes carry")
    }
    var model = TrustLine(.user(.none))
    model.role = try options.choice(role, as: TrustLine.Role.self)
    model.validAfter = try time(after, options, context)
    model.validBefore = try time(before, options, context)
    if let first = model.validAfter, let end = model.validBefore, first >= end {
      throw CommandError.usage("'--valid-after' is not before '--valid-before'")
    }
    if let text = options.value(sameAs) { model.sameAs = try TrustWords.signer(text) }
    model.comment = try TrustWords.comment(options)
    let named = try options.arguments.map { text throws in try TrustWords.signer(text) }
    let passphrase = try PassphraseSource(options)
    let addition = TrustAddition(
      of: options.has(seen) ? .seen : .named(named), model: model,
      proof: options.has(prove) ? passphrase : nil, isDryRun: options.has(.dryRun))
    let change = try addition.make(context.effects)
    try TrustWords.write(change, options, &context)
    try context.output.flush()
    if change.isNew, !change.lines.isEmpty, !options.has(.quiet) {
      context.hint("this makes a trust file; nodes by any other key are 'key-untrusted' then")
    }
    return .ok
  }

  private static func time(
    _ spec: OptionSpec, _ options: ParsedOptions, _ context: borrowing Context
  ) throws -> WallTime? {
    guard let text = options.value(spec) else { return nil }
    // Both dates stand for their first instant: trust begins there, or ends.
    guard let moment = Moment(text, .start, now: context.clock()) else {
      throw CommandError.fatal("not a valid date '\(text)'", hints: [Moment.forms])
    }
    return WallTime(milliseconds: moment.milliseconds)
  }
}
