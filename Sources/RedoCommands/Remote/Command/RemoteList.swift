// redo remote list: the other stores that have names.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote list [-v] [--json] [-z]`.
enum RemoteList: Command {
  static let name = "list"
  static let summary = "list the remotes; also what is done without a subcommand"
  static var usage: [String] { ["redo-remote list [-v] [--json] [-z]"] }
  static var options: [OptionSpec] { [RemoteWords.verbose, RemoteWords.json, RemoteWords.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepository()
    let config = opened.store.config
    let isRaw = options.has(RemoteWords.nul)
    for name in Remote.names(config) {
      let url = config.get(Remote.key(name, "url")) ?? ""
      try context.output.append { output throws in
        if options.has(RemoteWords.json) {
          var row = JSONRow()
          row.add("name", name.text)
          row.add("url", url)
          row.append(to: &output)
        } else {
          output += name.text.utf8
          if options.has(RemoteWords.verbose) {
            output += "\t\(Escape.field(Array(url.utf8), isRaw: isRaw))".utf8
          }
        }
        output.append(RemoteWords.end(options))
      }
    }
    return .ok
  }
}
