// What the questions about completions ask of a task: a few numbers, so that a whole store's fit in memory.

package import RedoObject

/// The completions of one task.
package struct CompletionFacts: Sendable {
  /// A todo.
  package struct Todo: Sendable {
    /// When it was made.
    package let created: WallTime
    /// When it was completed; `nil` when it is pending.
    package let completed: WallTime?
  }

  /// The priority of the task.
  package let priority: Double
  /// The weight of each of its todos.
  package let storyPoints: Double
  /// Its todos.
  package let todos: [Todo]

  /// The facts of a task.
  package init(_ task: TaskState) {
    priority = task.priorityNumber
    storyPoints = task.storyPointsNumber
    todos = task.todos.items.compactMap { todo in
      todo.creation.map { Todo(created: $0, completed: todo.completion) }
    }
  }

  /// How many todos are completed.
  package var completedCount: Int { todos.count { $0.completed != nil } }
}

/// How many of some todos are completed (questions 48 and 52).
package struct CompletionRate: Equatable, Sendable {
  /// The number of todos.
  package private(set) var todos = 0
  /// How many of them are completed.
  package private(set) var completed = 0

  /// The rate of no todos.
  package init() {}

  /// The rate of the todos of some tasks.
  package init(_ tasks: some Sequence<CompletionFacts>) {
    for task in tasks { add(task) }
  }

  /// Adds the todos of a task.
  private mutating func add(_ task: CompletionFacts) {
    todos += task.todos.count
    completed += task.completedCount
  }

  /// The completed share, from 0 to 1; 0 without todos.
  package var value: Double { todos == 0 ? 0 : Double(completed) / Double(todos) }

  /// The rates by priority.
  ///
  /// - Parameters:
  ///   - tasks: the tasks.
  ///   - isLiteral: whether other priorities are left out, as in the source document.
  /// - Returns: those of the priorities 1 to 5, and of any other that tasks have, upwards.
  package static func byPriority(
    _ tasks: [CompletionFacts], isLiteral: Bool
  ) -> [(priority: Double, rate: CompletionRate)] {
    var rates: [Double: CompletionRate] = [:]
    for priority in 1...5 { rates[Double(priority)] = CompletionRate() }
    for task in tasks {
      if isLiteral, rates[task.priority] == nil { continue }
      rates[task.priority, default: CompletionRate()].add(task)
    }
    return rates.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// How long todos take from their making to their completion (question 49).
package struct CompletionTime: Equatable, Sendable {
  /// How many todos are completed.
  package let completed: Int
  /// The mean in days of 86,400 seconds; 0 when no todo is completed.
  package let averageDays: Double

  /// The time that the todos of some tasks take.
  package init(_ tasks: [CompletionFacts]) {
    var count = 0
    // Whole milliseconds in a double keep the sum exact whatever the order, below 2^53.
    var sum = 0.0
    for task in tasks {
      for todo in task.todos {
        guard let completed = todo.completed else { continue }
        count += 1
        sum += Double(completed.milliseconds - todo.created.milliseconds)
      }
    }
    completed = count
    averageDays = count == 0 ? 0 : sum / Double(count) / 86_400_000
  }
}
