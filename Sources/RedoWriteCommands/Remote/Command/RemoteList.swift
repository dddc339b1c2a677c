// redo remote list: the other stores that have been given names.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote list [-v] [--json] [-z]`.
enum RemoteList: Command {
  static let name = "list"
  static let summary = "list the remotes; also what is done without a subcommand"
  static var usage: [String] { ["redo-remote list [-v] [--json] [-z]"] }
  static var options: [OptionSpec] { [RemoteWords.verbose, .json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    let config = opened.store.config
    let writer = RowWriter(
      columns(hasURL: options.has(RemoteWords.verbose)), separator: "\t", options)
    try writer.write(
      Remote.names(config).map {
        (name: $0.text, url: config.get(Remote.key($0, "url")) ?? "")
      }, &context)
    return .ok
  }

  /// `<name>[ TAB <url>]`; in JSON always both.
  private static func columns(hasURL: Bool) -> [RowColumn<(name: String, url: String)>] {
    [.word("name") { $0.name }, .text("url", .field, in: hasURL ? .everywhere : .json) { $0.url }]
  }
}
