// redo remote show: what is configured for a remote and remembered about it, without talking to it.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo remote show [--json] [-z] <name>...`.
enum RemoteShow: Command {
  static let name = "show"
  static let summary = "show what is set for a remote and remembered of it"
  static var usage: [String] { ["redo-remote show [--json] [-z] <name>..."] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no remote is named") }
    let opened = try context.effects.openRepository()
    var remotes: [Remote] = []
    for text in options.arguments {
      remotes.append(try RemoteWords.known(text, opened.store, context))
    }
    for remote in remotes {
      let facts = try facts(of: remote, opened)
      try context.output.append { output throws in
        facts.append(
          to: &output, isJSON: options.has(.json), end: options.rowEnd)
      }
    }
    return .ok
  }

  private static func facts(
    of remote: Remote, _ opened: Repository
  ) throws -> RemoteFacts {
    var facts = RemoteFacts()
    guard let name = remote.name else { return facts }
    let memory = RemoteMemory(name, opened)
    facts.add("name", name.text)
    facts.add("url", remote.text)
    facts.add("transport", remote.url.transport)
    for key in KnownKey.remoteKeys where key != "url" {
      if let value = remote.setting(key) { facts.add(key, value) }
    }
    if let id = try memory.id() { facts.add("id", id.text) }
    if let bytes = try memory.checkpoint() {
      if let checkpoint = try? SignedCheckpoint(decoding: bytes) {
        facts.add("checkpoint", checkpoint.id.text)
        facts.add("checkpointSize", checkpoint.checkpoint.size)
        facts.add("checkpointTime", checkpoint.checkpoint.time.text)
      } else {
        facts.add("checkpoint", "damaged")
      }
    }
    if let last = try memory.last() {
      facts.add("lastExchange", last.time.text)
      facts.add("lastFetched", last.fetched)
      facts.add("lastPushed", last.pushed)
    }
    return facts
  }
}

/// Facts about a remote: one `<key>: <value>` per line, in the manner of `count-objects -v`, or one object.
struct RemoteFacts {
  private enum Value {
    case text(String)
    case number(Int)
  }

  private var facts: [(key: String, value: Value)] = []

  /// No facts.
  init() {}

  /// Adds a text.
  mutating func add(_ key: String, _ value: String) { facts.append((key, .text(value))) }
  /// Adds a number.
  mutating func add(_ key: String, _ value: Int) { facts.append((key, .number(value))) }

  /// Appends all the facts.
  ///
  /// - Parameters:
  ///   - output: receives the bytes.
  ///   - isJSON: whether to write one object, with sorted members.
  ///   - end: the byte that ends a row.
  func append(to output: inout [UInt8], isJSON: Bool, end: UInt8) {
    guard isJSON else {
      for fact in facts {
        output += "\(fact.key): ".utf8
        switch fact.value {
        case .text(let text): output += Escape.field(Array(text.utf8), isRaw: end == 0).utf8
        case .number(let number): output += "\(number)".utf8
        }
        output.append(end)
      }
      return
    }
    let sorted = facts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    JSONWriter.append(to: &output) { json in
      json.object { json in
        for fact in sorted {
          json.name(text: fact.key)
          switch fact.value {
          case .text(let text): json.value(text)
          case .number(let number): json.value(number)
          }
        }
      }
    }
    output.append(end)
  }
}
