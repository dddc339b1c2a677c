// redo log: the history, newest first.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// `redo log [--reverse] [-n <n>] [--skip=<n>] [--format=<format> | --json] [-z] [<revision>...]`.
enum Log: Command {
  static let name = "log"
  static let summary = "show the history, newest change first"
  static var usage: [String] {
    [
      "redo-log [--reverse] [-n <n>] [--skip=<n>] [--format=<format> | --json] [-z] [<revision>...]"
    ]
  }

  private static let reverse = OptionSpec("reverse", help: "show the oldest change first")
  private static let maxCount = OptionSpec(
    "max-count", letter: "n", .required("n"), help: "show at most <n> changes",
    traits: .digits)
  private static let skip = OptionSpec(
    "skip", .required("n"), help: "leave out the first <n> changes")
  private static let format = OptionSpec(
    "format", .required("format"), help: "show each change in this format, a line each")
  private static let json = OptionSpec("json", help: "show each change as canonical JSON")
  private static let nul = OptionSpec(letter: "z", help: "end each change with NUL")
  static var options: [OptionSpec] { [reverse, maxCount, skip, format, json, nul] }

  private enum Style {
    case format(Format<ObjectAtom>)
    case json
    case full
  }

  /// How many changes are read together.
  private static let batchCount = 1024

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let mode = try options.only(oneOf: [format, json])
    let style: Style
    if let mode {
      style =
        mode.isSame(as: json)
        ? .json : .format(try Format(options.value(format) ?? "", atoms: ObjectAtom.ofObjects))
    } else {
      style = .full
    }
    let limit = try options.integer(maxCount) ?? .max
    let skipped = try options.integer(skip) ?? 0
    let end: UInt8 = options.has(nul) ? 0 : UInt8(ascii: "\n")

    let opened = try context.openRepository()
    var ids = try walk(options.arguments, Revisions(opened, now: context.clock()))
    // As in git, the newest are chosen first, and only then is their order turned.
    ids.reverse()
    ids = Array(ids.dropFirst(skipped).prefix(limit))
    if options.has(reverse) { ids.reverse() }

    var isFirst = true
    for start in stride(from: 0, to: ids.count, by: batchCount) {
      let part = Array(ids[start..<min(start + batchCount, ids.count)])
      for text in try render(part, style, end, opened.objects) {
        if case .full = style, !isFirst, end != 0 {
          try context.output.write(byte: UInt8(ascii: "\n"))
        }
        isFirst = false
        try context.output.write(text)
      }
    }
    return .ok
  }

  /// The nodes to show, oldest first.
  private static func walk(
    _ names: [String], _ revisions: Revisions
  ) throws(CommandError) -> [ObjectID] {
    let store = revisions.opened.objects
    guard !names.isEmpty else { return try HistoryWalk.order(from: try revisions.heads(), store) }
    var (tips, hidden) = try revisions.walk(names)
    // As in git: what is only left out is left out of everything.
    if tips.isEmpty { tips = try revisions.heads() }
    let ids = try HistoryWalk.order(from: tips, store)
    guard !hidden.isEmpty else { return ids }
    let left = Set(try HistoryWalk.order(from: hidden, store))
    return ids.filter { !left.contains($0) }
  }

  private static func render(
    _ ids: [ObjectID], _ style: Style, _ end: UInt8, _ store: ObjectStore
  ) throws(CommandError) -> [[UInt8]] {
    let needsNode =
      switch style {
      case .format(let format): format.contains { $0.needsNode }
      case .json: false
      case .full: true
      }
    let texts = Threads.parallelMap(
      ids, threads: ids.count < 16 ? 1 : Threads.processorCount, makeState: { NodeReader() }
    ) { reader, id -> Result<[UInt8], CommandError> in
      do throws(CommandError) {
        let object = try HistoryWalk.object(id, store, &reader)
        let row = ObjectRow(
          object: object, node: needsNode ? reader.decode(object) : nil, isRaw: end == 0)
        var text: [UInt8] = []
        switch style {
        case .format(let format):
          format.append(to: &text) { atom, output in row.append(atom, to: &output) }
          text.append(end)
        case .json:
          object.appendContents(to: &text)
          text.append(end)
        case .full:
          LogEntry(row).append(to: &text, end: end)
        }
        return .success(text)
      } catch {
        return .failure(error)
      }
    }
    var rows: [[UInt8]] = []
    for text in texts {
      switch text {
      case .success(let bytes): rows.append(bytes)
      case .failure(let error): throw error
      }
    }
    return rows
  }
}
