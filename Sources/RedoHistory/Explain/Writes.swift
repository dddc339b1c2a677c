// What a node says of the members of its task, by its content alone.

internal import RedoObject

/// What a node says of one member.
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
  /// Whether it stands in a MERGE that was made by itself.
  var isAutomatic = false

  init(_ todo: TaskID?, _ key: StateMember.Key, _ value: [UInt8]? = nil) {
    member = StateMember(todo: todo, key: key)
    self.value = value
  }
}

extension Replay {
  /// What a node says of the members of its task; nothing of a broken node.
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
      reader.forEachMember(of: reader.content) { name, value in
        writes.append(ContentWrite(nil, .field(FieldKey(ofTask: name)), reader.value(value)))
      }
    case .createTodo, .addTodo:
      guard let id = todoID() else { return [] }
      writes = makes(id, of: reader.content, wall) { FieldKey(ofAddedTodo: $0) }
    case .completeTodo, .snooze: writes = changes(action)
    case .complete:
      let value = reader.member("completedAt", of: reader.content).map { reader.value($0) }
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
    var todos = 0
    reader.forEachMember(of: reader.content) { name, value in
      if name.elementsEqual("todos") {
        todos = value
      } else {
        isSet.insert(FieldKey(ofTask: name))
        writes.append(ContentWrite(nil, .field(FieldKey(ofTask: name)), reader.value(value)))
      }
    }
    for key in [.archived]
      + FieldKey.defaulted.filter({ !isSet.contains($0) }).map(StateMember.Key.field)
    {
      var write = ContentWrite(nil, key)
      write.isDefault = true
      writes.append(write)
    }
    guard todos > 0 else { return writes }
    let node = log.id(at: position)
    var index = 0
    reader.forEachElement(of: todos) { element in
      let named = reader.member("todoTaskId", of: element).flatMap { reader.taskID($0) }
      let id = named ?? TaskID(ofTodo: index, in: node)
      index += 1
      writes += makes(id, of: element, wall) { FieldKey(ofTodo: $0) }
    }
    return writes
  }

  /// What is said of a todo that is made.
  private func makes(
    _ todo: TaskID, of object: Int, _ wall: [UInt8], _ key: (Span<UInt8>) -> FieldKey?
  ) -> [ContentWrite] {
    var writes = [ContentWrite(todo, .created, wall)]
    var hasNotes = false
    reader.forEachMember(of: object) { name, value in
      guard let key = key(name) else { return }
      if key == .notes { hasNotes = true }
      writes.append(ContentWrite(todo, .field(key), reader.value(value)))
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
  private func changes(_ action: Action) -> [ContentWrite] {
    guard let todo = todoID() else { return [] }
    let isSnooze = action == .snooze
    var writes: [ContentWrite] = []
    reader.forEachMember(of: reader.content) { name, token in
      if !isSnooze, name.elementsEqual("completed") {
        writes.append(ContentWrite(todo, .field(.completed), reader.value(token)))
      } else if isSnooze, name.elementsEqual("newDeadline") {
        writes.append(ContentWrite(todo, .field(.deadline), reader.value(token)))
      } else if isSnooze, name.elementsEqual("daysToExtend") || name.elementsEqual("snoozeDays") {
        var write = ContentWrite(todo, .field(.deadline))
        write.days = Int64(exactly: JSONValue.number(reader.value(token)))
        writes.append(write)
      } else if name.elementsEqual("notes"), !reader.range(token).isEmpty {
        var write = ContentWrite(todo, .field(.notes))
        write.appended = reader.value(token)
        writes.append(write)
      }
    }
    return writes
  }

  /// What a MERGE says.
  private mutating func merges(_ position: Int) -> [ContentWrite] {
    var writes: [ContentWrite] = []
    guard reader.isPayload else {
      let strategy = reader.member("conflictResolution", of: 0)
        .flatMap { reader.member("strategy", of: $0) }.flatMap { token in
          reader.isString(token) ? reader.text(token) : nil
        }
      reader.forEachMember(of: reader.content) { name, value in
        guard let key = FieldKey(ofMerged: name) else { return }
        var write = ContentWrite(nil, .field(key), reader.value(value))
        write.strategy = strategy
        write.isAutomatic = reader.isAutomatic
        writes.append(write)
      }
      return writes
    }
    let request = MergeRequest(reader)
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

  private static func quoted(_ text: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
  }
}
