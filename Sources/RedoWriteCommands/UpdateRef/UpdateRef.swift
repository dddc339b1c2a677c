// redo update-ref: changes refs, any number in one transaction (in the manner of git update-ref).

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo update-ref [-m <reason>] (<ref> <new> [<old>] | -d <ref> [<old>] | --stdin [-z])`.
enum UpdateRef: Command {
  static let name = "update-ref"
  static let summary = "change refs, any number at once, if they are what was expected"
  static var usage: [String] {
    [
      "redo-update-ref [-m <reason>] <ref> <new> [<old>]",
      "redo-update-ref [-m <reason>] -d <ref> [<old>]",
      "redo-update-ref [-m <reason>] --stdin [-z] [--batch-updates [--strict]]",
    ]
  }

  private static let reason = OptionSpec(
    letter: "m", .required("reason"), help: "why, for the reflog")
  private static let delete = OptionSpec(letter: "d", help: "remove the ref")
  private static let stdin = OptionSpec("stdin", help: "read changes from standard input")
  private static let batch = OptionSpec(
    "batch-updates", help: "make what can be made, and print a row for each other change")
  private static let strict = OptionSpec(
    "strict", help: "with --batch-updates, exit 1 if any change was rejected")
  static var options: [OptionSpec] { [reason, delete, stdin, .nulInput, batch, strict, .json] }

  /// The longest line or field of input, in bytes: enough for two ids for each of many heads.
  private static let lineLimit = 1 << 20

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let message = options.value(reason) ?? "update-ref"
    guard !message.isEmpty else {
      throw CommandError.usage("an update with an empty reason is refused")
    }
    if options.has(stdin) {
      guard !options.has(delete), options.arguments.isEmpty else {
        throw CommandError.usage("'--stdin' takes changes from standard input, not as arguments")
      }
      if options.has(strict), !options.has(batch) {
        throw CommandError.usage("'--strict' requires '--batch-updates'")
      }
      return try runInput(&context, options, message)
    }
    for other in [.nulInput, batch, strict] where options.has(other) {
      throw CommandError.usage("'\(other.spelling)' requires '--stdin'")
    }
    let change = try change(options)
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var queue = RefQueue(opened, now: context.clock(), message: message)
    try queue.add(change)
    return try finish(&queue, &context, Manner()) ? .ok : .no
  }

  /// The change that the command line asks for.
  private static func change(_ options: ParsedOptions) throws -> RefChange {
    let words = options.arguments
    let isDelete = options.has(delete)
    guard isDelete ? (1...2).contains(words.count) : (2...3).contains(words.count) else {
      throw CommandError.usage(
        isDelete ? "'-d' takes a ref, and what it is" : "a ref and its value are needed")
    }
    guard let name = RefName(words[0]) else {
      throw CommandError.fatal("invalid name of a ref: '\(Escape.text(words[0]))'")
    }
    let old = words.count == (isDelete ? 2 : 3) ? words[words.count - 1] : nil
    return try RefChange(
      verb: isDelete ? .delete : .update, name: name, new: isDelete ? nil : words[1], old: old)
  }

  private static func runInput(
    _ context: inout Context, _ options: ParsedOptions, _ message: String
  ) throws -> Exit {
    let manner = Manner(isBatch: options.has(batch), isJSON: options.has(.json))
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var input = RefCommandReader(
      LineReader(
        descriptor: context.input, separator: options.has(.nulInput) ? 0 : UInt8(ascii: "\n"),
        limitBytes: lineLimit),
      hasFields: options.has(.nulInput), limitBytes: lineLimit)
    var queue = RefQueue(opened, now: context.clock(), message: message)
    var state = TransactionState.open
    var isWhole = true
    while let command = try input.next() {
      try state.take(command)
      switch command {
      case .change(let change): try queue.add(change)
      case .option: break
      case .start:
        // What was queued before `start` becomes part of the transaction.
        try answer("start", manner, &context)
      case .prepare:
        guard try prepare(&queue, &context, manner) else { return .no }
        try answer("prepare", manner, &context)
      case .abort:
        queue.clear()
        try answer("abort", manner, &context)
      case .commit:
        guard try finish(&queue, &context, manner, &isWhole) else { return .no }
        try answer("commit", manner, &context)
        // The next transaction sees the results of this one.
        queue = RefQueue(opened, now: context.clock(), message: message)
      }
    }
    if state == .open {
      guard try finish(&queue, &context, manner, &isWhole) else { return .no }
    }
    return isWhole || !options.has(strict) ? .ok : .no
  }

  private static func answer(
    _ word: String, _ manner: Manner, _ context: inout Context
  ) throws {
    try context.output.writeLine(manner.isJSON ? "{\"done\":\"\(word)\"}" : "\(word): ok")
    try context.output.flush()
  }

  /// Takes the lock and judges the changes.
  ///
  /// - Returns: whether the transaction can go on; if it cannot, the reason has been reported.
  private static func prepare(
    _ queue: inout RefQueue, _ context: inout Context, _ manner: Manner
  ) throws -> Bool {
    let rejections = try queue.prepare()
    if manner.isBatch || rejections.isEmpty { return true }
    queue.clear()
    context.errors(rejections, summary: "changes are refused") { context.error($0.words) }
    return false
  }

  private static func finish(
    _ queue: inout RefQueue, _ context: inout Context, _ manner: Manner
  ) throws -> Bool {
    var isWhole = true
    return try finish(&queue, &context, manner, &isWhole)
  }

  /// Makes the changes.
  ///
  /// - Returns: whether they were made; with `--batch-updates`, `isWhole` says whether all were.
  private static func finish(
    _ queue: inout RefQueue, _ context: inout Context, _ manner: Manner, _ isWhole: inout Bool
  ) throws -> Bool {
    if !queue.isPrepared {
      guard try prepare(&queue, &context, manner) else { return false }
    }
    let refused = queue.rejections
    try context.checkInterrupt()
    try queue.commit(context.effects)
    for rejection in refused {
      isWhole = false
      context.error(rejection.words)
      try rejections(manner).write(rejection, &context)
    }
    return true
  }
}

extension UpdateRef {
  /// How changes are made, and rows are written.
  private struct Manner {
    /// Whether what can be made is made, although other changes cannot.
    var isBatch = false
    /// Whether rows are JSON.
    var isJSON = false
  }

  /// A row for a change that was not made, in the words of git's update-ref.
  private static func rejections(_ manner: Manner) -> RowWriter<RefRejection> {
    RowWriter(
      [
        .word("verb", in: .text) { _ in "rejected" },
        .word("name") { $0.update.change.name.text },
        .word("new") { RefValue.text($0.update.new) },
        .word("old") { RefValue.text($0.update.old ?? []) },
        .word("reason") { $0.reason.gitText },
      ], isJSON: manner.isJSON, end: UInt8(ascii: "\n"))
  }
}

extension RefRejection.Reason {
  /// The reason in the words of git's update-ref.
  fileprivate var gitText: String {
    switch self {
    case .exists: "reference already exists"
    case .missing: "reference does not exist"
    case .absent(_, let found):
      found.isEmpty ? "reference does not exist" : "incorrect old value provided"
    case .moved: "incorrect old value provided"
    case .refused: "invalid new value provided"
    }
  }
}

/// Reads commands from standard input.
struct RefCommandReader: ~Copyable {
  private var reader: LineReader
  private let hasFields: Bool
  private let limitBytes: Int

  init(_ reader: consuming LineReader, hasFields: Bool, limitBytes: Int) {
    self.reader = reader
    self.hasFields = hasFields
    self.limitBytes = limitBytes
  }

  /// The next command; `nil` at the end of the input.
  ///
  /// - Throws: `fatal` for input that is not a command, and for an unterminated last line, which may be
  ///   the beginning of a longer one.
  mutating func next() throws -> RefCommand? {
    guard let line = try record() else { return nil }
    guard hasFields else { return try RefCommand.parse(line: line[...]) }
    return try RefCommand.parse(first: line[...]) { try record() }
  }

  private mutating func record() throws -> [UInt8]? {
    guard let record = try reader.next() else { return nil }
    switch record.state {
    case .complete: return Array(reader.bytes[record.range])
    case .unterminated: throw CommandError.fatal("unexpected end of input in line \(record.number)")
    case .tooLong:
      throw CommandError.fatal(
        "line \(record.number) of '<stdin>' is longer than \(limitBytes) bytes")
    }
  }
}
