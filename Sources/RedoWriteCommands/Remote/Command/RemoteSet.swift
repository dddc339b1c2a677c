// redo remote set: changes a setting of a remote.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote set <name> <key> <value>`, or `--unset <name> <key>`.
enum RemoteSet: Command {
  static let name = "set"
  static let summary = "change a setting of a remote"
  static var usage: [String] {
    ["redo-remote set <name> <key> <value>", "redo-remote set --unset <name> <key>"]
  }

  private static let unset = OptionSpec(
    "unset", help: "take the setting away", traits: .notNegatable)
  static var options: [OptionSpec] { [unset] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let isUnset = options.has(unset)
    let words = options.arguments
    guard words.count == (isUnset ? 2 : 3) else {
      throw CommandError.usage(
        isUnset ? "a name and a key are needed" : "a name, a key and a value are needed")
    }
    let name = try RemoteWords.name(words[0])
    let opened = try context.effects.openRepository()
    let config = opened.store.config
    guard config.entry(Remote.key(name, "url")) != nil else {
      throw RemoteWords.absent(name.text, config)
    }
    let key = Remote.key(name, words[1])
    guard
      let spelled = KnownKey.remoteKeys.first(where: { $0.lowercased() == words[1].lowercased() }),
      let known = KnownKey.named(key)
    else {
      throw CommandError.fatal(
        "a remote has no setting '\(words[1])'",
        hints: ["it has \(KnownKey.remoteKeys.joined(separator: ", "))"])
    }
    if isUnset { return try take(key, spelled, name, &context) }
    var value = words[2]
    if spelled == "url" {
      value = try RemoteAdd.written(value, context)
    } else if let refusal = known.refusal(of: value) {
      throw CommandError.fatal(
        "bad value '\(value)' for '\(spelled)': \(refusal)",
        hints: known.kind == .accounts ? [ConfigCommand.accountHint] : [])
    }
    context.holdSignals()
    try ConfigScope.store.change(context) { file throws(ConfigError) in
      if file.entries(of: key).count > 1 { _ = try file.unset(key) }
      try file.set(key, name: spelled, to: value)
    }
    return .ok
  }

  private static func take(
    _ key: String, _ spelled: String, _ name: RemoteName, _ context: inout Context
  ) throws -> Exit {
    guard spelled != "url" else {
      throw CommandError.fatal(
        "a remote without a URL is none", hints: ["'redo remote rm \(name.text)' removes it"])
    }
    guard try ConfigScope.store.count(of: key, context) > 0 else {
      throw CommandError(.refused, "'\(spelled)' is not set for '\(name.text)' in this store")
    }
    context.holdSignals()
    try ConfigScope.store.change(context) { file throws(ConfigError) in
      _ = try file.unset(key)
    }
    return .ok
  }
}
