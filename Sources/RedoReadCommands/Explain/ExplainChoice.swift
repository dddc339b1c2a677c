// The requested members of an explanation.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// The part of an explanation that is shown.
struct ExplainChoice {
  let members: [MemberExplanation]
  let skips: [Skip]

  /// Chooses.
  ///
  /// - Parameters:
  ///   - explanation: the whole explanation.
  ///   - names: what members are called for people, if it is a record.
  ///   - field: the name of a member, or what people call it; `nil` for all of them.
  ///   - todo: a todo's id or a prefix of it; `nil` for the task and all its todos.
  /// - Throws: `fatal` when there is no such member or todo.
  init(
    _ explanation: Explanation, _ names: RecordNames?, field: String?, todo: String?
  ) throws {
    guard explanation.state != nil else {
      (members, skips) = ([], field == nil && todo == nil ? explanation.skips : [])
      return
    }
    let id = try todo.map { text throws in try Self.todo(text, explanation) }
    var chosen = explanation.members
    if let id { chosen.removeAll { $0.member.todo != id } }
    if let field {
      let isKey = chosen.contains { Self.isNamed($0, field, nil) }
      chosen.removeAll { !Self.isNamed($0, field, isKey ? nil : names) }
      guard !chosen.isEmpty else {
        let subject = id.map { "todo '\($0.text)'" } ?? "task '\(explanation.task.text)'"
        throw CommandError.fatal(
          "\(subject) has no member '\(field)', and nobody wrote one",
          hints: field == "defaulted" || field == "todoTasks"
            ? ["it is told member by member"] : [])
      }
    }
    members = chosen
    // For a single member, each change that lost already has a line of its own.
    skips = field == nil ? explanation.skips.filter { id == nil || $0.todo == id } : []
  }

  /// Whether a member has a name, or is called so by people.
  private static func isNamed(
    _ member: MemberExplanation, _ name: String, _ names: RecordNames?
  ) -> Bool {
    guard let names else {
      return StringEscape.unescape(member.member.name.span).elementsEqual(name.utf8)
    }
    return names.name(at: member.member.path, member.value)?.text == ByteText(name)
      && member.member.todo == nil
  }

  private static func todo(
    _ text: String, _ explanation: Explanation
  ) throws -> TaskID {
    let prefix = text.lowercased()
    guard prefix.utf8.count >= TaskName.shortest else {
      throw CommandError.fatal(
        "the beginning of a todo's id has at least \(TaskName.shortest) characters: '\(text)'")
    }
    var found: [TaskID] = []
    for todo in explanation.members.compactMap(\.member.todo) + explanation.skips.compactMap(\.todo)
    where todo.text.hasPrefix(prefix) && !found.contains(todo) {
      found.append(todo)
    }
    guard let first = found.first else {
      throw CommandError.fatal("no todo of the task begins with '\(text)'")
    }
    guard found.count == 1 else {
      throw CommandError.fatal(
        "'\(text)' is the beginning of several todos",
        hints: ["they are"] + found.prefix(20).map { "  \($0.text)" })
    }
    return first
  }
}
