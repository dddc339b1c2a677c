// What one new node shall say: from the options, or from a line of JSON such as
//
//   {"action":"UPDATE","fields":{"priority":4},"taskId":"550e8400-e29b-41d4-a716-446655440000"}

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A change that is to be recorded.
struct CommitRequest {
  /// The action, as it stands in the node.
  var action: String
  /// The task; a CREATE without one gets a new one.
  var task: TaskID?
  /// The content: the text of a JSON object.
  var content: [UInt8] = Array("{}".utf8)
  /// Where the content stands.
  var form: NodeDraft.ContentForm = .fields
  /// Of a MERGE how conflicts were resolved: the text of a JSON object.
  var conflictResolution: [UInt8]?
  /// What it must follow, sorted by id: what it says was found out about these; `nil` for whatever the
  /// living heads are.
  var parents: [ObjectID]?
  /// The time to write, unless it is that of the clock.
  var wall: WallTime?
  /// What messages call the request; `nil` when there is only one.
  var subject: String?

  /// Whether the action makes a task.
  var isCreate: Bool { action == Action.create.rawValue }

  /// Whether the content has no members.
  var isEmpty: Bool { content.elementsEqual("{}".utf8) }

  /// A change of its parts.
  init(action: String) { self.action = action }

  /// Reads a line of JSON.
  ///
  /// - Throws: why it is no request.
  init(line: Span<UInt8>, _ subject: String) throws {
    var scanner = Scanner()
    do throws(JSONError) {
      try scanner.scan(line)
    } catch {
      throw Self.refused(subject, Finding(error).summary)
    }
    let root = scanner.root(of: line)
    guard root.isObject else {
      throw Self.refused(subject, "a request is a JSON object")
    }
    self.subject = subject
    action = ""
    var hasContent = false
    var members = root.members
    while let member = members.next() {
      let name = member.name.string ?? ""
      let value = member.value
      let string = value.string
      func text() throws -> String {
        guard let string else { throw Self.refused(subject, "the member '\(name)' is a text") }
        return string
      }
      switch name {
      case "action": action = try text()
      case "taskId": task = try Self.task(try text(), subject)
      case "wall": wall = try Self.wall(try text(), subject)
      case "fields", "payload":
        guard value.isObject, !hasContent else {
          throw Self.refused(subject, "exactly one of 'fields' and 'payload' is an object")
        }
        hasContent = true
        form = name == "fields" ? .fields : .payload
        content = value.bytes
      default:
        throw Self.refused(subject, "the member '\(name)' is unknown")
      }
    }
    guard !action.isEmpty else { throw Self.refused(subject, "the member 'action' is missing") }
  }

  private static func task(_ text: String, _ subject: String) throws -> TaskID {
    guard let task = TaskID(Array(text.utf8).span) else {
      throw refused(subject, "the member 'taskId' is a UUID, not '\(text)'")
    }
    return task
  }

  private static func wall(_ text: String, _ subject: String) throws -> WallTime {
    guard let (time, _) = WallTime.parse(Array(text.utf8).span) else {
      throw refused(subject, "the member 'wall' is a time, not '\(text)'")
    }
    return time
  }

  private static func refused(_ subject: String, _ reason: String) -> CommandError {
    CommandError(.refused, "'\(subject)': \(reason)")
  }
}
