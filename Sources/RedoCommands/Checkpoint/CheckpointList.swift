// redo checkpoint list: the checkpoints of the store, the last one first.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo checkpoint list [--json] [-z]`.
enum CheckpointList: Command {
  static let name = "list"
  static let summary = "list the checkpoints of the store, the last one first"
  static var usage: [String] { ["redo-checkpoint list [--json] [-z]"] }
  static var options: [OptionSpec] { [CheckpointWords.json, CheckpointWords.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    var snapshot = try opened.snapshot()
    var exit = Exit.ok
    for found in try CheckpointShelf(opened).chain(&snapshot) {
      let signed: SignedCheckpoint
      switch found.result {
      case .success(let checkpoint): signed = checkpoint
      case .failure(let fault):
        context.error("checkpoint '\(found.name)': \(fault.detail)")
        exit = .no
        continue
      }
      try context.output.append { output throws in
        if options.has(CheckpointWords.json) {
          appendJSON(signed, to: &output)
        } else {
          append(signed, to: &output)
        }
        output.append(options.has(CheckpointWords.nul) ? 0 : UInt8(ascii: "\n"))
      }
    }
    return exit
  }

  /// Appends `<id> <entries> <change> <time> <origin> <key>`.
  private static func append(_ signed: SignedCheckpoint, to output: inout [UInt8]) {
    let checkpoint = signed.checkpoint
    signed.id.append(to: &output)
    output += " \(checkpoint.size) \(checkpoint.entry) \(checkpoint.time.text) ".utf8
    output += "\(checkpoint.origin) \(Hex.text(signed.signer.bytes.span))".utf8
  }

  /// Appends the members in RFC 8785 order.
  private static func appendJSON(_ signed: SignedCheckpoint, to output: inout [UInt8]) {
    let checkpoint = signed.checkpoint
    var row = JSONRow()
    row.add("chain", Hex.text(checkpoint.chain.bytes.span))
    row.add("checkpoint", signed.id.text)
    row.add("entry", checkpoint.entry)
    row.add("key", Hex.text(signed.signer.bytes.span))
    row.add("origin", checkpoint.origin)
    if let previous = checkpoint.previous { row.add("previous", previous.text) }
    row.add("refs", checkpoint.refCount)
    row.add("refsHash", Hex.text(checkpoint.refsDigest.bytes.span))
    row.add("root", Hex.text(checkpoint.root.bytes.span))
    row.add("size", checkpoint.size)
    row.add("time", checkpoint.time.text)
    row.append(to: &output)
  }
}
