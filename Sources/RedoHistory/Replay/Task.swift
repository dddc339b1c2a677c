// The state of one task (protocol, section 3.1). Values are kept as RFC 8785 writes them, because they are
// copied as they are; numbers and booleans are read when they are needed.

internal import CanonicalJSON
package import RedoObject

/// The state of a task.
package struct TaskState: Sendable {
  /// Its id, `guid` in the state.
  package let id: TaskID
  /// The author of its CREATE.
  package let author: UserID
  /// The text of the wall time of its CREATE, ASCII.
  package let created: [UInt8]
  /// Whether it is archived.
  package internal(set) var isArchived = false
  /// The text of the wall time of the last change of the task itself, ASCII; `nil` without one.
  package internal(set) var lastUpdated: [UInt8]?
  /// Its todos, in the order of their creators.
  package internal(set) var todos = TodoList()

  private var title: [UInt8] = []
  private var description: [UInt8] = Array("\"\"".utf8)
  private var privacy: [UInt8] = Array("false".utf8)
  private var storyPoints: [UInt8] = [UInt8(ascii: "1")]
  private var priority: [UInt8] = [UInt8(ascii: "3")]
  private var frequencyDays: [UInt8] = [UInt8(ascii: "0")]
  private var completedAt: [UInt8]?
  private var others = OtherMembers()
  /// Which members have been set, by a bit each.
  private var written: UInt8 = 0

  init(id: TaskID, author: UserID, created: [UInt8]) {
    self.id = id
    self.author = author
    self.created = created
  }

  /// The value of a member: RFC 8785; `nil` when it has none.
  package func value(_ key: FieldKey) -> [UInt8]? {
    switch key {
    case .title: title
    case .description: description
    case .privacy: privacy
    case .storyPoints: storyPoints
    case .priority: priority
    case .frequencyDays: frequencyDays
    case .completedAt: completedAt
    case .other(let name): others[name]
    case .deadline, .completed, .notes: nil
    }
  }

  /// Sets a member, which is then no longer a default.
  mutating func set(_ key: FieldKey, to value: [UInt8]) {
    written |= Self.bit(key)
    switch key {
    case .title: title = value
    case .description: description = value
    case .privacy: privacy = value
    case .storyPoints: storyPoints = value
    case .priority: priority = value
    case .frequencyDays: frequencyDays = value
    case .completedAt: completedAt = value
    case .other(let name): others[name] = value
    case .deadline, .completed, .notes: break
    }
  }

  /// Takes a member away again that has no default.
  mutating func clear(_ key: FieldKey) {
    switch key {
    case .completedAt: completedAt = nil
    case .other(let name): others[name] = nil
    case .title, .description, .privacy, .storyPoints, .priority, .frequencyDays, .deadline,
      .completed, .notes:
      break
    }
  }

  /// Whether a member still has the default that was taken at its CREATE.
  package func isDefaulted(_ key: FieldKey) -> Bool { written & Self.bit(key) == 0 }

  /// The members that the protocol does not name, in no order.
  var unsortedMembers: [[UInt8]: [UInt8]] { others.values }

  /// The members that the protocol does not name, sorted by name: names without quotes, and values.
  package var otherMembers: [(name: [UInt8], value: [UInt8])] { others.sorted }

  /// Its priority.
  package var priorityNumber: Double { FieldText.number(priority) }
  /// Its story points.
  package var storyPointsNumber: Double { FieldText.number(storyPoints) }
  /// When it was completed; `nil` when it was not.
  package var completion: WallTime? { completedAt.flatMap(FieldText.time) }

  /// The current todo: the pending one that was made last.
  package var currentTodo: TodoState? { todos.items.last { $0.completed == nil } }

  private static func bit(_ key: FieldKey) -> UInt8 {
    switch key {
    case .description: 1
    case .frequencyDays: 2
    case .priority: 4
    case .privacy: 8
    case .storyPoints: 16
    default: 0
    }
  }
}

/// Members that the protocol does not name.
struct OtherMembers: Sendable {
  private(set) var values: [[UInt8]: [UInt8]] = [:]

  subscript(name: [UInt8]) -> [UInt8]? {
    get { values[name] }
    set { values[name] = newValue }
  }

  var isEmpty: Bool { values.isEmpty }

  /// The members in the order of RFC 8785.
  var sorted: [(name: [UInt8], value: [UInt8])] {
    values.map { (MemberName(escaped: $0.key), $0.key, $0.value) }.sorted { $0.0 < $1.0 }
      .map { ($0.1, $0.2) }
  }
}
