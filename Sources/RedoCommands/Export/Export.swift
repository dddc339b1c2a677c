// redo export: the history in a form that other programs, and redo import, read.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo export [--format=<format>] [-o <file> | <dir>] [--force] [-q] [<revision>...]`.
enum Export: Command {
  static let name = "export"
  static let summary = "write the history as the app's file, as lines or as files"
  static var usage: [String] {
    [
      "redo-export [--format=(json | ndjson | car)] [--gzip] [-o [<file> | <dir>]] [--force] [-q]\n"
        + "            [<revision>...]",
      "redo-export --format=dir -o <dir> [--force] [-q] [<revision>...]",
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
  private static let force = OptionSpec("force", letter: "f", help: "replace what is there")
  static var options: [OptionSpec] { [format, gzip, output, force, .quiet] }

  /// What is written.
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
    let form = try options.choice(format, as: Form.self) ?? (isStream ? .ndjson : .json)
    let path = given?.value ?? ""
    guard form != .dir || !isStream && !path.isEmpty else {
      throw CommandError.usage("the format 'dir' needs a directory to write, '-o <dir>'")
    }
    let isCompressed = options.flag(gzip) ?? (!isStream && path.hasSuffix(".gz"))
    guard form != .dir || !isCompressed else {
      throw CommandError.usage("'--gzip' compresses a file, and 'dir' writes many")
    }
    let opened = try context.effects.openRepository()
    let syncs = try opened.refsOptions().sync != .none
    // Everything is read, and so verified, once before the first byte is written.
    let revisions = Revisions(opened, now: context.clock())
    var tips: [ObjectID] = []
    for name in options.arguments { tips += try revisions.all(name) }
    if options.arguments.isEmpty { tips = try revisions.heads() }
    let ids = try storing {
      try HistoryWalk.order(from: tips, opened.objects)
    }
    let target = ExportTarget(
      path: path, isForced: options.has(force), isQuiet: options.has(.quiet), syncs: syncs)
    if form == .dir { return try target.writeFiles(ids, opened.objects, &context) }
    let content: ExportContent =
      switch form {
      case .ndjson: .lines
      case .car: .car
      case .json, .app, .dir: .app
      }
    guard isStream else {
      try storing {
        try target.writeFile(
          ids, opened.objects, content, isCompressed: isCompressed, &context)
      }
      return .ok
    }
    var remarks = ExportRemarks()
    try storing {
      try content.write(ids, opened.objects, isCompressed: isCompressed, &remarks) {
        (bytes) throws in try context.output.write(bytes)
      }
    }
    try context.output.flush()
    if !options.has(.quiet) { remarks.report(&context) }
    return .ok
  }

  /// Runs some work whose failure has a name in the app's documents.
  private static func storing<Value>(
    _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      let error = CommandError(error)
      guard error.kind == .fatal, error.code == nil else { throw error }
      throw CommandError.fatal(error.message, hints: error.hints, code: "STORAGE_002")
    }
  }
}
