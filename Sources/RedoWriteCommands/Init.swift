// redo init: makes a store.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo init [-q] [<dir>]`.
enum Init: Command {
  static let name = "init"
  static let summary = "make an empty store, or complete one"
  static var usage: [String] { ["redo-init [-q] [<dir>]"] }

  static var options: [OptionSpec] { [.quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("only one directory can be named")
    }
    let path: String
    if let directory = options.arguments.first {
      path = joinPath(context.resolve(directory), Layout.directoryName)
    } else {
      path =
        context.effects.surroundings.namedStorePath
        ?? joinPath(context.workingDirectory, Layout.directoryName)
    }
    context.holdSignals()
    var isNew = false
    let absolute = try context.effects.makeStore(path, isNew: &isNew).path
    if !options.has(.quiet) {
      let words = isNew ? "initialized empty redo store in" : "reinitialized existing redo store in"
      context.note("\(words) '\((try? CurrentProcess.realPath(absolute)) ?? absolute)'")
    }
    return .ok
  }
}
