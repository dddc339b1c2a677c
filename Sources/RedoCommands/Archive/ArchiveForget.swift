// redo archive forget: archives that the store reads no longer. Their files stay where they are.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive forget [-f] [-q] (<file> | <name>)...`.
enum ArchiveForget: Command {
  static let name = "forget"
  static let summary = "take archives out of what the store reads; their files stay"
  static var usage: [String] { ["redo-archive forget [-f] [-q] (<file> | <name>)..."] }
  private static let force = OptionSpec(
    "force", letter: "f", help: "even if nodes are missing from the store then")
  static var options: [OptionSpec] { [force, .quiet] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let opened = try context.effects.openRepository()
    context.holdSignals()
    var held = try HeldArchives(opened, salvages: options.has(force), context.effects)
    for name in options.arguments {
      let archive = try held.one(name, context.effects)
      if !options.has(force) { try check(archive, held, context) }
      held.register.remove(archive.name)
      try held.save()
      held.removeIndex(of: archive)
      if !options.has(.quiet) {
        context.note("the store reads '\(Escape.text(archive.path))' no longer")
      }
    }
    return .ok
  }

  /// Makes sure that every node of an archive is elsewhere too.
  ///
  /// - Throws: `fatal` when nodes would be missing, or that cannot be told.
  private static func check(
    _ archive: RegisteredArchive, _ held: borrowing HeldArchives, _ context: borrowing Context
  ) throws {
    let objects = held.opened.objects
    var missing = 0
    do throws(StoreError) {
      guard let shelved = try objects.archives?.archive(archive.name) else {
        // Whoever registered it has not written its line yet when this store was opened.
        throw StoreError.archives(reason: "the list of archives has changed")
      }
      let ids = try shelved.ids()
      for id in ids where try !objects.contains(id, butNotIn: archive.name) { missing += 1 }
    } catch {
      throw CommandError.fatal(
        "it cannot be told which nodes '\(Escape.text(archive.path))' has: \(error.description)",
        hints: ["'--force' forgets it all the same"])
    }
    guard missing > 0 else { return }
    throw CommandError.fatal(
      "\(missing) of the \(archive.nodes) nodes of '\(Escape.text(archive.path))' "
        + "are nowhere else in the store",
      hints: [
        "'redo archive restore \(archive.hex.prefix(12))' brings them back into it",
        "'--force' forgets them: the history is then incomplete",
      ])
  }
}
