// redo repack: moves loose nodes into a pack, and merges packs, so that there are never many of them.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo repack [-n] [-q] [--json] [-a | --geometric=<factor>]`.
enum Repack: Command {
  static let name = "repack"
  static let summary = "put loose nodes into packs, and unite packs"
  static var usage: [String] { ["redo-repack [-n] [-q] [--json] [-a | --geometric=<factor>]"] }

  private static let all = OptionSpec(
    "all", letter: "a", help: "unite all packs, so that one is left")
  private static let geometric = OptionSpec(
    "geometric", .required("factor"),
    help: "how many times the nodes of all smaller packs each pack has (default 2)")
  static var options: [OptionSpec] {
    [all, geometric, .dryRun, .quiet, .json, .progress]
  }

  /// With a larger factor, packs would be merged all the time.
  private static let factorLimit = 100

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else {
      throw CommandError.usage(
        "'\(options.arguments[0])': a whole store is packed, not single objects")
    }
    _ = try options.only(oneOf: [all, geometric])
    var choice = RepackChoice.geometric(PackGeometry.usualFactor)
    if let text = options.value(geometric) {
      guard let factor = ParsedOptions.decimal(text), (2...factorLimit).contains(factor) else {
        throw CommandError.usage(
          "option '--geometric' expects a number from 2 to \(factorLimit), not '\(text)'")
      }
      choice = .geometric(factor)
    }
    if options.has(all) { choice = .all }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var output = TidyOutput(options)
    // No object may be wiped while it is moved.
    let objects = try opened.holdObjects()
    defer { extendLifetime(objects) }
    let isDryRun = options.has(.dryRun)
    let packs = isDryRun ? nil : try opened.holdPacks()
    defer { extendLifetime(packs) }
    var run = RepackRun(opened, choice, isDryRun: isDryRun, context.effects)
    try run.run({ try output.write($0, &context) }, context.effects)
    return output.isClean ? .ok : .no
  }
}
