// redo verify: who signed what, and whether every byte is what its name says. First form: nodes.

internal import RedoObject
internal import RedoStore

/// `redo verify [--profile=<profile>] [<options>] (--all | --stdin | --ndjson | <revision>...)`.
enum Verify: Command {
  static let name = "verify"
  static let summary = "check ids, rules and signatures of nodes"
  static var usage: [String] {
    [
      "redo-verify [--profile=<profile>] [--pass=<letters> | --explain] [--json] [-z]\n"
        + "            (<revision>... | --all | --stdin | --ndjson)"
    ]
  }

  private static let all = OptionSpec("all", help: "check all nodes of the store")
  private static let stdin = OptionSpec("stdin", help: "read ids from standard input")
  private static let ndjson = OptionSpec(
    "ndjson", help: "read nodes from standard input, a line each, from wherever they come")
  private static let profile = OptionSpec(
    "profile", .required("profile"), help: "the rules for nodes: v1 (default), sync or genesis")
  private static let pass = OptionSpec(
    "pass", .required("letters"),
    help: "print the ids, or lines, of nodes with these verdicts alone: good, or G,U")
  private static let explain = OptionSpec(
    "explain", help: "show what each reading of id and signature comes to")
  private static let repairFrom = OptionSpec(
    "repair-from", .required("source"),
    help: "replace damaged and missing objects by those of a store or an export")
  private static let repairRefs = OptionSpec(
    "repair-refs", help: "repair refs, their history and the received log")
  private static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "say what would be repaired, and write nothing")
  private static let json = OptionSpec("json", help: "a JSON object a line")
  private static let nul = OptionSpec(letter: "z", help: "rows, and ids of --stdin, end in NUL")
  static var options: [OptionSpec] {
    [
      all, stdin, ndjson, profile, pass, explain, repairFrom, repairRefs, dryRun, json, nul,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    if let repair = try repair(options) { return try repair.run(&context) }
    return try nodes(options).run(&context)
  }

  /// The mode that repairs, if it is asked for.
  private static func repair(_ options: ParsedOptions) throws(CommandError) -> VerifyRepair? {
    guard options.has(repairFrom) || options.has(repairRefs) else {
      guard !options.has(dryRun) else {
        throw .usage("'--dry-run' is about '--repair-from' and '--repair-refs'")
      }
      return nil
    }
    let other = [all, stdin, ndjson, profile, pass, explain].first { options.has($0) }
    guard other == nil, options.arguments.isEmpty else {
      throw .usage(
        "a repair is about the whole store, and takes no "
          + (other.map { "'\($0.spelling)'" } ?? "'\(options.arguments[0])'"))
    }
    return VerifyRepair(
      source: options.value(repairFrom), repairsRefs: options.has(repairRefs),
      isDryRun: options.has(dryRun), isJSON: options.has(json),
      end: options.has(nul) ? 0 : UInt8(ascii: "\n"))
  }

  /// The mode in which each node has its row.
  private static func nodes(_ options: ParsedOptions) throws(CommandError) -> VerifyNodes {
    let source = try options.only(oneOf: [all, stdin, ndjson])
    guard (source == nil) == !options.arguments.isEmpty else {
      throw .usage(
        source == nil
          ? "no id is named; '--all' checks all nodes"
          : "'\(source?.spelling ?? "")' takes no ids as arguments")
    }
    let explains = options.has(explain)
    let passing = try options.value(pass).map { text throws(CommandError) in
      try PassLetters(text)
    }
    guard passing == nil || !explains else {
      throw .usage("options '--pass' and '--explain' cannot be used together")
    }
    return VerifyNodes(
      source: nodeSource(source, options.arguments),
      profile: try options.choice(profile, as: Profile.self) ?? .v1,
      isJSON: options.has(json), end: options.has(nul) ? 0 : UInt8(ascii: "\n"),
      passing: passing, explains: explains)
  }

  private static func nodeSource(
    _ source: OptionSpec?, _ names: [String]
  ) -> VerifyNodes.Source {
    guard let source else { return .names(names) }
    if source.isSame(as: ndjson) { return .lines }
    return source.isSame(as: stdin) ? .standardInput : .all
  }
}
