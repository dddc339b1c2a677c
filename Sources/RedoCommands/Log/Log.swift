// redo log: the history, newest first.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// `redo log [--reverse] [-n <n>] [--skip=<n>] [--format=<format> | --json] [-z] [<id>...]`.
enum Log: Command {
  static let name = "log"
  static let summary = "show the history, newest change first"
  static var usage: [String] {
    [
      "redo-log [--reverse] [-n <n>] [--skip=<n>] [--format=<format> | --json] [--color] [-z]\n"
        + "         [<id>...]"
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
  static var options: [OptionSpec] {
    [reverse, maxCount, skip, format, json, Palette.option, nul]
  }

  private enum Style {
    case format(Format<ObjectAtom>)
    case json
    case full(Palette)
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws(CommandError) -> Exit {
    let mode = try options.only(oneOf: [format, json])
    let shown: Format<ObjectAtom>? =
      mode?.isSame(as: format) == true
      ? try Format(options.value(format) ?? "", atoms: ObjectAtom.ofObjects) : nil
    let limit = try options.integer(maxCount) ?? .max
    let skipped = try options.integer(skip) ?? 0
    let end: UInt8 = options.has(nul) ? 0 : UInt8(ascii: "\n")

    let opened = try context.openRepository()
    let palette = try context.palette(options, setting: opened.repository.config.get("color.ui"))
    let style: Style = mode == nil ? .full(palette) : shown.map { .format($0) } ?? .json
    let tips = try HistoryWalk.tips(options.arguments, opened)
    var ids = try context.trace.measure("walk") { () throws(CommandError) in
      try HistoryWalk.order(from: tips, opened.objects)
    }
    // As in git, the newest are chosen first, and only then is their order turned.
    ids.reverse()
    ids = Array(ids.dropFirst(skipped).prefix(limit))
    if options.has(reverse) { ids.reverse() }

    let needsNode =
      switch style {
      case .format(let format): format.contains { $0.needsNode }
      case .json: false
      case .full: true
      }
    var isFirst = true
    let trace = context.trace
    try trace.measure("show") { () throws(CommandError) in
      try HistoryWalk.forEach(
        ids, opened.objects
      ) { object, reader throws(CommandError) in
        let node = needsNode ? reader.decode(object) : nil
        return text(ObjectRow(object: object, node: node, isRaw: end == 0), style, end)
      } _: { text throws(CommandError) in
        if case .full = style, !isFirst, end != 0 {
          try context.output.write(byte: UInt8(ascii: "\n"))
        }
        isFirst = false
        try context.output.write(text)
      }
    }
    return .ok
  }

  private static func text(_ row: ObjectRow, _ style: Style, _ end: UInt8) -> [UInt8] {
    var text: [UInt8] = []
    switch style {
    case .format(let format):
      format.append(to: &text) { atom, output in row.append(atom, to: &output) }
      text.append(end)
    case .json:
      row.object.appendContents(to: &text)
      text.append(end)
    case .full(let palette):
      LogEntry(row, palette).append(to: &text, end: end)
    }
    return text
  }
}
