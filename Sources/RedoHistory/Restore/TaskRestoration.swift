// What brings a task from one state to another: new actions, worked out by comparing the two states, and what no action
// can bring back. The actions are tried on the state at hand; whatever differs from the wanted state then is the list
// of what cannot be taken back, so that nothing can be missing from it.

internal import CanonicalJSON
package import RedoObject

/// The new nodes that bring a task to an earlier state, as far as actions can.
package struct TaskRestoration: Sendable {
  /// One new node.
  package struct Step: Equatable, Sendable {
    /// What it does.
    package let action: Action
    /// Its content: RFC 8785.
    package let content: [UInt8]
  }

  /// Why a member keeps a value that it should not have.
  package enum Obstacle: String, CaseIterable, Sendable {
    /// Notes are only ever appended.
    case appendedNotes = "appended-notes"
    /// A default was set; it has its value again, but is no default any more.
    case defaultSet = "default-set"
    /// A completed task cannot become one that is not.
    case firstCompletion = "first-completion"
    /// A todo that has a deadline cannot lose it.
    case firstDeadline = "first-deadline"
    /// A member that the protocol does not name can get another value, but cannot go away.
    case firstValue = "first-value"
    /// No action writes the member.
    case noAction = "no-action"
    /// A todo that was made cannot be removed.
    case todoAdded = "todo-added"
    /// A completed todo stays; a new one with the same texts takes its place.
    case todoReplaced = "todo-replaced"
    /// What would have to be written is larger than a node.
    case tooLarge = "too-large"
  }

  /// What cannot be brought back.
  package struct Lost: Sendable {
    /// The member, its value after the steps, and the value that it should have.
    package let change: DocumentChange
    /// Why.
    package let obstacle: Obstacle
    /// The todo that takes the place of the one that the member belongs to; `nil` without one.
    package let instead: TaskID?

    /// Whether a value is lost, and not only whether it is a default.
    package var isValue: Bool { obstacle != .defaultSet }
  }

  /// The task.
  package let task: TaskID
  /// What the first step follows, sorted by id.
  package let parents: [ObjectID]
  /// The heads of deleted branches that are brought back: what each of the first steps follows beside the living heads,
  /// which can be more than one node has parents.
  package let revived: [[ObjectID]]
  /// The state before the steps, as people see it; `nil` when the task is deleted.
  package let before: TaskState?
  /// The state after the steps.
  package private(set) var after: TaskState?
  /// The new nodes, each upon the one before; none when there is nothing to do.
  package private(set) var steps: [Step] = []
  /// What they cannot bring back.
  package private(set) var lost: [Lost] = []
  /// The todos that take the places of others.
  private var replacements: [TaskID: TaskID] = [:]

  /// The largest content in bytes: the rest of a node must fit beside it.
  private static var sizeLimit: Int { Node.byteLimit - 65_536 }

  /// Works out the steps.
  ///
  /// - Parameters:
  ///   - task: the task.
  ///   - before: its state as people see it; `nil` when it is deleted.
  ///   - present: the state that the steps change: the same one, or the one with the deleted branches.
  ///   - target: the wanted state; `nil` for none.
  ///   - living: the living heads, in total order.
  ///   - ended: the heads of the deleted branches that are brought back, in total order.
  init(
    of task: TaskID, _ before: TaskState?, from present: TaskState?, to target: TaskState?,
    living: [ObjectID], ended: [ObjectID]
  ) {
    self.task = task
    self.before = before
    revived = Self.parts(ended, isAlone: living.isEmpty)
    let first = revived.first ?? []
    parents = (living.suffix(Node.parentLimit - first.count) + first).sorted()
    after = present
    guard let target else {
      if present != nil {
        // Each ends as many branches as it can have parents.
        let count = (living.count + Node.parentLimit - 1) / Node.parentLimit
        steps = [Step](
          repeating: Step(action: .delete, content: Array("{}".utf8)), count: max(count, 1))
      }
      after = nil
      return
    }
    if after != nil {
      for _ in revived.dropFirst() { update([(key: .title, value: target.value(.title) ?? [])]) }
      restoreMembers(target)
      for todo in target.todos.items { restore(todo, target) }
    }
    if !revived.isEmpty, steps.isEmpty {
      // Something has to be written to bring it back.
      update([(key: .title, value: target.value(.title) ?? [])])
    }
    listLost(target)
  }

  /// What each step brings back: beside it there is room for the step before it, or for a living head.
  private static func parts(_ ended: [ObjectID], isAlone: Bool) -> [[ObjectID]] {
    var parts: [[ObjectID]] = []
    var rest = ended[...]
    while !rest.isEmpty {
      let part = rest.suffix(parts.isEmpty && isAlone ? Node.parentLimit : Node.parentLimit - 1)
      parts.append(Array(part))
      rest = rest.dropLast(part.count)
    }
    return parts
  }

  // MARK: The task

  private mutating func restoreMembers(_ target: TaskState) {
    var members: [(key: FieldKey, value: [UInt8])] = []
    let keys: [FieldKey] =
      [.description, .frequencyDays, .priority, .privacy, .storyPoints, .title]
      + target.otherMembers.map { .other($0.name) }
    for key in keys where !key.isNoContent {
      // A branch that comes back later may have another title.
      let isOpen = key == .title && revived.count > 1
      guard let value = target.value(key), isOpen || value != after?.value(key) else { continue }
      members.append((key, value))
    }
    update(members)
    if target.isArchived != after?.isArchived {
      after?.isArchived = target.isArchived
      steps.append(
        Step(action: target.isArchived ? .archive : .unarchive, content: Array("{}".utf8)))
    }
    if let value = target.value(.completedAt), value != after?.value(.completedAt) {
      after?.set(.completedAt, to: value)
      steps.append(
        Step(
          action: .complete,
          content: ContentText.object([(FieldKey.completedAt.memberName, value)])))
    }
  }

  /// Adds UPDATEs: as few as hold the members.
  private mutating func update(_ members: [(key: FieldKey, value: [UInt8])]) {
    var parts: [[(name: [UInt8], value: [UInt8])]] = []
    var size = Int.max
    for (key, value) in members {
      after?.set(key, to: value)
      let own = key.memberName.count + value.count + 4
      if size == .max || size + own > Self.sizeLimit {
        parts.append([])
        size = 0
      }
      parts[parts.count - 1].append((key.memberName, value))
      size += own
    }
    for part in parts { steps.append(Step(action: .update, content: ContentText.object(part))) }
  }

  // MARK: Todos

  private mutating func restore(_ todo: TodoState, _ target: TaskState) {
    guard let present = self.todo(todo.id) else {
      guard make(todo.id, like: todo) else { return }
      return complete(todo.id, todo.completed)
    }
    guard todo.completed == nil, present.completed != nil else {
      move(todo.id, to: todo.deadline)
      return complete(todo.id, todo.completed)
    }
    // The first in the chain of replacements that is pending, or has not been made.
    var id = TaskID(replacing: todo.id, of: task)
    while self.todo(id)?.completed != nil { id = TaskID(replacing: id, of: task) }
    if self.todo(id) != nil {
      // One that is wanted for itself stays as it is.
      if target.todos.place(of: id) == nil { move(id, to: todo.deadline) }
    } else if !make(id, like: todo) {
      return
    }
    replacements[todo.id] = id
  }

  private func todo(_ id: TaskID) -> TodoState? {
    after.flatMap { state in state.todos.place(of: id).map { state.todos.items[$0] } }
  }

  private mutating func change(_ id: TaskID, _ body: (inout TodoState) -> Void) {
    guard let place = after?.todos.place(of: id) else { return }
    after?.todos.update(place, body)
  }

  /// Makes a pending todo with the texts of another; whether they fit into a node.
  private mutating func make(_ id: TaskID, like todo: TodoState) -> Bool {
    var members = todo.otherMembers
    if let deadline = todo.deadline { members.append((FieldKey.deadline.memberName, deadline)) }
    if !todo.notes.isEmpty {
      members.append((FieldKey.notes.memberName, todo.value(.notes) ?? []))
    }
    members.append((Array("todoTaskId".utf8), Array("\"\(id.text)\"".utf8)))
    let content = ContentText.object(members)
    guard content.count <= Self.sizeLimit else { return false }
    var made = TodoState(id: id, created: [])
    for (name, value) in todo.otherMembers { made.set(.other(name), to: value) }
    if let deadline = todo.deadline { made.set(.deadline, to: deadline) }
    made.appendNotes(todo.notes)
    after?.todos.append(made)
    steps.append(Step(action: .createTodo, content: content))
    return true
  }

  private mutating func complete(_ id: TaskID, _ completed: [UInt8]?) {
    guard let completed, completed != todo(id)?.completed else { return }
    change(id) { $0.completed = completed }
    steps.append(
      Step(action: .completeTodo, content: ContentText.object(("completed", completed), todo: id)))
  }

  private mutating func move(_ id: TaskID, to deadline: [UInt8]?) {
    guard let deadline, deadline != todo(id)?.deadline else { return }
    change(id) { $0.deadline = deadline }
    steps.append(
      Step(action: .snooze, content: ContentText.object(("newDeadline", deadline), todo: id)))
  }

  // MARK: What cannot be brought back

  private mutating func listLost(_ target: TaskState) {
    let made = Set(replacements.values)
    for change in TaskDifference(task, after, target)?.changes ?? [] {
      let name = change.path
      if change.todo == nil, name.elementsEqual("/lastUpdated".utf8) { continue }
      // What takes the place of another todo is told beside that one.
      if let todo = change.todo, made.contains(todo), name.isEmpty { continue }
      lost.append(
        Lost(
          change: change, obstacle: obstacle(change),
          instead: change.todo.flatMap { replacements[$0] }))
    }
    for todo in target.todos.items {
      guard let instead = replacements[todo.id], let new = self.todo(instead),
        target.todos.place(of: instead) == nil
      else { continue }
      for member in Set(new.stateMembers + todo.stateMembers).map(\.key) where member != .created {
        let (path, now) = (
          StateMember(todo: instead, key: member).path,
          StateMember(todo: instead, key: member).value(in: after)
        )
        let then = StateMember(todo: todo.id, key: member).value(in: target)
        guard now != then else { continue }
        let change = DocumentChange(todo: instead, path: path, old: now, new: then)
        lost.append(Lost(change: change, obstacle: obstacle(change), instead: nil))
      }
    }
  }

  /// Why a member still differs.
  private func obstacle(_ change: DocumentChange) -> Obstacle {
    func isAt(_ path: StaticString) -> Bool { change.path.span.elementsEqual(path) }
    guard let todo = change.todo else {
      if isAt("/completedAt") { return .firstCompletion }
      if isAt("/defaulted") { return .defaultSet }
      return change.path.starts(with: "/fields/".utf8) && change.new == nil
        ? .firstValue : .noAction
    }
    if replacements[todo] != nil { return .todoReplaced }
    if change.path.isEmpty { return change.new == nil ? .todoAdded : .tooLarge }
    if isAt("/completed") { return .tooLarge }
    if isAt("/deadline"), change.new == nil { return .firstDeadline }
    if isAt("/notes"), let old = change.old, let new = change.new,
      old.starts(with: new.dropLast())
    {
      return .appendedNotes
    }
    return .noAction
  }
}

/// Contents of new nodes, put together from values as they stand in states.
enum ContentText {
  /// An object: names as RFC 8785 writes them, without quotes, and values, in any order.
  static func object(_ members: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      let sorted = members.map { (MemberName(escaped: $0.name), $0) }.sorted { $0.0 < $1.0 }
      for (_, member) in sorted {
        json.name(escaped: member.name)
        json.value(json: member.value)
      }
    }
    return json.bytes
  }

  /// An object about a todo; the name of the member comes before `todoTaskId`.
  static func object(_ member: (StaticString, [UInt8]), todo: TaskID) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.add(member.0, json: member.1)
      json.add("todoTaskId", todo.text)
    }
    return json.bytes
  }
}
