// redo verify: who signed what, and whether all bytes match their ids: for single nodes, or for
// the store as a whole.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo verify [--profile=<profile>] [<options>] [--all | --stdin | --ndjson | <revision>... | <file>...]`.
enum Verify: Command {
  static let name = "verify"
  static let readsArchives = true
  static let summary = "check nodes, or the whole store, to the last byte"
  static var usage: [String] {
    [
      "redo-verify [--sample=<n>/<t>] [--max-duration=<time>] [--resume=<token>]\n"
        + "            [--profile=<profile>] [--json] [-z] [--[no-]progress]",
      "redo-verify [--profile=<profile>] [--pass=<letters> | --explain] [--json] [-z]\n"
        + "            [<keys>] (<revision>... | <file>... | --all | --stdin | --ndjson)",
      "redo-verify --summary=<of> [--profile=<profile>] [--json] [-z]\n"
        + "            [<keys>] [<revision>... | <file>... | --all | --stdin | --ndjson]",
      "redo-verify --missing [--json] [-z] [<keys>] [--ndjson | <file>...]",
      "redo-verify --records [--json] [-z]",
      "redo-verify --proof[=<file>] [--key=<hex>] [--json] [-z]",
      "redo-verify [--repair-from=<source> [--allow-unsigned]] [--repair-refs] [-n] [--json] [-z]",
    ]
  }

  private static let ndjson = OptionSpec(
    "ndjson", help: "read nodes from standard input, a line each, from wherever they come")
  private static let missing = OptionSpec(
    "missing", help: "list the nodes that are named and are not there, and what names them")
  private static let records = OptionSpec(
    "records", help: "say what does not fit the schemas of records, which makes nothing invalid")
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
      + [missing, records, proof, CheckpointWords.key, .json, .nulBoth] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    if options.has(proof) { return try checkProof(&context, options) }
    guard !options.has(CheckpointWords.key) else {
      throw CommandError.usage("'--key' is about '--proof', which is not given")
    }
    if options.has(records) { return try checkRecords(&context, options) }
    if let repair = try repair(options) { return try repair.run(&context) }
    if options.has(missing) { return try listMissing(&context, options) }
    let files = try files(options, context.effects)
    guard try isOfStore(options) else { return try nodes(options, files).run(&context) }
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

  /// The arguments if they are files, in their order; none if they are revisions.
  ///
  /// - Throws: `usage` when there are both.
  private static func files(_ options: ParsedOptions, _ effects: Effects) throws -> [String] {
    guard !options.arguments.isEmpty else { return [] }
    let opened = try effects.openRepositoryIfPresent()
    let files = options.arguments.filter { effects.isFile($0, besides: opened) }
    guard files.isEmpty || files.count == options.arguments.count else {
      let other = options.arguments.first { !files.contains($0) } ?? ""
      throw CommandError.usage(
        "'\(files[0])' is a file, and '\(other)' is none: files and revisions are verified apart")
    }
    return files
  }

  /// The mode that lists what is named and is not there.
  private static func listMissing(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let own = [missing, ndjson, .json, .nulBoth] + SealKeys.options
    if let other = Self.options.first(where: { spec in
      options.has(spec) && !own.contains { $0.isSame(as: spec) }
    }) {
      throw CommandError.usage("'--missing' judges nothing, and takes no '\(other.spelling)'")
    }
    var files = options.arguments
    if options.has(ndjson) {
      guard files.isEmpty else {
        throw CommandError.usage("'--ndjson' takes no ids as arguments")
      }
      files = [InputFile.standardInputSign]
    }
    return try VerifyMissing.run(
      files, try SealKeys(options, reading: files), isJSON: options.has(.json), end: options.rowEnd,
      &context)
  }

  /// The mode that tells what does not fit the schemas of records: warnings, whatever they are.
  private static func checkRecords(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let own = [records, .json, .nulBoth]
    let other = Self.options.first { spec in
      options.has(spec) && !own.contains { $0.isSame(as: spec) }
    }
    guard other == nil, options.arguments.isEmpty else {
      throw CommandError.usage(
        "'--records' is about all records, and takes no "
          + (other.map { "'\($0.spelling)'" } ?? "'\(options.arguments[0])'"))
    }
    _ = try RecordRows.check(options, &context)
    return .ok
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
  private static func nodes(_ options: ParsedOptions, _ files: [String]) throws -> VerifyNodes {
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
    let isPiped = source.map { $0.isSame(as: ndjson) || $0.isSame(as: .stdinIDs) } ?? false
    let keys = try SealKeys(
      options, reading: isPiped ? [InputFile.standardInputSign] : options.arguments)
    return VerifyNodes(
      source: files.isEmpty ? nodeSource(source, options.arguments) : .files(files),
      profile: try options.choice(.profile, as: Profile.self) ?? .v1,
      isJSON: options.has(.json), end: options.rowEnd,
      passing: passing, explains: explains, summary: summary, keys: keys)
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
