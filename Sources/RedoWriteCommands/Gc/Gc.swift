// redo gc: removes what interrupted commands left behind, moves nodes that nothing refers to into a file and removes blobs
// that nothing names if asked to, and packs loose objects.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo gc [-n] [-q] [-v] [--json] [--grace=<age>] [--expire-to=<file>] [--blobs]`.
enum Gc: Command {
  static let name = "gc"
  static let summary = "tidy a store up"
  static var usage: [String] {
    ["redo-gc [-n] [-q] [-v] [--json] [--grace=<age>] [--expire-to=<file>] [--blobs]"]
  }

  private static let grace = OptionSpec(
    "grace", .required("age"),
    help: "how old unfinished files, unknown nodes and blobs must be (default 2w)")
  private static let expireTo = OptionSpec(
    "expire-to", .required("file"), help: "move nodes that nothing knows of into <file>")
  private static let blobs = OptionSpec(
    "blobs", help: "remove blobs that nothing names; nothing brings them back")
  private static let verbose = OptionSpec("verbose", letter: "v", help: "list each blob")
  static var options: [OptionSpec] {
    [grace, expireTo, blobs, .dryRun, .quiet, verbose, .json, .progress]
  }

  private static let usualGrace = "2w"

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage("'\(options.arguments[0])': a whole store is tidied up")
    }
    let age = try ParsedOptions.age(options.value(grace) ?? usualGrace)
    let target = options.value(expireTo)
    if let target, target.isEmpty {
      throw CommandError.usage("'--expire-to' needs the name of a file")
    }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var output = TidyOutput(options, listsBlobs: options.has(verbose) || options.has(.dryRun))
    let request = StoreTidying.Request(
      before: context.clock() - age, expireTo: target, removesBlobs: options.has(blobs),
      isDryRun: options.has(.dryRun), isQuiet: options.has(.quiet))
    try StoreTidying.run(request, opened, context.effects) { step throws in
      try output.write(step, &context)
    }
    return output.isClean ? .ok : .no
  }
}
