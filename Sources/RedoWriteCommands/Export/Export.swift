// redo export: writes the history in a form that other programs, or redo import, can read.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo export [--format=<format>] [-o <file> | <dir>] [--force] [-q] [<revision>...]`.
enum Export: Command {
  static let name = "export"
  static let readsArchives = true
  static let summary = "write the history as the app's file, as lines or as files"
  static var usage: [String] {
    [
      "redo-export [--format=(json | ndjson | car)] [--gzip] [-o [<file> | <dir>]] [--force] [-q]\n"
        + "            [<revision>...]",
      "redo-export --format=dir -o <dir> [--force] [-q] [<revision>...]",
      "redo-export --kind=receipt [--format=(ndjson | car)] [--include-precise] [--include-received]\n"
        + "            [--gzip] [-o [<file> | <dir>]] [--force] [-q]\n"
        + "            [<id>...]",
      "redo-export --kind=schema [--format=(ndjson | car)] [--gzip] [-o [<file> | <dir>]] [--force] [-q]\n"
        + "            [<id>...]",
    ]
  }

  private static let format = OptionSpec(
    "format", .required("format"),
    help: "json (the app's file; default with -o), ndjson (default without), car or dir")
  private static let output = OptionSpec(
    "output", letter: "o", .required("file"),
    help: "write <file>, or redo_backup_<seconds>.json in a directory", traits: .lenientEnd)
  private static let gzip = OptionSpec(
    "gzip", help: "compress it; the default for a file whose name ends in .gz")
  private static let kind = OptionSpec(
    "kind", .required("kind"), help: "what is exported: node (default), receipt or schema")
  private static let force = OptionSpec("force", letter: "f", help: "replace what is there")
  static var options: [OptionSpec] {
    [
      format, gzip, output, force, kind, .includePrecise, .includeReceived, .quiet, .progress,
    ]
  }

  /// The form of the export.
  private enum Form: String, CaseIterable {
    case json, ndjson, dir, car
    /// The name that the app's documents give to its file.
    case app = "redo-changes"
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let given = options.last(output)
    let isStream = given == nil || given?.value == "-"
    let kind = try options.kind(kind) ?? .node
    let form =
      try options.choice(format, as: Form.self)
      ?? (isStream || kind != .node ? .ndjson : .json)
    guard kind == .node || form == .ndjson || form == .car else {
      throw CommandError.usage(
        "\(kind)s are exported as lines, '--format=ndjson', or as blocks, '--format=car'")
    }
    let path = given?.value ?? ""
    guard form != .dir || !isStream && !path.isEmpty else {
      throw CommandError.usage("the format 'dir' needs a directory to write, '-o <dir>'")
    }
    let isCompressed = options.flag(gzip) ?? (!isStream && path.hasSuffix(".gz"))
    guard form != .dir || !isCompressed else {
      throw CommandError.usage("'--gzip' compresses a file, and 'dir' writes many")
    }
    let opened = try context.effects.openRepository()
    var content = content(form, kind)
    if kind == .receipt, form == .ndjson { content = .receipts(try opened.receivedTimes()) }
    if kind == .schema, form == .ndjson { content = .schemas }
    var request = HistoryExport.Request(
      options.arguments,
      to: form == .dir
        ? .directory(path: path) : isStream ? .stream(content) : .file(content, path: path))
    request.kind = kind
    request.includesPrecise = options.has(.includePrecise)
    request.includesReceived = options.has(.includeReceived)
    request.isCompressed = isCompressed
    request.isForced = options.has(force)
    var differences = 0
    let outcome = try HistoryExport.run(request, opened, context.effects) { bytes throws in
      try context.output.write(bytes)
    } tell: { path in
      differences += 1
      context.error("'\(path)' has other bytes than its change")
      if differences == 1 { context.hint("'--force' replaces such files") }
    }
    return try say(outcome, kind, isQuiet: options.has(.quiet), &context)
  }

  private static func content(_ form: Form, _ kind: ObjectKind) -> ExportContent {
    switch form {
    case .ndjson: .lines
    case .car: .car(kind)
    case .json, .app, .dir: .app
    }
  }

  /// Says what was written, and prints the name of the file.
  private static func say(
    _ outcome: HistoryExport.Outcome, _ kind: ObjectKind, isQuiet: Bool,
    _ context: inout Context
  ) throws -> Exit {
    switch outcome {
    case .stream(let remarks):
      try context.output.flush()
      if !isQuiet { remarks.report(&context) }
      return .ok
    case .file(let path, let count, let remarks):
      if !isQuiet {
        remarks.report(&context)
        let word = kind == .node ? "change" : "\(kind.name)"
        context.note("exported \(count) \(word)\(count == 1 ? "" : "s")")
      }
      try context.output.writeLine(path)
      return .ok
    case .directory(let files):
      if !isQuiet {
        var text = "exported \(files.new) new file\(files.new == 1 ? "" : "s")"
        if files.same > 0 { text += ", \(files.same) there already" }
        if files.replaced > 0 { text += ", \(files.replaced) replaced" }
        context.note(text)
      }
      try context.output.writeLine(files.path)
      return files.different > 0 ? .no : .ok
    }
  }
}
