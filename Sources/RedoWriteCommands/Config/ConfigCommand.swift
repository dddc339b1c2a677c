// redo config: reads and changes settings (in the manner of git config).

internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo config (get | set | unset | list | keys | trust-store) ...`, or `redo config <key> [<value>]`.
enum ConfigCommand: Command {
  static let name = "config"
  static let summary = "show and change settings"
  static var usage: [String] {
    [
      "redo-config list [<scope>] [--show-origin] [-z | --json]",
      "redo-config get [<scope>] [--all] [--type=<type>] [--show-origin] [-z | --json] <key>",
      "redo-config set [<scope>] [--all | --append] [--type=<type>] <key> <value>",
      "redo-config unset [<scope>] [--all] <key>",
      "redo-config keys [-z]",
      "redo-config trust-store [--show [-z | --json] | --forget]",
      "redo-config [<scope>] <key> [<value>]",
    ]
  }

  static let all = OptionSpec("all", help: "every value of the key, not only the one that holds")
  static let append = OptionSpec("append", help: "add a value, keep those there are")
  static let type = OptionSpec(
    "type", .required("bool|int|path"), help: "read the value as this, and write it in one form")
  static let showOrigin = OptionSpec("show-origin", help: "show where each value stands")
  static var options: [OptionSpec] {
    ConfigScope.options
      + [all, append, type, showOrigin, TrustStore.show, TrustStore.forget, .nul, .json]
  }

  /// What an account is, for whoever took something else for one.
  static let accountHint =
    "an account is the 'uid' of your tokens of Google or Firebase, and no key has to do with it"

  /// The operation.
  private enum Verb: String, CaseIterable {
    case get, set, unset, list, keys
    case trustStore = "trust-store"

    /// The options that have no meaning for this operation.
    var strangers: [OptionSpec] {
      let ofStore = [TrustStore.show, TrustStore.forget]
      return switch self {
      case .get: [append] + ofStore
      case .set: [showOrigin, .nul] + ofStore
      case .unset: [append, type, showOrigin, .nul] + ofStore
      case .list: [all, append, type] + ofStore
      case .keys: [all, append, type, showOrigin] + ofStore
      case .trustStore: ConfigScope.options + [all, append, type, showOrigin]
      }
    }
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let (verb, arguments) = try read(options)
    let scope = try ConfigScope(options, context)
    switch verb {
    case .keys:
      try ConfigRows.writeKeys(options.has(.nul), &context)
      return .ok
    case .list:
      let rows = try ConfigRows(options, context)
      for setting in try scope.settings(context) {
        try rows.write(setting, isNamed: true, &context)
      }
      return .ok
    case .get: return try get(try key(arguments[0]), scope, options, &context)
    case .set:
      try set(arguments[0], arguments[1], scope, options, &context)
      return .ok
    case .unset: return try unset(try key(arguments[0]), scope, options, &context)
    case .trustStore: return try TrustStore.run(&context, options)
    }
  }

  /// Reads the verb, explicit or implied, and its arguments, and checks their number.
  private static func read(
    _ options: ParsedOptions
  ) throws -> (Verb, [String]) {
    guard let first = options.arguments.first else { throw CommandError.usage("no key is named") }
    let verb: Verb
    var arguments = options.arguments
    if let word = Verb(rawValue: first) {
      verb = word
      arguments.removeFirst()
    } else if first.contains(".") {
      verb = arguments.count > 1 ? .set : .get
    } else {
      throw CommandError.usage(
        "'\(first)' is neither a key nor one of get, set, unset, list, keys, trust-store",
        hints: Suggestion.hints(for: first, among: Verb.allCases.map(\.rawValue)))
    }
    if let stranger = verb.strangers.first(where: { options.has($0) }) {
      throw CommandError.usage("'\(verb.rawValue)' has no option '\(stranger.spelling)'")
    }
    let wanted =
      switch verb {
      case .list, .keys, .trustStore: 0
      case .get, .unset: 1
      case .set: 2
      }
    guard arguments.count == wanted else {
      throw CommandError.usage(
        wanted == 0
          ? "'\(verb.rawValue)' takes no arguments"
          : "'\(verb.rawValue)' takes a key\(wanted == 2 ? " and a value" : "")")
    }
    return (verb, arguments)
  }

  /// The key, with its section and name in lower case.
  private static func key(_ text: String) throws -> String {
    guard let key = Config.key(text) else {
      throw CommandError.fatal("'\(text)' is not a config key")
    }
    return key
  }

  private static func get(
    _ key: String, _ scope: ConfigScope, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    let found = try scope.settings(context).filter {
      $0.entry.key == key && ($0.isInForce || !scope.isEverything)
    }
    let rows = try ConfigRows(options, context)
    for setting in options.has(all) ? found : found.suffix(1) {
      try rows.write(setting, isNamed: false, &context)
    }
    return found.isEmpty ? .no : .ok
  }

  private static func set(
    _ text: String, _ given: String, _ scope: ConfigScope, _ options: ParsedOptions,
    _ context: inout Context
  ) throws {
    _ = try options.only(oneOf: [all, append])
    let key = try key(text)
    let value = try ConfigValue.converted(given, options, context) { "value for '\(text)'" }
    if let known = KnownKey.named(key) {
      guard known.kind != .fixed else {
        throw CommandError.fatal(
          "'\(known.name)' is settled when a store is made, and never changed")
      }
      if let refusal = known.refusal(of: value) {
        throw CommandError.fatal(
          "bad value '\(value)' for '\(known.name)': \(refusal)",
          hints: known.kind == .accounts ? [accountHint] : [])
      }
      let entry = Config.Entry(key: key, value: value, origin: .option, line: 0)
      if scope.isStore, let speaker = KnownKey.speaker(of: entry), speaker != .anyStore {
        try warn(known, speaker, &context)
      }
    } else {
      suggest(text, &context)
    }
    let name = KnownKey.named(key)?.name ?? text
    let last = name.split(separator: ".").last.map(String.init) ?? name
    let (isAll, isMore) = (options.has(all), options.has(append))
    context.holdSignals()
    var several = 0
    try scope.change(context) { file throws(ConfigError) in
      let count = file.entries(of: key).count
      if count > 1, !isMore {
        several = count
        guard isAll else { return }
        _ = try file.unset(key)
      }
      try file.set(key, name: last, to: value, isMore: isMore)
    }
    guard several == 0 || isAll else {
      throw CommandError.fatal(
        "'\(name)' has \(several) values, not one",
        hints: ["'--all' puts one in place of all, '--append' adds one"])
    }
  }

  /// Warns of a setting that is not going to be in force in the store's own file.
  private static func warn(
    _ known: KnownKey, _ speaker: KnownKey.Speaker, _ context: inout Context
  ) throws {
    guard speaker == .ownStore else {
      context.warning("'\(known.name)' has no effect in a store's own file")
      context.hint("'redo config set --user' sets it in yours")
      return
    }
    guard try context.effects.findStore().standing != .own else { return }
    context.warning("'\(known.name)' has no effect before the store is accepted as yours")
    context.hint("'redo config trust-store' accepts it, '--show' lists what then takes effect")
  }

  private static func unset(
    _ key: String, _ scope: ConfigScope, _ options: ParsedOptions, _ context: inout Context
  ) throws -> Exit {
    if KnownKey.named(key)?.kind == .fixed {
      throw CommandError.fatal("'\(key)' is settled when a store is made, and never changed")
    }
    let isAll = options.has(all)
    // If the file does not exist, it is not created for this.
    let count = try scope.count(of: key, context)
    guard count > 0 else {
      throw CommandError(.refused, "'\(key)' is not set in '\(try scope.file(context).path)'")
    }
    context.holdSignals()
    var several = 0
    try scope.change(context) { file throws(ConfigError) in
      several = file.entries(of: key).count
      if several <= 1 || isAll { _ = try file.unset(key) }
    }
    guard several <= 1 || isAll else {
      throw CommandError.fatal(
        "'\(key)' has \(several) values, not one", hints: ["'--all' takes all away"])
    }
    return .ok
  }

  /// Says which known key may have been meant.
  private static func suggest(_ text: String, _ context: inout Context) {
    var names = KnownKey.names
    if text.lowercased().hasPrefix(KnownKey.remotePrefix), let dot = text.lastIndex(of: ".") {
      names += KnownKey.remoteKeys.map { "\(text[...dot])\($0)" }
    }
    let near = Suggestion.nearest(to: text.lowercased(), among: names.map { $0.lowercased() })
    let meant = names.filter { near.contains($0.lowercased()) }
    // A setting of a rule that does not exist, or of a remote, would silently do nothing.
    let isOurs = [KnownKey.verifyPrefix, KnownKey.remotePrefix].contains {
      text.lowercased().hasPrefix($0)
    }
    guard !meant.isEmpty || isOurs else { return }
    context.warning("no command reads '\(text)'")
    if !meant.isEmpty { hint(meant, &context) }
  }

  private static func hint(_ meant: [String], _ context: inout Context) {
    context.hint("did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?")
  }
}
