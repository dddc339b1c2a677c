// redo prove: makes a proof to hand on, which can be checked with neither store nor network: that a node or receipt
// was received before a checkpoint was made, or that a checkpoint continues an earlier one.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo prove [--checkpoint=<checkpoint>] [--include-precise] [--include-received] [-o <file>] <revision>`, or `--extends=<checkpoint>`.
enum Prove: Command {
  static let name = "prove"
  static let summary =
    "prove to anybody that an object is in the history, or that it only grew"
  static var usage: [String] {
    [
      "redo-prove [--checkpoint=<checkpoint>] [--include-precise] [--include-received]\n"
        + "             [-o <file>] <revision>",
      "redo-prove --extends=<checkpoint> [-o <file>] [<checkpoint>]",
    ]
  }
  private static let checkpoint = OptionSpec(
    "checkpoint", .required("checkpoint"), help: "the checkpoint to prove it by: an id, or a file")
  private static let extends = OptionSpec(
    "extends", .required("checkpoint"), help: "prove that the history continues this checkpoint")
  private static let includePrecise = OptionSpec(
    "include-precise", help: "prove a receipt also if it tells a precise place")
  private static let includeReceived = OptionSpec(
    "include-received", help: "prove a receipt also if somebody else has shared it")
  static var options: [OptionSpec] {
    [checkpoint, extends, includePrecise, includeReceived, .statementFile, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    _ = try options.only(oneOf: [checkpoint, extends])
    let target = options.value(.statementFile)
    if let target { try StatementFile.check(target, context.effects, isLike: isProof) }
    let request = try request(options)
    let opened = try context.effects.openRepository()
    if target == nil, let row = [OptionSpec.json, .nul].first(where: { options.has($0) }) {
      throw CommandError.usage("'\(row.spelling)' is about the row that '-o' prints")
    }
    let bytes = try ProofMaker.run(request, opened, context.effects)
    if let target {
      try StatementFile.write(bytes, target, try opened.refsOptions().sync, context.effects)
      let rows = RowWriter<(file: String, bytes: Int)>(
        [.text("file", .field) { $0.file }, .number("bytes", in: .json) { $0.bytes }], options)
      try rows.write((target, bytes.count), &context)
    } else {
      try context.output.write(bytes)
    }
    return .ok
  }

  /// The proof that is asked for.
  private static func request(_ options: ParsedOptions) throws -> ProofMaker.Request {
    if let old = options.value(extends) {
      if let other = [includePrecise, includeReceived].first(where: options.has) {
        throw CommandError.usage("'\(other.spelling)' is about a receipt, not about '--extends'")
      }
      guard options.arguments.count <= 1 else {
        throw CommandError.usage("only one later checkpoint can be named")
      }
      return .growth(from: old, to: options.arguments.first)
    }
    guard options.arguments.count == 1 else {
      throw CommandError.usage("one object is to be named")
    }
    return .inclusion(
      options.arguments[0], checkpoint: options.value(checkpoint),
      includesPrecise: options.has(includePrecise),
      includesReceived: options.has(includeReceived))
  }

  /// Whether an existing file may be replaced by a proof, because it is one itself.
  private static func isProof(_ bytes: [UInt8]) -> Bool {
    [InclusionProof.firstLine, ConsistencyProof.firstLine].contains { line in
      bytes.starts(with: Array("\(line)\n".utf8))
    }
  }
}
