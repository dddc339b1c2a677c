// redo stats: counts and sizes of nodes, by various keys.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo stats [--by=<what>] [--json] [-z]`.
enum Stats: Command {
  static let name = "stats"
  static let readsArchives = true
  static let summary = "count changes and objects, and what they take"
  static var usage: [String] {
    ["redo-stats [--by=<what>] [--json | -z]", "redo-stats --remote[=<remote>] [--json] [-z]"]
  }

  private static let by = OptionSpec(
    "by", .required("kind|place|action|author|device|month"), help: "a row for each of these")
  private static let remote = OptionSpec(
    "remote", .optional("remote"), help: "of a remote: whose it is, and how many nodes it has")
  static var options: [OptionSpec] { [by, remote, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': there are no arguments")
    }
    if let given = try options.only(oneOf: [by, remote]), given.isSame(as: remote) {
      return try StatsRemote.run(
        [options.value(remote)].compactMap(\.self), isJSON: options.has(.json),
        end: options.rowEnd, &context)
    }
    _ = try options.only(oneOf: [.json, .nul])
    let dimension = try options.choice(by, as: StatsDimension.self)
    let opened = try context.effects.openRepository()
    let heads = try HistoryLoad.heads(opened)
    let summary = try context.trace.measure("count") {
      try StatsCount.run(opened, heads: heads)
    }
    let output = StatsOutput(summary)
    var text: [UInt8] = []
    switch (dimension, options.has(.json)) {
    case (.some(let dimension), let isJSON):
      output.appendRows(dimension, isJSON: isJSON, hasNul: options.has(.nul), to: &text)
    case (nil, true): output.appendJSON(to: &text)
    case (nil, false): output.appendLines(hasNul: options.has(.nul), to: &text)
    }
    try context.output.write(text)
    try context.output.flush()
    context.errors(summary.damage, summary: "objects are damaged") { context.error(words($0)) }
    if summary.missing > 0 {
      let isOne = summary.missing == 1
      context.error(
        "\(summary.missing) node\(isOne ? "" : "s") of the history \(isOne ? "is" : "are") missing")
      context.hint(
        "'redo verify --repair-from=<source>' takes them from another store, or a backup")
    }
    return summary.damage.isEmpty && summary.missing == 0 ? .ok : .no
  }

  private static func words(_ damage: StatsSummary.Damage) -> String {
    switch damage {
    case .object(let error): CommandError(error).message
    case .pack(let path, let reason): "pack '\(path)' is corrupt: \(reason)"
    case .offline(let path, let nodes): "\(nodes) nodes are archived in '\(path)', which is away"
    }
  }
}
