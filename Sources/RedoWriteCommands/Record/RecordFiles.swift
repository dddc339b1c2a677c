// redo record import, export: records in files, as the public app writes and reads them.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo record import [--salvage] [<file>...]`.
enum RecordImport: Command {
  static let name = "import"
  static let summary = "take in records from files"
  static var usage: [String] {
    [
      "redo-record import [--salvage] [<recording>] [--format=<format> | --json] [-z] [<file>...]"
    ]
  }
  static let salvage = OptionSpec(
    "salvage", help: "leave out values that cannot be read, and say which")
  static var options: [OptionSpec] {
    [salvage] + RecordWords.recording + CommitOptions.printing
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let opened = try context.effects.openRepository()
    guard
      let entries = try read(
        options.arguments, salvages: options.has(salvage), isQuiet: options.has(.quiet), &context)
    else { return .no }
    return try take(entries, opened, options, &context)
  }

  /// Reads records from files, and says what is wrong with these.
  ///
  /// - Returns: `nil` when a file is refused.
  static func read(
    _ paths: [String], salvages: Bool, backupsOnly: Bool = false, isQuiet: Bool,
    _ context: inout Context
  ) throws -> [RecordFile.Entry]? {
    var entries: [RecordFile.Entry] = []
    for path in paths.isEmpty ? [InputFile.standardInputSign] : paths {
      let isInput = path == InputFile.standardInputSign
      let bytes =
        isInput
        ? try InputFile.read(context.input, limit: SchemaMergeFile.inputLimit)
        : try InputFile.read(path, limit: SchemaMergeFile.inputLimit, context.effects)
      let name = isInput ? InputFile.standardInputName : path
      guard !backupsOnly || RecordFile.isBackup(bytes) else { continue }
      let file = RecordFile(bytes, salvages: salvages)
      for finding in file.left where !isQuiet {
        context.warning("\(Diagnosis.text(finding, of: name)); its value is left out")
      }
      for (member, count) in file.passedOver.sorted(by: { $0.key < $1.key }) where !isQuiet {
        context.warning(
          "'\(name)': '\(Escape.text(member))' of \(count) record\(count == 1 ? "" : "s") has no place here, and is not kept"
        )
      }
      guard file.findings.isEmpty else {
        context.errors(file.findings, summary: "rules are broken") {
          context.error(Diagnosis.text($0, of: name))
        }
        return nil
      }
      entries += file.entries
    }
    return entries
  }

  /// Takes records into the store.
  static func take(
    _ entries: [RecordFile.Entry], _ opened: Repository, _ options: ParsedOptions,
    _ context: inout Context
  ) throws -> Exit {
    guard !entries.isEmpty else {
      if !options.has(.quiet) { context.note("there are no records in what was read") }
      return .ok
    }
    var writing = try RecordWords.writing(options, context)
    // Whatever a file says is taken; 'redo record check' tells what does not fit.
    writing.checksRecords = false
    let intake = try RecordIntake(entries, opened, context.effects)
    let exit = try RecordWords.commit(intake.requests, writing, opened, options, &context)
    if !options.has(.quiet), intake.knownCount > 0 {
      context.note(
        "\(intake.knownCount) record\(intake.knownCount == 1 ? " is" : "s are") here already, as the file has "
          + "\(intake.knownCount == 1 ? "it" : "them") or changed later")
    }
    for task in intake.deleted {
      context.error("record '\(task.text)' was deleted here, and stays so")
    }
    return intake.deleted.isEmpty ? exit : .no
  }
}

/// `redo record export [--for=app] [<schema>...]`.
enum RecordExport: Command {
  static let name = "export"
  static let summary = "write records, one a line"
  static var usage: [String] {
    [
      "redo-record export [--for=app] [--task=<task>]... [--as-of=<point>] [--policy=<policy>] [-q] [-z] [<schema>...]"
    ]
  }
  static var options: [OptionSpec] {
    [SchemaWords.reader, .task] + RecordWords.point.specs + [.quiet, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let reader: RecordFile.Reader = try SchemaWords.isForApp(options) ? .app : .redo
    let point = try HistoryPoint(options, RecordWords.point, now: context.clock())
    let opened = try context.effects.openRepository()
    let choice = try RecordChoice(options.arguments, opened)
    let reading = try RecordReading(opened, at: point)
    let schemas = reading.schemas
    var exit = Exit.ok
    let end = options.rowEnd
    try reading.forEach(tasks: options.values(.task), context.effects) {
      state, order, _ -> (task: TaskID, line: [UInt8], left: [RecordProblem])? in
      guard let record = schemas.record(of: state, order), choice.takes(record) else { return nil }
      var line: [UInt8] = []
      guard let left = schemas.appendFile(of: state, for: reader, order, to: &line) else {
        return nil
      }
      line.append(end)
      return (state.id, line, left)
    } _: { found throws in
      try context.output.write(found.line)
      for problem in found.left {
        exit = .no
        guard !options.has(.quiet) else { continue }
        context.warning(
          "\(Diagnosis.text(problem.finding(), of: "record \(found.task.text)")); it is left out")
      }
    }
    return exit
  }
}
