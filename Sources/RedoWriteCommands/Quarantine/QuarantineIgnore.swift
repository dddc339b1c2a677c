// redo quarantine ignore: accepts that changes are held back from exchanges with a remote, so that they are no longer said.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine ignore <remote> <rule or id>...`.
enum QuarantineIgnore: Command {
  static let name = "ignore"
  static let summary = "accept that changes are held back from exchanges with a remote"
  static var usage: [String] {
    [
      "redo-quarantine ignore <remote> [<rule>|<id>...]",
      "redo-quarantine ignore --forget <remote> [<rule>|<id>...]",
    ]
  }
  private static let forget = OptionSpec(
    "forget", help: "say them again", traits: .notNegatable)
  static var options: [OptionSpec] { [forget] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard let word = options.arguments.first else { throw CommandError.usage("a remote is needed") }
    let opened = try context.effects.openRepository()
    guard let name = try Remote.named(word, opened.store, context.effects).name else {
      throw CommandError.fatal("'\(word)' is not the name of a remote")
    }
    let words = options.arguments.dropFirst()
    var choice = try HeldBackChoice(for: name, opened.store.config)
    guard !words.isEmpty || options.has(forget) else {
      for one in choice.words { try context.output.writeLine(one) }
      return .ok
    }
    guard let named = HeldBackChoice(words) else {
      throw CommandError.fatal(
        "one of '\(words.joined(separator: " "))' is neither a rule nor an id of 64 hex digits",
        hints: ["redo-rules(7) lists the rules"])
    }
    let changed = words.isEmpty ? choice : named
    if options.has(forget) { choice.remove(changed) } else { choice.add(changed) }
    context.holdSignals()
    let key = Remote.key(name, HeldBackChoice.setting)
    let value = choice.isEmpty ? nil : choice.value
    try ConfigScope.store.change(context) { file throws(ConfigError) in
      if value == nil || file.entries(of: key).count > 1 { _ = try file.unset(key) }
      if let value { try file.set(key, name: HeldBackChoice.setting, to: value) }
    }
    // What is held back by a rule now is accepted at the next exchange.
    try RemoteMemory(name, opened).forget(heldBackBy: changed.rules)
    return .ok
  }
}
