// What a node says about the members of its task, judged by its content alone.

internal import CanonicalJSON
internal import RedoObject

/// What a node says about one member.
struct ContentWrite {
  let member: StateMember
  /// The value that it names; `nil` where it names none.
  var value: [UInt8]?
  /// What it appends to notes.
  var appended: [UInt8]?
  /// By how many days it moves a deadline.
  var days: Int64?
  /// Whether it is a default.
  var isDefault = false
  /// How a MERGE decided.
  var strategy: [UInt8]?
  /// Whether it is in a MERGE that was made automatically.
  var isAutomatic = false

  init(_ todo: TaskID?, _ key: StateMember.Key, _ value: [UInt8]? = nil) {
    member = StateMember(todo: todo, key: key)
    self.value = value
  }
}

extension Replay {
  /// What a node says about the members of its task; nothing for a broken node.
  ///
  /// Of a MERGE with `payload` it is what is decided, if that is known.
  mutating func writes(of position: Int) -> [ContentWrite] {
    guard !log.isBroken(at: position), let action = log.action(at: position) else { return [] }
    reader.read(position, of: log)
    let wall = Self.quoted(wallText(position))
    var writes: [ContentWrite] = []
    switch action {
    case .create: writes = creates(position, wall)
    case .update:
      var members = reader.content.members
      while let member = members.next() {
        writes.append(
          ContentWrite(nil, .field(FieldKey(ofTask: member.name.content)), member.value.bytes))
      }
    case .createTodo, .addTodo:
      guard let id = todoID() else { return [] }
      writes = makes(id, of: reader.content, wall) { FieldKey(ofAddedTodo: $0) }
    case .completeTodo, .snooze: writes = changes(action, wall)
    case .complete:
      let value = reader.content["completedAt"]?.bytes
      writes.append(ContentWrite(nil, .field(.completedAt), value))
    case .archive: writes.append(ContentWrite(nil, .archived, Array("true".utf8)))
    case .unarchive: writes.append(ContentWrite(nil, .archived, Array("false".utf8)))
    case .merge: writes = merges(position)
    case .delete: break
    }
    switch action {
    case .update, .complete, .archive, .unarchive, .merge:
      writes.append(ContentWrite(nil, .lastUpdated, wall))
    case .create, .createTodo, .addTodo, .completeTodo, .snooze, .delete: break
    }
    return writes
  }

  /// What a CREATE says, defaults included.
  private func creates(_ position: Int, _ wall: [UInt8]) -> [ContentWrite] {
    var author: [UInt8] = []
    log.author(at: position).append(to: &author)
    var writes = [
      ContentWrite(nil, .created, wall), ContentWrite(nil, .userID, Self.quoted(author)),
    ]
    var isSet: Set<FieldKey> = []
    var todos: JSONValue?
    var members = reader.content.members
    while let member = members.next() {
      let name = member.name.content
      if name.elementsEqual("todos") {
        todos = member.value
      } else {
        isSet.insert(FieldKey(ofTask: name))
        writes.append(ContentWrite(nil, .field(FieldKey(ofTask: name)), member.value.bytes))
      }
    }
    for key in [.archived]
      + FieldKey.defaulted.filter({ !isSet.contains($0) }).map(StateMember.Key.field)
    {
      var write = ContentWrite(nil, key)
      write.isDefault = true
      writes.append(write)
    }
    guard let todos else { return writes }
    let node = log.id(at: position)
    var index = 0
    var elements = todos.elements
    while let element = elements.next() {
      let named = element["todoTaskId"]?.taskID
      let id = named ?? TaskID(ofTodo: index, in: node)
      index += 1
      writes += makes(id, of: element, wall) { FieldKey(ofTodo: $0) }
    }
    return writes
  }

  /// What is said about a todo that is made.
  private func makes(
    _ todo: TaskID, of object: JSONValue, _ wall: [UInt8], _ key: (Span<UInt8>) -> FieldKey?
  ) -> [ContentWrite] {
    var writes = [ContentWrite(todo, .created, wall)]
    var hasNotes = false
    var members = object.members
    while let member = members.next() {
      guard let key = key(member.name.content) else { continue }
      if key == .notes { hasNotes = true }
      writes.append(ContentWrite(todo, .field(key), member.value.bytes))
    }
    if !hasNotes {
      var notes = ContentWrite(todo, .field(.notes))
      notes.isDefault = true
      writes.append(notes)
    }
    return writes
  }

  /// What a COMPLETE_TODO or a SNOOZE says.
  ///
  /// What the other of the two would have meant is an unknown member here, and changes nothing.
  private func changes(_ action: Action, _ wall: [UInt8]) -> [ContentWrite] {
    guard let todo = todoID() else { return [] }
    let isSnooze = action == .snooze
    var writes: [ContentWrite] = []
    if !isSnooze, reader.content["completed"] == nil {
      writes.append(ContentWrite(todo, .field(.completed), wall))
    }
    var members = reader.content.members
    while let member = members.next() {
      let name = member.name.content
      if !isSnooze, name.elementsEqual("completed") {
        writes.append(ContentWrite(todo, .field(.completed), member.value.bytes))
      } else if isSnooze, name.elementsEqual("newDeadline") {
        writes.append(ContentWrite(todo, .field(.deadline), member.value.bytes))
      } else if isSnooze, name.elementsEqual("daysToExtend") || name.elementsEqual("snoozeDays") {
        var write = ContentWrite(todo, .field(.deadline))
        write.days = Int64(exactly: FieldText.number(member.value.bytes))
        writes.append(write)
      } else if name.elementsEqual("notes"), !member.value.contentPlace.isEmpty {
        var write = ContentWrite(todo, .field(.notes))
        write.appended = member.value.bytes
        writes.append(write)
      }
    }
    return writes
  }

  /// What a MERGE says.
  private mutating func merges(_ position: Int) -> [ContentWrite] {
    var writes: [ContentWrite] = []
    guard reader.isPayload else {
      let named = reader.root["conflictResolution"]?["strategy"]
      let strategy = named?.isString == true ? named?.contentBytes : nil
      var members = reader.content.members
      while let member = members.next() {
        guard let key = FieldKey(ofMerged: member.name.content) else { continue }
        var write = ContentWrite(nil, .field(key), member.value.bytes)
        write.strategy = strategy
        write.isAutomatic = reader.isAutomatic
        writes.append(write)
      }
      return writes
    }
    let request = MergeRequest(reader.content)
    for decision in decided[position] ?? [] {
      let target = decision.target
      var write = ContentWrite(target.todo, .field(target.key), decision.value)
      let entry = request.entries.last { $0.target == target }
      let strategy = entry.map(\.strategy) ?? request.defaultStrategy
      write.strategy = strategy.map { Array($0.rawValue.utf8) }
      writes.append(write)
    }
    return writes
  }

  static func quoted(_ text: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
  }
}
