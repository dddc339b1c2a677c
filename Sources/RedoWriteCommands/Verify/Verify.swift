// redo verify: who signed what, and whether all bytes match their ids: for single nodes, or for
// the store as a whole.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo verify [--profile=<profile>] [<options>] [--all | --stdin | --ndjson | <revision>...]`.
enum Verify: Command {
  static let name = "verify"
  static let summary = "check nodes, or the whole store, to the last byte"
  static var usage: [String] {
    [
      "redo-verify [--sample=<n>/<t>] [--max-duration=<time>] [--resume=<token>]\n"
        + "            [--profile=<profile>] [--json] [-z] [--[no-]progress]",
      "redo-verify [--profile=<profile>] [--pass=<letters> | --explain] [--json] [-z]\n"
        + "            (<revision>... | --all | --stdin | --ndjson)",
      "redo-verify --summary=<of> [--profile=<profile>] [--json] [-z]\n"
        + "            [<revision>... | --all | --stdin | --ndjson]",
      "redo-verify --proof[=<file>] [--key=<hex>] [--json] [-z]",
      "redo-verify [--repair-from=<source> [--allow-unsigned]] [--repair-refs] [-n] [--json] [-z]",
    ]
  }

  private static let ndjson = OptionSpec(
    "ndjson", help: "read nodes from standard input, a line each, from wherever they come")
  private static let proof = OptionSpec(
    "proof", .optional("file"),
    help: "check a proof of redo prove; from standard input without <file>")
  private static let pass = OptionSpec(
    "pass", .required("letters"),
    help: "print the ids, or lines, of nodes with these verdicts alone: good, or G,U")
  private static let explain = OptionSpec(
    "explain", help: "show what each reading of id and signature comes to")
  static var options: [OptionSpec] {
    [.allNodes, .stdinIDs, ndjson, .profile, pass, explain, VerifySummary.option]
      + VerifyStore.options + VerifyRepair.options
      + [proof, CheckpointWords.key, .json, .nulBoth]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    if options.has(proof) { return try checkProof(&context, options) }
    guard !options.has(CheckpointWords.key) else {
      throw CommandError.usage("'--key' is about '--proof', which is not given")
    }
    if let repair = try repair(options) { return try repair.run(&context) }
    guard try isOfStore(options) else { return try nodes(options).run(&context) }
    return try VerifyStore.run(
      &context, options, try options.choice(.profile, as: Profile.self) ?? .v1,
      isJSON: options.has(.json), end: options.rowEnd)
  }

  /// Whether the whole store is meant: no node is named, and no option that applies to nodes is given.
  private static func isOfStore(_ options: ParsedOptions) throws -> Bool {
    let ofNodes = [.allNodes, .stdinIDs, ndjson, pass, explain, VerifySummary.option]
    if options.arguments.isEmpty, !ofNodes.contains(where: { options.has($0) }) { return true }
    if let stranger = VerifyStore.options.first(where: { options.has($0) }) {
      throw CommandError.usage(
        "option '\(stranger.spelling)' is of the store as a whole, not of nodes")
    }
    return false
  }

  /// The repair mode, if it is asked for.
  private static func repair(_ options: ParsedOptions) throws -> VerifyRepair? {
    let repair = try VerifyRepair(options)
    guard repair != nil else { return nil }
    let others =
      [.allNodes, .stdinIDs, ndjson, .profile, pass, explain, VerifySummary.option]
      + VerifyStore.options
    let other = others.first { options.has($0) }
    guard other == nil, options.arguments.isEmpty else {
      throw CommandError.usage(
        "a repair is about the whole store, and takes no "
          + (other.map { "'\($0.spelling)'" } ?? "'\(options.arguments[0])'"))
    }
    return repair
  }

  /// The mode with one row for each node.
  private static func nodes(_ options: ParsedOptions) throws -> VerifyNodes {
    let summary = try VerifySummary(options)
    var source = try options.only(oneOf: [.allNodes, .stdinIDs, ndjson])
    if source == nil, options.arguments.isEmpty, summary != nil { source = .allNodes }
    guard (source == nil) == !options.arguments.isEmpty else {
      throw CommandError.usage(
        source == nil
          ? "no id is named; '--all' checks all nodes"
          : "'\(source?.spelling ?? "")' takes no ids as arguments")
    }
    let explains = options.has(explain)
    let passing = try options.value(pass).map { text throws in
      try PassLetters(text)
    }
    _ = try options.only(oneOf: [pass, explain, VerifySummary.option])
    return VerifyNodes(
      source: nodeSource(source, options.arguments),
      profile: try options.choice(.profile, as: Profile.self) ?? .v1,
      isJSON: options.has(.json), end: options.rowEnd,
      passing: passing, explains: explains, summary: summary)
  }

  /// The mode in which only a proof is checked.
  private static func checkProof(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let own = [proof, CheckpointWords.key, .json, .nulBoth]
    let other = Self.options.first { spec in
      options.has(spec) && !own.contains { $0.isSame(as: spec) }
    }
    guard other == nil, options.arguments.isEmpty else {
      throw CommandError.usage(
        "'--proof' takes no "
          + (other.map { "'\($0.spelling)'" } ?? "'\(options.arguments[0])'")
          + "; a file is named by '--proof=<file>'")
    }
    return try VerifyProof.run(
      options.value(proof), try CheckpointWords.pinned(options), isJSON: options.has(.json),
      end: options.rowEnd, &context)
  }

  private static func nodeSource(
    _ source: OptionSpec?, _ names: [String]
  ) -> VerifyNodes.Source {
    guard let source else { return .names(names) }
    if source.isSame(as: ndjson) { return .lines }
    return source.isSame(as: .stdinIDs) ? .standardInput : .all
  }
}
