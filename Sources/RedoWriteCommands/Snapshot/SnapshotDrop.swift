// redo snapshot drop: removes saved states. Only time is lost.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo snapshot drop [-n] [-q] (--all | --stale | <name>...)`.
enum SnapshotDrop: Command {
  static let name = "drop"
  static let summary = "remove snapshots; nothing is lost but time"
  static var usage: [String] { ["redo-snapshot drop [-n] [-q] (--all | --stale | <name>...)"] }
  private static let all = OptionSpec("all", help: "remove all snapshots")
  private static let stale = OptionSpec(
    "stale", help: "remove those that are of no use to the present history")
  static var options: [OptionSpec] {
    [all, stale, .dryRun, .quiet, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let group = try options.only(oneOf: [all, stale])
    guard (group == nil) == !options.arguments.isEmpty else {
      throw CommandError.usage(
        group == nil
          ? "no snapshot is named; '--all' removes all"
          : "'\(group?.spelling ?? "")' takes no names as arguments")
    }
    let shelf = try SnapshotShelf(try context.effects.openRepository())
    var names = try shelf.names()
    if let group {
      if group.isSame(as: stale) {
        names = try SnapshotRow.rows(shelf).filter { $0.status.isUseless }.map(\.name)
      }
    } else {
      names = try SnapshotShelf.named(options.arguments, among: names)
    }
    var isDone = true
    for name in names {
      if !options.has(.dryRun) {
        do throws(SystemError) {
          guard try shelf.remove(name) else { continue }
        } catch {
          context.error(error.description)
          isDone = false
          continue
        }
      }
      guard !options.has(.quiet) else { continue }
      try context.output.write(name.hex)
      try context.output.write(byte: options.rowEnd)
    }
    return isDone ? .ok : .no
  }
}
