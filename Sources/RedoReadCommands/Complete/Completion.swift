// redo __complete: what a shell may offer for an argument, from local refs only. One candidate per line:
//
//   <candidate> TAB <what it is>
//
// A user who presses TAB wants no messages: what cannot be read is not offered.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo __complete (ids | refs | revisions | keys | tasks | remotes | archives) [<beginning>]`.
enum Completion {
  /// The most candidates: nobody reads more than that.
  private static let limit = 300
  /// The longest title, in characters.
  private static let titleLimit = 40

  /// The kind of candidates that is asked for.
  private enum Kind: String {
    case ids, refs, revisions, keys, tasks, remotes, archives
  }

  /// Prints the candidates.
  ///
  /// - Returns: 0, or 1 when there is nothing to offer for that kind.
  static func run(_ context: inout Context) -> Exit {
    let words = context.arguments.dropFirst()
    guard let kind = words.first.flatMap({ Kind(rawValue: $0) }) else { return .no }
    let typed = words.dropFirst().first ?? ""
    do {
      switch kind {
      case .keys:
        for name in KnownKey.names where name.lowercased().hasPrefix(typed.lowercased()) {
          guard let key = KnownKey.named(name.lowercased()) else { continue }
          try context.output.writeLine("\(name)\t\(key.meaning)")
        }
      case .remotes: try writeRemotes(typed, &context)
      case .tasks: try writeTasks(typed, try context.effects.openRepository(), &context)
      case .archives: try writeArchives(typed, try context.effects.openRepository(), &context)
      case .ids, .refs, .revisions:
        let opened = try context.effects.openRepository()
        if kind != .ids { try writeRefs(typed, opened, &context) }
        if kind != .refs { try writeIDs(typed, opened, &context) }
      }
      try context.output.flush()
      return .ok
    } catch {
      let error = CommandError(error)
      if case .signal = error.kind { return .no }
      return .ok
    }
  }

  /// Whether a name can be printed on a line without escaping.
  private static func isPlain(_ text: String) -> Bool { Escape.text(text) == text }

  private static func writeRefs(
    _ typed: String, _ opened: Repository, _ context: inout Context
  ) throws {
    var found: [(name: String, id: ObjectID)] = []
    try forEachRef(prefix: typed, opened) { ref in
      let name = ref.name.text
      if found.last?.name != name, isPlain(name) { found.append((name, ref.id)) }
      return found.count < limit
    }
    let texts = descriptions(of: found.map(\.id), opened)
    for (ref, text) in zip(found, texts) {
      try context.output.writeLine("\(ref.name)\t\(text)")
    }
  }

  /// The tasks that have heads, each with what its first head says.
  private static func writeTasks(
    _ typed: String, _ opened: Repository, _ context: inout Context
  ) throws {
    var found: [(task: String, id: ObjectID)] = []
    let beginning = typed.lowercased()
    try forEachRef(prefix: "heads/\(beginning)", opened) { ref in
      let task = String(ref.name.text.dropFirst("heads/".utf8.count))
      if found.last?.task != task, task != "-" { found.append((task, ref.id)) }
      return found.count < limit
    }
    let texts = descriptions(of: found.map(\.id), opened)
    for (row, text) in zip(found, texts) { try context.output.writeLine("\(row.task)\t\(text)") }
  }

  /// The remotes of the settings, each with its URL.
  private static func writeRemotes(_ typed: String, _ context: inout Context) throws {
    let config = try context.effects.findStore().config
    for name in Remote.names(config) where name.text.hasPrefix(typed) {
      let url = config.entry(Remote.key(name, "url"))?.value ?? ""
      try context.output.writeLine("\(name.text)\t\(Escape.text(url))")
    }
  }

  /// The registered archives, each with where its file is.
  private static func writeArchives(
    _ typed: String, _ opened: Repository, _ context: inout Context
  ) throws {
    guard let shelf = opened.objects.archives else { return }
    for archive in try shelf.all().map(\.archive) where archive.hex.hasPrefix(typed) {
      try context.output.writeLine(
        "\(archive.hex.prefix(NodeText.shortCount))\t\(Escape.text(archive.path))")
    }
  }

  private static func writeIDs(
    _ typed: String, _ opened: Repository, _ context: inout Context
  ) throws {
    let prefix = "sha256:"
    // If the user has begun to type the prefix, the candidates have it too.
    let isPrefixed = typed.hasPrefix(prefix) || (!typed.isEmpty && prefix.hasPrefix(typed))
    let digits = Array(typed.utf8.dropFirst(isPrefixed ? min(typed.utf8.count, 7) : 0))
    var seen: Set<ObjectID> = []
    var found: [ObjectID] = []
    try forEachRef(prefix: "", opened) { ref in
      if ref.id.hex.utf8.starts(with: digits), seen.insert(ref.id).inserted {
        found.append(ref.id)
      }
      return found.count < limit
    }
    let texts = descriptions(of: found, opened)
    for (id, text) in zip(found, texts) {
      let hex = digits.count > NodeText.shortCount ? id.hex : NodeText.short(id)
      try context.output.writeLine("\(isPrefixed ? prefix : "")\(hex)\t\(text)")
    }
  }

  private static func forEachRef(
    prefix: String, _ opened: Repository, _ visit: (Ref) -> Bool
  ) throws {
    var snapshot = try opened.snapshot()
    try snapshot.forEach(prefix: prefix) { ref throws(RefsError) in visit(ref) }
  }

  /// Descriptions of objects: `UPDATE 2024-05-01 Water the plants`.
  private static func descriptions(of ids: [ObjectID], _ opened: Repository) -> [String] {
    let store = opened.objects
    return Threads.parallelMap(
      ids, threads: ids.count < 16 ? 1 : Threads.processorCount, makeState: { NodeReader() }
    ) { reader, id in
      guard let node = (try? reader.node(id, in: store)) ?? nil else { return "" }
      var text = node.escapedText(.action).map { Escape.text($0) } ?? ""
      text += " \(node.wall.text.prefix(10))"
      let title = JSONMembers(node.content).first { $0.name.elementsEqual("title".utf8) }?.text
      if let title { text += " \(Escape.text(title).prefix(titleLimit))" }
      return text
    }
  }
}
