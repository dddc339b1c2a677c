// How much is completed, and how quickly: questions 48, 49 and 52.

internal import RedoHistory
internal import RedoRepository
internal import RedoShell

/// `redo query rate`: the completed share of the todos.
enum QueryRate: QueryQuestion {
  static let name = "rate"
  static let summary = "tell the completed share of the todos"
  static var usage: [String] { ["redo-query rate [--task=<task>]... [<options>]"] }

  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply {
    let rate = CompletionRate(facts)
    return QueryReply(rows: [
      [
        "completedTodos": .count(rate.completed), "completionRate": .number(rate.value),
        "todos": .count(rate.todos),
      ]
    ])
  }
}

/// `redo query avg-completion`: the mean time from creation to completion.
enum QueryAverageCompletion: QueryQuestion {
  static let name = "avg-completion"
  static let summary = "tell how many days todos take on average"
  static var usage: [String] { ["redo-query avg-completion [--task=<task>]... [<options>]"] }

  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply {
    let time = CompletionTime(facts)
    return QueryReply(rows: [
      ["avgCompletionDays": .number(time.averageDays), "completedTodos": .count(time.completed)]
    ])
  }
}

/// `redo query rate-by-priority`: the completed share by the priority of the task.
enum QueryRateByPriority: QueryQuestion {
  static let name = "rate-by-priority"
  static let summary = "tell the completed share of the todos by priority"
  static var usage: [String] { ["redo-query rate-by-priority [--literal] [<options>]"] }
  static var ownOptions: [OptionSpec] { [QueryWords.literal] }

  static func answer(_ facts: [CompletionFacts], _ asked: QueryAsked) -> QueryReply {
    QueryReply(
      rows: CompletionRate.byPriority(facts, isLiteral: asked.isLiteral).map { priority, rate in
        [
          "completedTodos": .count(rate.completed), "completionRate": .number(rate.value),
          "priority": .number(priority), "todos": .count(rate.todos),
        ]
      })
  }
}

extension AnswerRow: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral members: (String, AnswerValue)...) {
    self.init(members.map { (name: $0.0, value: $0.1) })
  }
}
