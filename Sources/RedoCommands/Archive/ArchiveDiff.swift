// redo archive diff: which nodes are in one archive and not in another, or in the history of the store.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive diff [--stat] [--json] [-z] [-q] <file> [<file>]`.
enum ArchiveDiff: Command {
  static let name = "diff"
  static let summary = "compare the nodes of two archives, or of one with those of the store"
  static var usage: [String] {
    ["redo-archive diff [--stat] [--json] [-z] [-q] [<keys>] <file> [<file>]"]
  }
  private static let stat = OptionSpec("stat", help: "print numbers instead of ids")
  static var options: [OptionSpec] {
    [stat, .quiet, .json, .nul] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard (1...2).contains(options.arguments.count) else {
      throw CommandError.usage("one archive is compared with the store, two with each other")
    }
    let keys = try SealKeys(options)
    var comparison = Comparison()
    try forEachNode(of: options.arguments[0], keys, &context) { node in comparison.addFirst(node) }
    if options.arguments.count == 2 {
      try forEachNode(of: options.arguments[1], keys, &context) { node in
        comparison.addSecond(node.id, node.signature)
      }
    } else {
      try compareStore(&comparison, &context)
    }
    let rows = comparison.finish()
    if !options.has(.quiet) {
      let isJSON = options.has(.json)
      let end = options.rowEnd
      if options.has(stat) {
        try writeCounts(rows, same: comparison.same, isJSON: isJSON, end: end, &context)
      } else {
        for row in rows {
          try context.output.append { output throws in
            row.append(to: &output, isJSON: isJSON)
            output.append(end)
          }
        }
      }
    }
    return rows.isEmpty ? .ok : .no
  }

  /// Where a node is that is not the same in both.
  private enum Side: String, CaseIterable {
    case first = "<"
    case second = ">"
    /// In both, with another signature.
    case signature = "!"
  }

  private struct Row {
    let side: Side
    let id: ObjectID

    func append(to output: inout [UInt8], isJSON: Bool) {
      if isJSON {
        var row = JSONRow()
        row.add("id", id.text)
        row.add("side", side.rawValue)
        row.append(to: &output)
      } else {
        output += "\(side.rawValue) ".utf8
        id.append(to: &output)
      }
    }
  }

  /// Takes in the nodes of one side, then of the other; about 150 bytes for each of the first.
  private struct Comparison {
    private var first: [ObjectID: Signature?] = [:]
    private var rows: [Row] = []
    private(set) var same = 0

    mutating func addFirst(_ node: StoredObject) {
      first.updateValue(node.signature, forKey: node.id)
    }

    func hasFirst(_ id: ObjectID) -> Bool { first[id] != nil }

    mutating func addSecond(_ id: ObjectID, _ signature: Signature?) {
      guard let known = first.removeValue(forKey: id) else {
        rows.append(Row(side: .second, id: id))
        return
      }
      if known == signature {
        same += 1
      } else {
        rows.append(Row(side: .signature, id: id))
      }
    }

    /// The differences, ascending by id.
    mutating func finish() -> [Row] {
      rows += first.keys.map { Row(side: .first, id: $0) }
      first = [:]
      rows.sort { $0.id < $1.id }
      return rows
    }
  }

  private static func forEachNode(
    of path: String, _ keys: SealKeys, _ context: inout Context, _ body: (StoredObject) -> Void
  ) throws {
    let file = try ArchiveFile(path, keys, context.effects)
    try file.check()
    try file.forEachFrame(context.effects) { nodes, _ in
      for node in nodes { body(node) }
    }
  }

  /// Compares with the history; only what both have is read, for its signature.
  private static func compareStore(
    _ comparison: inout Comparison, _ context: inout Context
  ) throws {
    let opened = try context.effects.openRepository()
    var both: [ObjectID] = []
    for id in try ArchiveSet(opened, usesCache: true).ids {
      if comparison.hasFirst(id) { both.append(id) } else { comparison.addSecond(id, nil) }
    }
    try HistoryWalk.forEach(
      both, opened.objects
    ) { object, _ throws in
      (object.id, object.signature)
    } _: { node throws in
      comparison.addSecond(node.0, node.1)
    }
  }

  private static func writeCounts(
    _ rows: [Row], same: Int, isJSON: Bool, end: UInt8, _ context: inout Context
  ) throws {
    func count(_ side: Side) -> Int { rows.count { $0.side == side } }
    try context.output.append { output throws in
      if isJSON {
        var row = JSONRow()
        row.add("first", count(.first))
        row.add("same", same)
        row.add("second", count(.second))
        row.add("signature", count(.signature))
        row.append(to: &output)
        output.append(end)
      } else {
        for side in Side.allCases {
          output += "\(side.rawValue) \(count(side))".utf8
          output.append(end)
        }
        output += "= \(same)".utf8
        output.append(end)
      }
    }
  }
}
