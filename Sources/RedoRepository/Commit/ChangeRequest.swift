// What a new node is to say: put together by a program, or read from a line of JSON such as
//
//   {"action":"UPDATE","fields":{"priority":4},"taskId":"550e8400-e29b-41d4-a716-446655440000"}

internal import CanonicalJSON
package import RedoObject

/// A change that is to be recorded.
package struct ChangeRequest {
  /// The action as it appears in the node.
  package var action: String
  /// The task; a CREATE without one gets a new one.
  package var task: TaskID?
  /// The content: the text of a JSON object.
  package var content: [UInt8] = Array("{}".utf8)
  /// Where the content is in the node.
  package var form: NodeDraft.ContentForm = .fields
  /// For a MERGE, how conflicts were resolved: the text of a JSON object.
  package var conflictResolution: [UInt8]?
  /// The nodes that it must follow, sorted by ID, because what it says was worked out from them; `nil` for whatever the
  /// living heads are.
  package var parents: [ObjectID]?
  /// What it follows beside the living heads: heads of deleted branches, which come back (protocol, section 2); fewer
  /// than a node has parents, unless no head is living.
  package var revives: [ObjectID] = []
  /// The time to write, if it is not that of the clock.
  package var wall: WallTime?
  /// The name of the request in messages; `nil` when there is only one.
  package var subject: String?

  /// Whether the action makes a task.
  package var isCreate: Bool { action == Action.create.rawValue }

  /// Whether the content has no members.
  package var isEmpty: Bool { content.elementsEqual("{}".utf8) }

  /// The text that a member of the content has; `nil` when it has none, or the content is malformed.
  func member(_ name: StaticString) -> String? {
    guard let document = try? JSONDocument(content) else { return nil }
    return document.root[name]?.string
  }

  /// Creates a change with an action.
  package init(action: String) { self.action = action }

  /// Reads a line of JSON.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - subject: its name in messages.
  /// - Throws: `malformed` when the line is not a change.
  package init(line: Span<UInt8>, _ subject: String) throws {
    var scanner = Scanner()
    do throws(JSONError) {
      try scanner.scan(line)
    } catch {
      throw CommitFault.malformed(subject: subject, .syntax(Finding(error)))
    }
    let root = scanner.root(of: line)
    guard root.isObject else { throw CommitFault.malformed(subject: subject, .noObject) }
    self.subject = subject
    action = ""
    var hasContent = false
    var members = root.members
    while let member = members.next() {
      let name = member.name.string ?? ""
      let value = member.value
      let string = value.string
      func text() throws -> String {
        guard let string else {
          throw CommitFault.malformed(subject: subject, .noText(member: name))
        }
        return string
      }
      switch name {
      case "action": action = try text()
      case "taskId": task = try Self.task(try text(), subject)
      case "wall": wall = try Self.wall(try text(), subject)
      case "fields", "payload":
        guard value.isObject, !hasContent else {
          throw CommitFault.malformed(subject: subject, .content)
        }
        hasContent = true
        form = name == "fields" ? .fields : .payload
        content = value.bytes
      default:
        throw CommitFault.malformed(subject: subject, .unknownMember(name))
      }
    }
    guard !action.isEmpty else { throw CommitFault.malformed(subject: subject, .noAction) }
  }

  private static func task(_ text: String, _ subject: String) throws -> TaskID {
    guard let task = TaskID(Array(text.utf8).span) else {
      throw CommitFault.malformed(subject: subject, .task(text))
    }
    return task
  }

  private static func wall(_ text: String, _ subject: String) throws -> WallTime {
    guard let (time, _) = WallTime.parse(Array(text.utf8).span) else {
      throw CommitFault.malformed(subject: subject, .wall(text))
    }
    return time
  }
}
