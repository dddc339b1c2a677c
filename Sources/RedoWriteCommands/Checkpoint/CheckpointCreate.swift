// redo checkpoint create: signs, keeps and prints a statement about the present history. While nobody else can
// change the refs, the last checkpoints are checked again: a history that does not continue them is not signed.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo checkpoint create [-n] [--new-log] [--ids=<file>] [-o <file>]`.
enum CheckpointCreate: Command {
  static let name = "create"
  static let summary = "sign what the history is now, keep and print it"
  static var usage: [String] {
    [
      "redo-checkpoint create [-n] [--new-log] [--ids=<file>] [-o <file>]\n"
        + "            [--passphrase-fd=<n>]"
    ]
  }
  private static let newLog = OptionSpec(
    "new-log", help: "begin a new log, which need not continue the last checkpoint")
  static var options: [OptionSpec] {
    [.dryRun, newLog, CheckpointWords.ids, .statementFile, PassphraseSource.descriptorOption]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "a checkpoint is of the whole history: '\(options.arguments[0])' is too much")
    }
    let target = options.value(.statementFile)
    if let target {
      try StatementFile.check(target, context.effects, isLike: CheckpointMaker.isCheckpoint)
    }
    let list = options.value(CheckpointWords.ids)
    if let list {
      try StatementFile.check(list, context.effects, isLike: HistoryContents.isList)
    }
    let opened = try context.effects.openRepository()
    let passphrase = try PassphraseSource(options)
    let identity = try Identity.load(
      opened, context.effects, needsKey: true, passphrase: passphrase, makesDevice: false)
    var maker = CheckpointMaker(
      opened, identity, beginsLog: options.has(newLog), isDryRun: options.has(.dryRun))
    if !options.has(.dryRun) { context.holdSignals() }
    let signed = try maker.make(context.effects)
    if let refusal = try CheckpointTrust(opened, pinned: nil, context.effects).refusal(of: signed) {
      context.warning("the checkpoint does not count here: \(refusal.detail)")
    }
    if let list, let contents = maker.contents {
      try StatementFile.write(
        contents.list, list, try opened.refsOptions().sync, context.effects)
    }
    if let target {
      try StatementFile.write(
        signed.note.bytes, target, try opened.refsOptions().sync, context.effects)
      try context.output.writeLine(target)
    } else {
      try context.output.write(signed.note.bytes)
    }
    return .ok
  }
}
