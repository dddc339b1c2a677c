// redo snapshot verify: rebuilds saved states from the nodes themselves, and compares.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo snapshot verify [-q] [-z] [<name>...]`.
enum SnapshotVerify: Command {
  static let name = "verify"
  static let summary = "make snapshots again from the objects, and compare"
  static var usage: [String] { ["redo-snapshot verify [-q] [-z] [<name>...]"] }
  static var options: [OptionSpec] { [.quiet, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let opened = try context.effects.openRepository()
    let shelf = try SnapshotShelf(opened)
    let all = try shelf.names()
    let names =
      options.arguments.isEmpty
      ? all : try SnapshotShelf.named(options.arguments, among: all)
    guard !names.isEmpty else { return .ok }
    let loaded = try HistoryLoad.nodes(
      from: try HistoryLoad.heads(opened), opened.objects)
    let log = NodeHistory(loaded.nodes)
    var isGood = true
    for name in names {
      guard shelf.status(name) != nil else { continue }
      let verdict = try SnapshotVerdict(of: name, shelf, log, context.effects)
      if verdict == .corrupt || verdict == .wrong { isGood = false }
      guard !options.has(.quiet) else { continue }
      try context.output.write("\(name.hex) \(verdict.rawValue)")
      try context.output.write(byte: options.rowEnd)
    }
    return isGood ? .ok : .no
  }
}
