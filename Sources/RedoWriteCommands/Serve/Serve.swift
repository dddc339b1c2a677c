// redo serve: answers other stores that fetch and push. One client over a pipe is served here; many over
// HTTP are served by an executable that links a network library.

internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo serve [account]`.
enum Serve: CommandGroup {
  static let name = "serve"
  static let summary = "answer another store that fetches or pushes"
  static var usage: [String] { ServeStore.usage + ServeAccount.usage }
  static var options: [OptionSpec] { ServeStore.options }
  static var standard: (any Command.Type)? { ServeStore.self }
  /// The store that is served.
  static var takesArguments: Bool { true }
  static var subcommands: [any Command.Type] { [ServeAccount.self] }
}

/// `redo serve --stdio [--read-only] [--allow-unsigned] [<dir>]`, or `--http` in place of `--stdio`.
enum ServeStore: Command {
  static let name = Serve.name
  static let summary = Serve.summary
  static var usage: [String] {
    [
      "redo-serve --stdio [--read-only] [--allow-unsigned] [<dir>]",
      "redo-serve --http=<address:port> [<option>...] [<dir>]",
      "redo-serve --firestore[=<project>] [<option>...] [<dir>]",
    ]
  }

  private static let stdio = OptionSpec(
    "stdio", help: "one client, over standard input and output")
  private static let readOnly = OptionSpec("read-only", help: "the client may fetch, and not push")
  static var options: [OptionSpec] {
    [stdio, readOnly, ServeOptions.allowUnsigned] + ServeOptions.network
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("one store is served at a time")
    }
    _ = try options.only(oneOf: [stdio, ServeOptions.address])
    _ = try options.only(oneOf: [stdio, ServeOptions.firestore])
    if options.has(ServeOptions.address) || options.has(ServeOptions.firestore) {
      return try serveOverHTTP(context, options)
    }
    for option in ServeOptions.network where options.has(option) {
      throw CommandError.usage("option '\(option.spelling)' belongs to '--http'")
    }
    guard options.has(stdio) else {
      throw CommandError.usage("'--stdio', '--http' or '--firestore' must be given")
    }
    let opened = try store(options.arguments.first, &context)
    var answering = ServeSession.Options()
    let mayPush = !options.has(readOnly) && opened.takesPushes(context.effects)
    answering.rights = mayPush ? .write : .read
    answering.allowsUnsigned = try opened.servesUnsigned(options.flag(ServeOptions.allowUnsigned))
    answering.kinds = Set(try opened.kinds("serve.kinds"))
    context.holdSignals()
    let signals = context.signals
    let stream = TwoWayStream(
      input: context.input, output: context.output.raw, isOwned: false,
      patience: .init { signals.pending != 0 })
    let outcome = ServeSession.run(StreamEnd(stream), opened, answering, context.effects)
    try context.checkInterrupt()
    if let error = outcome.error { throw ending(error) }
    return .ok
  }

  /// The executable that serves over HTTP.
  private static let server = "redo-serve-http"

  /// Replaces this process by the executable that serves over HTTP.
  private static func serveOverHTTP(
    _ context: borrowing Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.has(readOnly) else {
      throw CommandError.usage(
        "option '--read-only' belongs to '--stdio'; accounts say who may push")
    }
    guard
      let path = Programs.find(
        server, isBeside: true, in: context.effects.surroundings.usual.programPath)
    else {
      throw CommandError.fatal(
        "there is no program '\(server)'", hints: ["it is looked for beside 'redo' and on the PATH"]
      )
    }
    var words = [path]
    if context.workingDirectory != "." { words += ["-C", context.workingDirectory] }
    if let directory = context.effects.surroundings.redoDirectory {
      words.append("--redo-dir=\(directory)")
    }
    for setting in context.effects.surroundings.settings {
      words += ["-c", "\(setting.key)=\(setting.value)"]
    }
    let known = ServeOptions.network + [ServeOptions.allowUnsigned]
    for option in options.given where known.contains(where: { $0 ~= option }) {
      let name = (option.isNegated ? "--no-" : "--") + option.spec.name
      words.append(option.value.map { "\(name)=\($0)" } ?? name)
    }
    words += ["--end-of-options"] + options.arguments
    let number = context.execute(words)
    throw CommandError.fatal("cannot start '\(path)': \(SystemError.reason(of: number))")
  }

  /// The store that is served.
  private static func store(
    _ directory: String?, _ context: inout Context
  ) throws -> Repository {
    guard let directory else { return try context.effects.openRepository() }
    return try context.effects.openOther(StorePlace.find(context.resolve(directory), directory))
  }

  /// The message for an exchange that ended early; the client has been told separately.
  private static func ending(_ error: RemoteError) -> CommandError {
    switch error {
    case .closed: .fatal("the client has gone in the middle of a turn")
    case .refused(let fault) where fault.code == .denied: CommandError(.access, fault.text)
    case .refused(let fault) where fault.code == .unavailable: CommandError(.temporary, fault.text)
    case .unavailable(let reason): CommandError(.temporary, reason)
    case .stopped(let reason): .fatal(reason)
    case .malformed, .unexpected, .limit, .unsupported:
      .fatal("what the client sends cannot be taken: \(error)")
    case .stream, .peer, .refused: .fatal("the client: \(error)")
    }
  }
}
