// redo rev-parse: what revisions stand for.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo rev-parse [--verify] [-q] [--short[=<n>] | --symbolic-full-name] [--show-store] <revision>...`.
enum RevParse: Command {
  static let name = "rev-parse"
  static let readsArchives = true
  static let summary = "show what names, dates and expressions stand for"
  static var usage: [String] {
    [
      "redo-rev-parse [--short[=<n>] | --symbolic-full-name] <revision>...",
      "redo-rev-parse --verify [-q] [--short[=<n>] | --symbolic-full-name] <revision>",
      "redo-rev-parse --show-store",
    ]
  }

  private static let verify = OptionSpec(
    "verify", help: "take exactly one revision, and fail unless it stands for one object")
  private static let short = OptionSpec(
    "short", .optional("n"), help: "show at least <n> digits of each id, as many as it takes")
  private static let symbolic = OptionSpec(
    "symbolic-full-name", help: "show the whole name of the ref that is meant")
  private static let store = OptionSpec("show-store", help: "show the path of the store")
  static var options: [OptionSpec] {
    [verify, .quiet, short, symbolic, store, .json, .nul]
  }

  /// A row of the answer.
  private struct Row {
    /// Whether what it names is excluded.
    var isExcluded = false
    var id: ObjectID?
    /// The first digits of the id, where they are asked for.
    var short: String?
    /// A name of a ref.
    var name: String?
    /// The path of the store.
    var path: String?

    /// The text form.
    var text: String { (isExcluded ? "^" : "") + (path ?? name ?? short ?? id?.text ?? "") }

    static var columns: [RowColumn<Row>] {
      [
        .text("text", .field, in: .text) { $0.text },
        .truth("excluded") { $0.isExcluded ? true : nil },
        .word("id", in: .json) { $0.id?.text },
        .text("name", in: .json) { $0.name },
        .text("path", in: .json) { $0.path },
        .word("short", in: .json) { $0.short },
      ]
    }
  }

  /// The number of digits of a short id, if none is given.
  private static let shortDefault = 7

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let form = try options.only(oneOf: [short, symbolic, store])
    let rows = RowWriter(Row.columns, options)
    if let form, form.isSame(as: store) {
      guard options.arguments.isEmpty, !options.has(verify) else {
        throw CommandError.usage("'--show-store' takes no revisions")
      }
      let opened = try context.effects.openRepository()
      var row = Row()
      row.path = try absolute(opened.store.path)
      try rows.write(row, &context)
      return .ok
    }
    if options.has(verify) {
      guard options.arguments.count == 1 else {
        throw CommandError.usage("'--verify' takes one revision")
      }
    }
    guard !options.arguments.isEmpty else { throw CommandError.usage("no revision is named") }
    let digits = try options.has(short) ? shortCount(options) : nil
    let revisions = Revisions(try context.effects.openRepository(), now: context.clock())
    do {
      for text in options.arguments {
        try rows.write(try answer(text, options, digits, revisions), &context)
      }
    } catch {
      let error = CommandError(error)
      if case .fatal = error.kind, options.has(verify), options.has(.quiet) { return .no }
      throw error
    }
    return .ok
  }

  private static func shortCount(_ options: ParsedOptions) throws -> Int {
    guard options.value(short) != nil else { return shortDefault }
    return try options.integer(short, in: ObjectName.shortest...ObjectID.hexCount) ?? shortDefault
  }

  /// The rows for one argument.
  private static func answer(
    _ text: String, _ options: ParsedOptions, _ digits: Int?, _ revisions: Revisions
  ) throws -> [Row] {
    if options.has(symbolic) {
      let name = try revisions.refName(text)
      guard try !revisions.ids(of: name).isEmpty else {
        throw CommandError.fatal("no ref has the name '\(text)'")
      }
      return [Row(name: name.text)]
    }
    func show(_ ids: [ObjectID], isExcluded: Bool = false) throws -> [Row] {
      var rows: [Row] = []
      for id in ids {
        let short = try digits.map { try revisions.short(id, $0) }
        rows.append(Row(isExcluded: isExcluded, id: id, short: short))
      }
      return rows
    }
    switch options.has(verify) ? .include(text) : try RevisionRange(text) {
    case .include(let text): return try show([try revisions.one(text)])
    case .exclude(let text): return try show([try revisions.one(text)], isExcluded: true)
    case .difference(let from, let to):
      let (from, to) = (try revisions.one(from), try revisions.one(to))
      return try show([to]) + show([from], isExcluded: true)
    case .symmetric(let left, let right):
      let (left, right) = (try revisions.one(left), try revisions.one(right))
      return try show([left, right])
        + show(try revisions.mergeBases([left], [right]), isExcluded: true)
    }
  }

  private static func absolute(_ path: String) throws -> String {
    return path.hasPrefix("/") ? path : try CurrentProcess.workingDirectory() + "/" + path
  }
}

extension Revisions {
  /// The first digits of an id, enough to make it unambiguous.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - count: the least number of digits.
  /// - Returns: the digits without the prefix.
  /// - Throws: `fatal` when the store cannot be read.
  func short(_ id: ObjectID, _ count: Int) throws -> String {
    let hex = Array(id.hex.utf8)
    let others = try opened.objects.list(prefix: String(decoding: hex[..<count], as: UTF8.self))
    var length = count
    for other in others where other != id {
      let shared = zip(hex, other.hex.utf8).prefix { $0 == $1 }.count
      length = max(length, shared + 1)
    }
    return String(decoding: hex[..<length], as: UTF8.self)
  }
}
