// redo quarantine show: shows waiting changes to people, as redo show shows those of the history.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine show [--json] [-z] <id>...`.
enum QuarantineShow: Command {
  static let name = "show"
  static let summary = "show changes that wait, with all that is known of them"
  static var usage: [String] { ["redo-quarantine show [--json] [--color] [-z] <id>..."] }
  static var options: [OptionSpec] { [.json, Palette.option, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no change is named") }
    let opened = try context.effects.openRepository()
    let shelf = try QuarantineShelf(opened)
    let named = try shelf.named(options.arguments)
    try show(named.documents, shelf, &context)
    guard let waiting = shelf.waiting, !named.ids.isEmpty else { return .ok }
    // Layered over the objects of the store, so that parents that are here are found.
    let layered = Repository(
      opened.store.share(),
      ObjectStore(
        own: Layer(waiting, cache: opened.objects.packs.cache), alternates: opened.objects.layers),
      opened.trace)
    let palette = try context.palette(options, setting: opened.store.config.get("color.ui"))
    var show = try ShowObjects(
      layered, style: options.has(.json) ? .json : .people(palette), verifies: true,
      end: options.rowEnd, isStream: true, try context.effects.nodeTrust(layered), context.effects)
    try show.write(named.ids.map { .id($0) }, &context)
    return .ok
  }

  /// Prints documents as they arrived, one per line.
  private static func show(
    _ documents: [ObjectID], _ shelf: QuarantineShelf, _ context: inout Context
  ) throws {
    for id in documents {
      let bytes = try shelf.documents.read(id)
      guard let bytes else {
        throw CommandError.fatal("the document '\(id.text)' is not there any more")
      }
      let text = String(decoding: bytes, as: UTF8.self)
      try context.output.writeLine(context.isTerminal(.output) ? Escape.text(text) : text)
    }
    try context.output.flush()
  }
}
