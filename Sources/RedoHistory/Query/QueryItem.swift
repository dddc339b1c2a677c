// A row of a question: a task, or one of its todos, at a moment.

internal import CanonicalJSON
package import RedoObject

/// A task or a todo in a question.
package struct QueryItem: Sendable {
  /// The task.
  package let task: TaskState
  /// The todo; `nil` when the question is about the task itself.
  package let todo: TodoState?
  /// The moment to which overdue, urgency and rank refer.
  package let moment: WallTime
  /// The fields of a record that are asked about.
  private let record: [ByteText: QueryValue]

  /// A task at a moment.
  ///
  /// - Parameters:
  ///   - task: the task.
  ///   - moment: the moment.
  ///   - record: the fields of a record that are asked about, as `RecordQuestions.values(of:_:)` gives them.
  package init(_ task: TaskState, at moment: WallTime, record: [ByteText: QueryValue] = [:]) {
    self.record = record
    self.task = task
    todo = nil
    self.moment = moment
  }

  /// A todo of a task at a moment.
  ///
  /// - Parameters:
  ///   - todo: the todo.
  ///   - task: its task.
  ///   - moment: the moment.
  ///   - record: the fields of the task, as for a task.
  package init(
    _ todo: TodoState, of task: TaskState, at moment: WallTime, record: [ByteText: QueryValue] = [:]
  ) {
    self.record = record
    self.task = task
    self.todo = todo
    self.moment = moment
  }

  /// The value of a property; a todo's properties are missing when the question is about the task itself.
  package func value(of property: QueryProperty) -> QueryValue {
    switch property {
    case .task(let property): return value(of: property)
    case .todo(let property): return todo.map { value(of: property, $0) } ?? .missing
    case .taskField(let name): return QueryValue(json: task.value(.other(name)))
    case .record(let name): return record[name] ?? .missing
    case .todoField(let name): return QueryValue(json: todo?.value(.other(name)))
    }
  }

  private func value(of property: TaskProperty) -> QueryValue {
    switch property {
    case .archived: .truth(task.isArchived)
    case .completedAt: task.completion.map(QueryValue.time) ?? .missing
    case .completedTodos: .number(Double(task.completedTodoCount))
    case .completionRate: .number(task.completionRate)
    case .created: QueryValue(time: task.created)
    case .currentDeadline: task.currentTodo?.due.map(QueryValue.time) ?? .missing
    case .description: QueryValue(json: task.value(.description))
    case .frequencyDays: QueryValue(json: task.value(.frequencyDays))
    case .guid: .text(Array(task.id.text.utf8))
    case .hasPendingTodos: .truth(task.hasPendingTodos)
    case .isOverdue: .truth(task.isOverdue(at: moment))
    case .isRecurring: .truth(task.isRecurring)
    case .lastUpdated: QueryValue(time: task.lastUpdated)
    case .pendingTodos: .number(Double(task.todos.items.count - task.completedTodoCount))
    case .priority: .number(task.priorityNumber)
    case .privacy: QueryValue(json: task.value(.privacy))
    case .rank: .number(task.rank(at: moment))
    case .storyPoints: .number(task.storyPointsNumber)
    case .title: QueryValue(json: task.value(.title))
    case .todos: .number(Double(task.todos.items.count))
    case .urgency: task.urgency(at: moment).value.map(QueryValue.number) ?? .missing
    case .urgencyStatus: .text(Array(task.urgency(at: moment).level.rawValue.utf8))
    case .userId: .text(Array(task.author.text.utf8))
    }
  }

  private func value(of property: TodoProperty, _ todo: TodoState) -> QueryValue {
    switch property {
    case .completed: todo.completion.map(QueryValue.time) ?? .missing
    case .completionDays: todo.completionDays.map(QueryValue.number) ?? .missing
    case .created: QueryValue(time: todo.created)
    case .deadline: todo.due.map(QueryValue.time) ?? .missing
    case .guid: .text(Array(todo.id.text.utf8))
    case .isCompleted: .truth(!todo.isPending)
    case .isOverdue: .truth(todo.isOverdue(at: moment))
    case .isPending: .truth(todo.isPending)
    case .notes: .text(StringEscape.unescape(todo.notes.span))
    case .rank:
      .number(
        todo.urgency(at: moment)
          .rank(priority: task.priorityNumber, storyPoints: task.storyPointsNumber))
    case .redoParentGuid: .text(Array(task.id.text.utf8))
    case .title: QueryValue(json: todo.value(.other(Array("title".utf8))))
    case .urgency: todo.urgency(at: moment).value.map(QueryValue.number) ?? .missing
    case .urgencyStatus: .text(Array(todo.urgency(at: moment).level.rawValue.utf8))
    }
  }
}

extension TaskState {
  /// How many of its todos are completed.
  package var completedTodoCount: Int { todos.items.count { !$0.isPending } }

  /// The completed share of its todos, from 0 to 1; 0 without todos.
  package var completionRate: Double {
    todos.items.isEmpty ? 0 : Double(completedTodoCount) / Double(todos.items.count)
  }

  /// Whether some todo of it is pending.
  package var hasPendingTodos: Bool { todos.items.contains(where: \.isPending) }

  /// Whether some pending todo of it was due before a moment.
  package func isOverdue(at moment: WallTime) -> Bool {
    todos.items.contains { $0.isOverdue(at: moment) }
  }

  /// Whether it comes again: its `frequencyDays` are more than 0.
  package var isRecurring: Bool { value(.frequencyDays).map(FieldText.number) ?? 0 > 0 }
}

extension TodoState {
  /// Whether it is not completed.
  package var isPending: Bool { completed == nil }

  /// The instant at which it was completed; `nil` when it is pending.
  package var completion: WallTime? { completed.flatMap(FieldText.time) }

  /// Whether it is pending and was due before a moment.
  package func isOverdue(at moment: WallTime) -> Bool {
    isPending && due.map { $0 < moment } ?? false
  }

  /// The instant at which it was made.
  package var creation: WallTime? { WallTime.parse(created.span)?.time }

  /// The days of 86,400 seconds from its making to its completion; `nil` when it is pending.
  package var completionDays: Double? {
    guard let creation, let completion else { return nil }
    return Double(completion.milliseconds - creation.milliseconds) / 86_400_000
  }

  /// How urgent it is at a moment; like a task without a current todo when it is completed.
  package func urgency(at moment: WallTime) -> Urgency {
    Urgency(due: isPending ? due : nil, at: moment)
  }
}
