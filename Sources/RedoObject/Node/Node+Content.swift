// The content of an action (protocol, sections 3 and 4): which members it has, and their types.

internal import CanonicalJSON

/// A member of an action's content that the protocol names.
package enum ContentMember {
  case title, description, privacy, storyPoints, priority, frequencyDays, todos
  case archived, deleted, todoTasks, guid
  case todoTaskID, deadline, notes, completed, daysToExtend, snoozeDays, newDeadline
  case completedAt, deletedChain, base, policy, resolutions

  /// The member of a name in its canonical spelling.
  package init?(_ name: Span<UInt8>) {
    switch name.count {
    case 4 where name.elementsEqual("guid"): self = .guid
    case 4 where name.elementsEqual("base"): self = .base
    case 5 where name.elementsEqual("title"): self = .title
    case 5 where name.elementsEqual("todos"): self = .todos
    case 5 where name.elementsEqual("notes"): self = .notes
    case 6 where name.elementsEqual("policy"): self = .policy
    case 7 where name.elementsEqual("privacy"): self = .privacy
    case 7 where name.elementsEqual("deleted"): self = .deleted
    case 8 where name.elementsEqual("priority"): self = .priority
    case 8 where name.elementsEqual("deadline"): self = .deadline
    case 8 where name.elementsEqual("archived"): self = .archived
    case 9 where name.elementsEqual("completed"): self = .completed
    case 9 where name.elementsEqual("todoTasks"): self = .todoTasks
    case 10 where name.elementsEqual("todoTaskId"): self = .todoTaskID
    case 10 where name.elementsEqual("snoozeDays"): self = .snoozeDays
    case 11 where name.elementsEqual("description"): self = .description
    case 11 where name.elementsEqual("storyPoints"): self = .storyPoints
    case 11 where name.elementsEqual("newDeadline"): self = .newDeadline
    case 11 where name.elementsEqual("completedAt"): self = .completedAt
    case 11 where name.elementsEqual("resolutions"): self = .resolutions
    case 12 where name.elementsEqual("daysToExtend"): self = .daysToExtend
    case 12 where name.elementsEqual("deletedChain"): self = .deletedChain
    case 13 where name.elementsEqual("frequencyDays"): self = .frequencyDays
    default: return nil
    }
  }

  /// What a member must be in the content of an action; `nil` where the action does not name it.
  func type(in action: Action, isPayload: Bool) -> ContentType? {
    switch (action, self) {
    case (.merge, .base) where isPayload: .id
    case (.merge, .policy) where isPayload: .policy
    case (.merge, .resolutions) where isPayload: .resolutions
    case (.merge, _) where isPayload: nil
    case (.update, .archived), (.update, .deleted), (.update, .todoTasks), (.update, .guid),
      (.update, .todos), (.merge, .archived), (.merge, .deleted), (.merge, .todoTasks),
      (.merge, .guid), (.merge, .todos):
      .forbidden
    case (.create, .title), (.update, .title), (.merge, .title), (.createTodo, .title),
      (.addTodo, .title):
      .title
    case (.create, .description), (.update, .description), (.merge, .description): .text
    case (.create, .privacy), (.update, .privacy), (.merge, .privacy): .boolean
    case (.create, .storyPoints), (.update, .storyPoints), (.merge, .storyPoints): .points
    case (.create, .priority), (.update, .priority), (.merge, .priority): .priority
    case (.create, .frequencyDays), (.update, .frequencyDays), (.merge, .frequencyDays): .count
    case (.create, .todos): .todos
    case (.createTodo, .todoTaskID), (.addTodo, .todoTaskID), (.completeTodo, .todoTaskID),
      (.snooze, .todoTaskID):
      .uuid
    case (.createTodo, .notes), (.addTodo, .notes), (.completeTodo, .notes), (.snooze, .notes):
      .text
    case (.createTodo, .deadline), (.addTodo, .deadline), (.completeTodo, .completed),
      (.snooze, .newDeadline), (.complete, .completedAt), (.merge, .completedAt):
      .time
    case (.snooze, .daysToExtend), (.snooze, .snoozeDays): .days
    case (.delete, .deletedChain): .ids
    default: nil
    }
  }
}

/// The type of a content member.
enum ContentType {
  case text, title, boolean, points, priority, count, days, time, uuid, id, ids, todos
  case policy, resolutions, forbidden
}

extension NodeJudge {
  /// Judges `data`: its shape, then the content of the action.
  mutating func judgeData(_ value: JSONValue?, _ draft: inout Draft) {
    guard let value = present(value, "/data", required: true) else { return }
    guard value.isObject else {
      report(.dataShape, "/data", detail: excerpt(value))
      return
    }
    var fields: JSONValue?
    var payload: JSONValue?
    var members = value.members
    while let member = members.next() {
      let name = member.name.content
      if name.elementsEqual("fields") {
        fields = member.value
      } else if name.elementsEqual("payload") {
        payload = member.value
      } else if name.elementsEqual("conflictResolution") {
        judgeConflictResolution(member.value, draft)
      } else {
        report(.memberUnknown, Self.pointer("/data", name))
      }
    }
    let isPayload = fields == nil
    guard isPayload != (payload == nil) else {
      report(.dataShape, "/data")
      return
    }
    let content = isPayload ? payload : fields
    let pointer = isPayload ? "/data/payload" : "/data/fields"
    guard let content = present(content, pointer, required: true) else { return }
    guard content.isObject else {
      report(.dataShape, pointer, detail: excerpt(content))
      return
    }
    draft.places.data = Node.Slice(value.contentPlace)
    draft.places.content = Node.Slice(content.contentPlace)
    guard let action = draft.action else { return }
    judgeContent(content, pointer, action)
  }

  /// Judges the members of an action's content.
  private mutating func judgeContent(
    _ content: JSONValue, _ pointer: String, _ action: Action
  ) {
    let isPayload = pointer == "/data/payload"
    var seen = SeenMembers()
    var members = content.members
    while let next = members.next() {
      let name = next.name.content
      guard let member = ContentMember(name),
        let type = member.type(in: action, isPayload: isPayload)
      else {
        seen.any = true
        continue
      }
      seen.note(member)
      guard type != .forbidden else {
        report(.payloadForbidden, Self.pointer(pointer, name))
        continue
      }
      judgeValue(next.value, type, Self.pointer(pointer, name))
      if action == .snooze, member == .newDeadline || member == .snoozeDays, seen.snoozes > 1 {
        report(.payloadForbidden, Self.pointer(pointer, name))
      }
    }
    judgePresence(seen, pointer, action)
  }

  /// Reports required members that are absent.
  private mutating func judgePresence(_ seen: SeenMembers, _ pointer: String, _ action: Action) {
    switch action {
    case .create:
      if !seen.title { report(.payloadMissing, pointer + "/title") }
    case .update:
      if !seen.any { report(.payloadMissing, pointer) }
    case .createTodo, .addTodo:
      if !seen.todoTaskID { report(.payloadMissing, pointer + "/todoTaskId") }
    case .completeTodo:
      if !seen.todoTaskID { report(.payloadMissing, pointer + "/todoTaskId") }
    case .snooze:
      if seen.snoozes == 0 { report(.payloadMissing, pointer) }
      if !seen.todoTaskID { report(.payloadMissing, pointer + "/todoTaskId") }
    case .complete:
      if !seen.completedAt { report(.payloadMissing, pointer + "/completedAt") }
    case .delete:
      if profile.isGenesis, !seen.deletedChain {
        report(.payloadMissing, pointer + "/deletedChain")
      }
    case .archive, .unarchive, .merge: break
    }
  }
}

/// Which of the members that some action requires have been seen.
private struct SeenMembers {
  var any = false
  var title = false
  var todoTaskID = false
  var completedAt = false
  var deletedChain = false
  var snoozes = 0

  mutating func note(_ member: ContentMember) {
    any = true
    switch member {
    case .title: title = true
    case .todoTaskID: todoTaskID = true
    case .completedAt: completedAt = true
    case .deletedChain: deletedChain = true
    case .newDeadline, .daysToExtend, .snoozeDays: snoozes += 1
    default: break
    }
  }
}
