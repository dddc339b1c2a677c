// The properties of tasks and todos that questions can be asked about: the members of the state
// (protocol, section 3.1) and what follows from them at a moment.

internal import CanonicalJSON
package import RedoObject

/// The subject of a question.
package enum QuerySubject: Sendable {
  /// A row a task.
  case tasks
  /// A row a todo.
  case todos
}

/// A property of a task.
package enum TaskProperty: String, CaseIterable, Sendable {
  case archived, completedAt, completedTodos, completionRate, created, currentDeadline, description
  case frequencyDays, guid, hasPendingTodos, isOverdue, isRecurring, lastUpdated, pendingTodos
  case priority, privacy, rank, storyPoints, title, todos, urgency, urgencyStatus, userId
}

/// A property of a todo.
package enum TodoProperty: String, CaseIterable, Sendable {
  case completed, completionDays, created, deadline, guid, isCompleted, isOverdue, isPending, notes
  case rank, redoParentGuid, title, urgency, urgencyStatus
}

/// A property of a row.
package enum QueryProperty: Hashable, Sendable {
  /// One of a task: of the row, or of the task of the row's todo.
  case task(TaskProperty)
  /// One of a todo.
  case todo(TodoProperty)
  /// A member of a task's `fields`: its name as RFC 8785 escapes it.
  case taskField([UInt8])
  /// A member of a todo's `fields`.
  case todoField([UInt8])

  /// A field of a task that is a record: what people call it, or its id, as it was written; the answer depends on its schema.
  case record(ByteText)

  /// What precedes the name of a field of a record.
  package static let recordPrefix = "record."
  /// What precedes the name of a member of `fields`.
  package static let fieldPrefix = "fields."
  /// What precedes a property of the task, in a question about todos.
  package static let taskPrefix = "task."

  /// The property with a name; `nil` when there is no such property.
  ///
  /// - Parameters:
  ///   - name: the name as questions have it.
  ///   - subject: the subject of the question.
  package init?(_ name: String, of subject: QuerySubject) {
    guard subject == .todos else {
      self.init(ofTask: name)
      return
    }
    if name.hasPrefix(Self.taskPrefix) {
      self.init(ofTask: String(name.dropFirst(Self.taskPrefix.count)))
    } else if let field = Self.field(name) {
      self = .todoField(field)
    } else if let property = TodoProperty(rawValue: name) {
      self = .todo(property)
    } else {
      return nil
    }
  }

  private init?(ofTask name: String) {
    if let field = Self.field(name) {
      self = .taskField(field)
    } else if name.hasPrefix(Self.recordPrefix), name.utf8.count > Self.recordPrefix.utf8.count {
      self = .record(ByteText(String(name.dropFirst(Self.recordPrefix.count))))
    } else if let property = TaskProperty(rawValue: name == "deadline" ? "currentDeadline" : name) {
      self = .task(property)
    } else {
      return nil
    }
  }

  private static func field(_ name: String) -> [UInt8]? {
    guard name.hasPrefix(fieldPrefix), name.utf8.count > fieldPrefix.utf8.count else { return nil }
    var escaped: [UInt8] = []
    StringEscape.append(Array(name.utf8.dropFirst(fieldPrefix.utf8.count)).span, to: &escaped)
    return escaped
  }

  /// The names that a question can use, except for those of `fields` and of records.
  package static func names(of subject: QuerySubject) -> [String] {
    let ofTasks = TaskProperty.allCases.map(\.rawValue)
    switch subject {
    case .tasks: return ofTasks
    case .todos: return TodoProperty.allCases.map(\.rawValue) + ofTasks.map { taskPrefix + $0 }
    }
  }

  /// What its values are.
  package var kind: QueryValue.Kind {
    switch self {
    case .taskField, .todoField, .record: .any
    case .task(let property): property.kind
    case .todo(let property): property.kind
    }
  }
}

extension TaskProperty {
  fileprivate var kind: QueryValue.Kind {
    switch self {
    case .archived, .hasPendingTodos, .isOverdue, .isRecurring, .privacy: .truth
    case .completedAt, .created, .currentDeadline, .lastUpdated: .time
    case .completedTodos, .completionRate, .frequencyDays, .pendingTodos, .priority, .rank,
      .storyPoints, .todos, .urgency:
      .number
    case .description, .guid, .title, .urgencyStatus, .userId: .text
    }
  }
}

extension TodoProperty {
  fileprivate var kind: QueryValue.Kind {
    switch self {
    case .isCompleted, .isOverdue, .isPending: .truth
    case .completed, .created, .deadline: .time
    case .completionDays, .rank, .urgency: .number
    case .guid, .notes, .redoParentGuid, .title, .urgencyStatus: .text
    }
  }
}
