// redo remote rm: forgets a remote and everything remembered about it; no node is touched.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote rm [-n] [-z] <name>`.
enum RemoteRemove: Command {
  static let name = "rm"
  static let summary = "forget a remote, and what is remembered of it"
  static var usage: [String] { ["redo-remote rm [-n] [-z] <name>"] }
  static var options: [OptionSpec] { [.dryRun, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1 else { throw CommandError.usage("one remote is needed") }
    let name = try RemoteWords.name(options.arguments[0])
    let opened = try context.effects.openRepository()
    let memory = RemoteMemory(name, opened)
    let settings = try ConfigScope.store.settings(context).map(\.entry).filter {
      $0.key.hasPrefix(Remote.key(name, ""))
    }
    let refs = try refs(of: name, opened)
    let files = try memory.files()
    guard !settings.isEmpty || !refs.isEmpty || !files.isEmpty else {
      if let entry = opened.store.config.entry(Remote.key(name, "url")) {
        throw CommandError(
          .refused, "'\(name.text)' is not of this store: it is set by \(entry.place)")
      }
      throw RemoteWords.absent(name.text, opened.store.config)
    }
    if !options.has(.dryRun) {
      context.holdSignals()
      // The settings go last, so that an interrupted removal can be repeated.
      try remove(refs, name, opened, &context)
      try memory.forget()
      try ConfigScope.store.change(context) { file throws(ConfigError) in
        for key in Set(settings.map(\.key)) { _ = try file.unset(key) }
        try file.removeSection("remote.\(name.text)")
      }
    }
    let rows =
      settings.map { "setting \($0.key)=\($0.value ?? "")" } + files.map { "file \($0)" }
      + refs.map { "ref \($0.name.text) \($0.id.text)" }
    for row in rows {
      try context.output.write(Escape.field(Array(row.utf8), isRaw: options.has(.nul)))
      try context.output.write(byte: options.rowEnd)
    }
    return .ok
  }

  /// The remembered heads of a remote.
  private static func refs(
    of name: RemoteName, _ opened: Repository
  ) throws -> [Ref] {
    var snapshot = try opened.snapshot()
    var refs: [Ref] = []
    try snapshot.forEach(prefix: "remotes/\(name.text)/") { ref in
      refs.append(ref)
      return true
    }
    return refs
  }

  private static func remove(
    _ refs: [Ref], _ name: RemoteName, _ opened: Repository, _ context: inout Context
  ) throws {
    guard !refs.isEmpty else { return }
    var transaction = RefTransaction(message: "remote rm \(name.text)")
    for ref in Set(refs.map(\.name)).sorted() { transaction.delete(ref) }
    let options = try opened.refsOptions()
    let outcome = try opened.store.refs.commit(
      transaction, at: context.clock(), options)
    if case .committed(let commit) = outcome {
      for warning in commit.warnings { context.warning(warning.description) }
    }
  }
}
