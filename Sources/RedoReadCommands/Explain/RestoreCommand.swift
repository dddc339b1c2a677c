// The command line that records a restoration.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes commands.
enum RestoreCommand {
  /// The command, quoted for a shell; `nil` when no command line can express it: a text with NUL, or a name
  /// with an equals sign that has no option of its own.
  static func text(_ restoration: Restoration, of task: TaskID) -> String? {
    guard let arguments = arguments(restoration) else { return nil }
    var words = [Array("redo".utf8), Array("commit".utf8)] + arguments
    words.insert(Array("--task=\(task.text)".utf8), at: 3)
    if let todo = restoration.todo { words.insert(Array("--todo=\(todo.text)".utf8), at: 4) }
    guard words.allSatisfy({ !$0.contains(0) }) else { return nil }
    return words.map { ShellQuote.word($0) }.joined(separator: " ")
  }

  /// The words after `redo commit`, without the task and the todo.
  private static func arguments(_ restoration: Restoration) -> [[UInt8]]? {
    let value = restoration.value
    let name = restoration.name.map { StringEscape.unescape($0.span) } ?? []
    switch restoration.action {
    case .archive: return [Array("archive".utf8)]
    case .unarchive: return [Array("unarchive".utf8)]
    case .complete:
      return [Array("--action=COMPLETE".utf8), Array("--field=completedAt=".utf8) + text(value)]
    // Written as text, because the options for times write milliseconds.
    case .snooze:
      return [Array("snooze".utf8), Array("--field=newDeadline=".utf8) + text(value)]
    case .completeTodo:
      return [Array("complete-todo".utf8), Array("--field=completed=".utf8) + text(value)]
    default: break
    }
    let update = Array("update".utf8)
    if let option = option(name), let text = optionText(option, value) {
      return [update, Array("--\(option)".utf8) + text]
    }
    guard !name.contains(UInt8(ascii: "=")) else { return nil }
    return [update, Array("--field-json=".utf8) + name + Array("=".utf8) + value]
  }

  /// The option of an everyday action that sets a member.
  private static func option(_ name: [UInt8]) -> String? {
    switch String(decoding: name, as: UTF8.self) {
    case "title": "title"
    case "description": "description"
    case "priority": "priority"
    case "storyPoints": "story-points"
    case "frequencyDays": "frequency-days"
    case "privacy": "private"
    default: nil
    }
  }

  /// The text for the option's value; `nil` when the option cannot express the value.
  private static func optionText(_ option: String, _ value: [UInt8]) -> [UInt8]? {
    let equals = [UInt8(ascii: "=")]
    switch option {
    case "title", "description": return equals + text(value)
    case "story-points": return equals + value
    case "private": return value[0] == UInt8(ascii: "t") ? [] : nil
    default:
      return Int(String(decoding: value, as: UTF8.self)) == nil ? nil : equals + value
    }
  }

  /// The text of a JSON string.
  private static func text(_ value: [UInt8]) -> [UInt8] {
    StringEscape.unescape(Array(value.dropFirst().dropLast()).span)
  }
}
