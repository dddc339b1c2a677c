// Messages about stores and files that cannot be opened, about names that stand for nothing, and about anything
// unusual in a store.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension InputFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .directory(let path): .fatal("'\(path)' is a directory")
    case .namedPipe(let path):
      .fatal(
        "'\(path)' is a named pipe, not a file",
        hints: ["'-' in its place is standard input, into which it can be piped"])
    case .foreign(let name, .lzfse):
      .fatal(
        "'\(name)' is compressed with LZFSE, which is not read here",
        hints: ["the app's own export is not compressed; 'lzfse -decode' makes JSON of it"],
        code: "STORAGE_003")
    case .foreign(let name, .oldSealed):
      .fatal(
        "'\(name)' is encrypted in the form of redo 0.1, which is not read any more",
        hints: [
          "'redo archive extract' of that version opens it, and 'redo import' of this one takes what it prints"
        ],
        code: "STORAGE_003")
    case .foreign(let name, .car):
      .fatal(
        "'\(name)' is a CAR file, which is not read here",
        hints: ["'redo import' reads it"],
        code: "STORAGE_003")
    }
  }
}

extension NameFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noObject(let name): .fatal("no object has the name '\(name)'")
    case .malformedObject(let name):
      .fatal(
        "not a valid object name '\(name)'",
        hints: [EncodingHint.text(for: Array(name.utf8).span)].compactMap(\.self))
    case .ambiguousObject(let name, let candidates):
      .fatal("short id '\(name)' is ambiguous", hints: candidates.hints)
    case .malformedTask(let name): .fatal("not a task id or its beginning: '\(name)'")
    case .shortTask(let name):
      .fatal(
        "the beginning of a task id has at least \(TaskName.shortest) characters: '\(name)'")
    case .noTask(let name): .fatal("no task begins with '\(name)'")
    case .ambiguousTask(let name, let tasks, let hasMore):
      .fatal(
        "'\(name)' is the beginning of several tasks",
        hints: ["they are"] + tasks.map { "  \($0.text)" } + (hasMore ? ["  and more"] : []))
    }
  }
}

extension ObjectCandidates {
  /// The candidates, one a line, each with a description.
  package var hints: [String] { hints(after: []) }

  /// The candidates, one a line, each with a description, after lines about others.
  package func hints(after others: [String]) -> [String] {
    var lines = rows.map { row in
      guard let node = row.node else { return "  \(row.id.text)" }
      return "  \(row.id.text) \(node.wall.text) \(node.action.map { Escape.text($0) } ?? "")"
    }
    if count > rows.count { lines.append("  and \(count - rows.count) more") }
    return ["the candidates are"] + others + lines
  }
}

extension TrustFileFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noHome(let value): .fatal("'\(value)' needs 'HOME', which is not set")
    case .relative(let value, let place):
      .fatal(
        "'\(value)' is no path for 'trust.file' (\(place)): it begins with neither '/' nor '~/'")
    }
  }
}

extension ActingParts {
  /// Whether there is one part of one kind.
  fileprivate var isOne: Bool {
    settings.count + hooks.count + (hasTrust ? 1 : 0) + (caches.isEmpty ? 0 : 2) == 1
  }

  /// What there is, in one line.
  fileprivate var words: String {
    var words: [String] = []
    var keys: [String] = []
    for entry in settings {
      let name = KnownKey.named(entry.key)?.name ?? entry.key
      if !keys.contains(name) { keys.append(name) }
    }
    func list(_ names: [String], _ one: String, _ many: String) {
      guard !names.isEmpty else { return }
      words.append("its \(names.count == 1 ? one : many) \(names.joined(separator: ", "))")
    }
    list(keys, "setting", "settings")
    list(hooks, "hook", "hooks")
    if hasTrust { words.append("its trust file") }
    if !caches.isEmpty { words.append("its caches") }
    guard let last = words.popLast() else { return "" }
    return words.isEmpty ? last : words.joined(separator: ", ") + " and " + last
  }
}

extension OpenEvent {
  /// The lines of the message, with their prefixes.
  var lines: [(prefix: String, text: String)] {
    switch self {
    case .passedOver(let parts, let path, let standing, let isOther):
      let what =
        standing == .changed
        ? "something other than 'redo config' has changed settings of '\(path)'"
        : "'\(path)' is not known as your store"
      return [
        ("warning: ", "\(what): \(parts.words) \(parts.isOne ? "is" : "are") passed over"),
        ("hint: ", Self.acceptingHint(path, isOther: isOther)),
      ]
    case .hookUnasked(let name, let path):
      return [
        ("warning: ", "clients may only fetch from '\(path)': its hook \(name) is passed over")
      ]
    case .unremembered(let error):
      return [
        ("warning: ", "the new store cannot be remembered as yours: \(error)"),
        ("hint: ", "the setting 'safe.store' can name it"),
      ]
    case .alternateMissing(let path):
      return [("error: ", "object directory '\(path)' is not there; see 'objects/info/alternates'")]
    case .settingIgnored(let key, let place):
      return [("warning: ", "'\(key)' on \(place) is ignored; only your own settings name it")]
    case .trustFileExposed(let path):
      return [("warning: ", "others than its owner may write '\(path)', which says who may sign")]
    case .createdUnknown(let id, let subject, let text, let count):
      let more = count > 1 ? "; \(count) times in all" : ""
      return [
        (
          "warning: ",
          "'\(subject)': 'createdAt' of '\(id.text)' is no time in a form that is known, and is not"
            + " kept: '\(text)'\(more)"
        )
      ]
    case .createdUnnoted(let error):
      return [("warning: ", "when remotes had these changes first is not noted: \(error)")]
    case .accessUnnoted(let error):
      return [("warning: ", "which accounts may see these changes is not noted: \(error)")]
    case .accessUnread(let error):
      return [("warning: ", "changes are handed on without their access lists: \(error)")]
    case .schemaUnread(let ref):
      return [
        ("warning: ", "'\(ref.text)' cannot be read, so fields of its records have no names"),
        ("hint: ", "'redo fsck' tells what is wrong with it"),
      ]
    }
  }

  /// How a store is accepted.
  ///
  /// - Parameters:
  ///   - path: its directory.
  ///   - isOther: whether it is another than the one that a command finds by itself.
  /// - Returns: the text of a hint.
  package static func acceptingHint(_ path: String, isOther: Bool) -> String {
    let place = isOther ? " --redo-dir=\(ShellQuote.word(Array(path.utf8)))" : ""
    return "'redo\(place) config trust-store' accepts it, '--show' lists what then takes effect"
  }
}
