// redo trust add: signers are added to the trust file.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoHistory
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
    var lines: [TrustLine] = []
    for text in options.arguments { lines.append(line(try TrustWords.signer(text), model)) }
    let opened: Repository?
    let passphrase = try PassphraseSource(options)
    if options.has(seen) {
      let store = try context.effects.openRepository()
      lines = try seenLines(store, model)
      opened = store
    } else {
      opened = try context.effects.openRepositoryIfPresent()
    }
    if let same = model.sameAs, lines.contains(where: { $0.signer == same }) {
      throw CommandError.usage("'--same-as' names the signer itself")
    }
    if options.has(prove) {
      guard let opened, lines.count == 1 else {
        throw CommandError.usage("'--prove' is of one key, in a store")
      }
      try KeyProof.add(to: &lines[0], passphrase, opened, &context)
    }

    let change = try TrustWords.change(
      opened, isDryRun: options.has(.dryRun), &context
    ) { text throws in
      try missing(lines, text.list, skipsKnown: options.has(seen))
    }
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
    // Both are the first instant of what begins: of trust, and of none.
    guard let moment = Moment(text, .start, now: context.clock()) else {
      throw CommandError.fatal("not a valid date '\(text)'", hints: [Moment.forms])
    }
    return WallTime(milliseconds: moment.milliseconds)
  }

  private static func line(
    _ signer: Signer, _ model: TrustLine, comment: [UInt8]? = nil
  ) -> TrustLine {
    var line = TrustLine(signer)
    (line.role, line.sameAs) = (model.role, model.sameAs)
    (line.validAfter, line.validBefore) = (model.validAfter, model.validBefore)
    line.comment = model.comment ?? comment
    return line
  }

  /// The lines that the file does not have yet.
  ///
  /// - Throws: `refused` for a signer of whom the file says something else.
  private static func missing(
    _ lines: [TrustLine], _ list: TrustList, skipsKnown: Bool
  ) throws -> [TrustLine] {
    var added: [TrustLine] = []
    for line in lines where !added.contains(where: { $0.signer == line.signer }) {
      guard let entry = line.signer.key.map({ list.entry(of: $0) }) ?? list.entry(of: line.signer)
      else {
        added.append(line)
        continue
      }
      if skipsKnown || entry.says(line) { continue }
      if let revoked = entry.revokedLine {
        throw CommandError(
          .refused, "'\(line.signer.text)' is revoked on line \(revoked)",
          hints: ["trust that was taken away is given back by editing the file, never by 'add'"])
      }
      throw CommandError(
        .refused, "'\(line.signer.text)' stands on line \(entry.line), which says something else",
        hints: ["what a line says is changed by editing the file"])
    }
    return added
  }

  /// A line for each key that nodes of the history carry, by their first node.
  private static func seenLines(
    _ opened: Repository, _ model: TrustLine
  ) throws -> [TrustLine] {
    let history = try HistoryGraph.open(opened, usesCache: true, [.labels])
    let graph = history.graph
    var isSeen = [Bool](repeating: false, count: graph.authors.count)
    var lines: [TrustLine] = []
    var keys = Set<PublicKey>()
    for position in 0..<graph.count where history.members?[position] ?? true {
      let number = graph.authorNumber(at: position)
      guard !isSeen[number] else { continue }
      isSeen[number] = true
      let author = graph.authors[number]
      guard let bytes = author.publicKey else { continue }
      let key = PublicKey(bytes: InlineArray { bytes[$0] })
      guard keys.insert(key).inserted else { continue }
      lines.append(line(.key(key), model, comment: comment(author)))
    }
    return lines
  }

  /// What the author is called: shown, not believed.
  private static func comment(_ author: GraphAuthor) -> [UInt8]? {
    guard let name = author.name, !name.isEmpty else { return nil }
    return Array(Escape.text(StringEscape.unescape(name.span)).utf8)
  }
}

extension TrustEntry {
  /// Whether the file says of the signer just what a line says.
  fileprivate func says(_ line: TrustLine) -> Bool {
    line.signer == signer && !isRevoked && role == line.role ?? .author
      && validAfter == line.validAfter && validBefore == line.validBefore && sameAs == line.sameAs
      && (line.proof == nil || proof != nil)
  }
}
