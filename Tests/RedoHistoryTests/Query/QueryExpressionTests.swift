// Conditions: what they mean, what is refused and where, and random ones against a second evaluator.

import RedoHistory
import RedoObject
import Testing

@Suite("Conditions of questions")
struct QueryExpressionTests {
  private static func times(_ text: String) -> ClosedRange<WallTime>? {
    if let (time, _) = WallTime.parse(Array(text.utf8).span) { return time...time }
    guard let (day, _) = WallTime.parse(Array("\(text)T00:00:00Z".utf8).span) else { return nil }
    return day...WallTime(milliseconds: day.milliseconds + 86_399_999)
  }

  private func tasks(_ text: String) throws -> String {
    let expression = try QueryExpression(text, of: .tasks, times: Self.times)
    return QueryFixture.log.states.sorted { $0.key < $1.key }
      .filter { expression.holds(for: QueryItem($0.value, at: QueryFixture.now)) }
      .map { "\($0.key)" }.joined()
  }

  private func todos(_ text: String) throws -> String {
    let expression = try QueryExpression(text, of: .todos, times: Self.times)
    return QueryFixture.log.states.sorted { $0.key < $1.key }
      .flatMap { state in
        state.value.todos.items.filter {
          expression.holds(for: QueryItem($0, of: state.value, at: QueryFixture.now))
        }
      }
      .map { String($0.id.text.suffix(1)) }.joined()
  }

  @Test("questions about tasks")
  func ofTasks() throws {
    #expect(try tasks("priority >= 4") == "12")
    #expect(try tasks("storyPoints<=2") == "1345")
    #expect(try tasks("storyPoints>=5") == "2")
    #expect(try tasks("archived") == "4")
    #expect(try tasks("not archived and hasPendingTodos") == "125")
    #expect(try tasks("isOverdue") == "2")
    #expect(try tasks("isRecurring = true") == "1")
    #expect(try tasks("isRecurring != true") == "2345")
    #expect(try tasks("urgencyStatus = 'none'") == "34")
    #expect(try tasks("urgencyStatus = 'medium'") == "25")
    // U of task 1, 5.25 days before its deadline: 1 + 10 / (1 + e^2.1) = 2.090968.
    #expect(try tasks("urgency > 2.0909 and urgency < 2.0910") == "1")
    #expect(try tasks("urgency = null") == "34")
    #expect(try tasks("urgency != null") == "125")
    #expect(try tasks("rank > 17 and rank < 18") == "5")
    #expect(try tasks("title ~ 'THE'") == "123")
    #expect(try tasks("title !~ 'the'") == "45")
    #expect(try tasks("title = \"Read\"") == "5")
    #expect(try tasks("description = 'Two chapters'") == "5")
    #expect(try tasks("completionRate = 1") == "3")
    #expect(try tasks("pendingTodos >= 2 or todos = 0") == "45")
    #expect(try tasks("completedTodos = todos") == "34")
    #expect(try tasks("guid ~ '0003'") == "3")
    #expect(try tasks("userId ~ '5a5a'") == "12345")
  }

  @Test("times are compared as instants, a date alone is its whole day")
  func ofTimes() throws {
    #expect(try tasks("currentDeadline < '2025-03-10T18:00:00Z'") == "2")
    #expect(try tasks("deadline <= '2025-03-10T18:00:00Z'") == "25")
    #expect(try tasks("deadline <= '2025-03-10'") == "25")
    #expect(try tasks("deadline < '2025-03-10'") == "2")
    #expect(try tasks("deadline > '2025-03-10'") == "1")
    #expect(try tasks("deadline >= '2025-03-10'") == "15")
    #expect(try tasks("deadline = '2025-03-10'") == "5")
    #expect(try tasks("deadline != '2025-03-10'") == "1234")
    #expect(try tasks("created = '2025-03-02'") == "34")
    #expect(try tasks("lastUpdated = '2025-03-02T12:00:00.000Z'") == "4")
    #expect(try tasks("lastUpdated > created") == "4")
    #expect(try tasks("completedAt = null") == "12345")
    // Of two times that are not there nothing holds but the negation.
    #expect(try tasks("completedAt = lastUpdated") == "")
    #expect(try tasks("not (completedAt <= lastUpdated)") == "12345")
  }

  @Test("members that the protocol does not name")
  func ofFields() throws {
    #expect(try tasks("fields.room = 'Küche'") == "1")
    #expect(try tasks("fields.room ~ 'KÜ'") == "1")
    #expect(try tasks("fields.size >= 3") == "1")
    #expect(try tasks("fields.size = '3'") == "")
    #expect(try tasks("fields.'odd \"name'") == "1")
    #expect(try tasks("fields.\"odd \\\"name\" = true") == "1")
    #expect(try tasks("fields.tags = null") == "2345")
    #expect(try tasks("fields.tags = fields.tags") == "")
    #expect(try tasks("fields.nothing < 1 or fields.nothing > 0") == "")
  }

  @Test("questions about todos")
  func ofTodos() throws {
    #expect(try todos("isPending") == "2378")
    #expect(try todos("isCompleted and task.priority = 3") == "456")
    #expect(try todos("isOverdue") == "3")
    #expect(try todos("notes ~ 'cactus'") == "2")
    #expect(try todos("completed >= '2025-03-09'") == "456")
    #expect(try todos("completed > deadline") == "1")
    #expect(try todos("completionDays > 7.9") == "6")
    #expect(try todos("task.fields.size = 3") == "12")
    #expect(try todos("rank = 0") == "14567")
    #expect(try todos("redoParentGuid ~ '0005' and deadline = null") == "7")
    #expect(try todos("title = null") == "12345678")
  }

  @Test("searches: whatever the case, in ASCII and beyond, never past the end")
  func search() {
    func numbers(_ text: String) -> String {
      let search = QuerySearch(text)
      return QueryFixture.log.states.sorted { $0.key < $1.key }
        .filter { search.matches($0.value) }.map { "\($0.key)" }.joined()
    }
    #expect(numbers("THE") == "123")
    #expect(numbers("cactus") == "1")
    #expect(numbers("two CHAP") == "5")
    #expect(numbers("read") == "5" && numbers("reads") == "")
    #expect(numbers("Küche") == "")
    #expect(numbers("") == "12345")
    #expect(numbers(String(repeating: "x", count: 100)) == "")
    // The kelvin sign is a k, and letters that only look like one are not.
    #expect(numbers("Not The Cactus") == "1" && numbers("\u{212A}") == numbers("k"))
    #expect(numbers("@") == "" && numbers("`") == "")
  }

  @Test("'not' binds most, then 'and', then 'or'; blanks do not matter")
  func precedence() throws {
    #expect(try tasks("archived or isOverdue and priority = 1") == "4")
    #expect(try tasks("(archived or isOverdue) and priority = 1") == "4")
    #expect(try tasks("archived or isOverdue and priority = 5") == "24")
    #expect(try tasks("(archived or isOverdue) and priority = 5") == "2")
    #expect(try tasks("not archived and isOverdue") == "2")
    #expect(try tasks("not (archived and isOverdue)") == "12345")
    #expect(try tasks("not not archived") == "4")
    #expect(try tasks("\t not(((archived)))\n") == "1235")
    #expect(try tasks("priority=-1 or priority=5e0 or priority=1.0") == "24")
  }

  @Test(
    "what is wrong is said with its place",
    arguments: [
      ("", "a condition is expected at the end", 1),
      ("  ", "a condition is expected at the end", 3),
      ("priority >", "a value is expected after '>'", 11),
      ("priority", "'priority' is a number: a comparison is expected", 9),
      ("foo = 1", "'foo' is no property", 1),
      ("Priority = 1", "'Priority' is no property", 1),
      ("fields. = 1", "'fields.' is no property", 1),
      ("priority = 'high'", "'priority' is a number, not a text", 12),
      ("priority = title", "'priority' is a number, not a text", 12),
      ("title = 3", "'title' is a text, not a number", 9),
      ("title = \"ü\" and ü", "'ü' has no meaning here", 17),
      ("title < true", "'title' is a text, not true or false", 9),
      ("archived < true", "true or false is compared by '=' and '!=' only", 12),
      ("priority < null", "null is compared by '=' and '!=' only", 12),
      ("created > 'yesterday'", "'yesterday' is no time", 11),
      ("priority ~ 3", "'priority' is a number: '~' is about texts", 12),
      ("fields.a ~ 3", "'~' is about texts, not a number", 12),
      ("archived archived", "'and', 'or' or the end is expected, not 'archived'", 10),
      ("archived and", "a condition is expected at the end", 13),
      ("and archived", "'and' is no property", 1),
      ("(archived", "'(' is not closed", 1),
      ("archived)", "')' has no '('", 9),
      ("()", "a property is expected, not ')'", 2),
      ("title = 'a", "the quote is not closed", 9),
      ("title = 'a\\n'", "a backslash stands before a quote or a backslash only", 11),
      ("priority = 1.", "'1.' is no number; texts and dates stand in quotes", 12),
      ("created > 2025-03-01", "'2025-03-01' is no number; texts and dates stand in quotes", 11),
      ("priority = --1", "'--1' is no number; texts and dates stand in quotes", 12),
      ("priority = 1e999", "'1e999' is no number; texts and dates stand in quotes", 12),
      ("priority ! 1", "'!' has no meaning here", 10),
      ("3 = priority", "a property is expected, not '3'", 1),
      ("task.priority = 3", "'task.priority' is no property", 1),
      ("priority = 3; archived", "';' has no meaning here", 13),
    ])
  func refused(text: String, problem: String, character: Int) {
    #expect(throws: (any Error).self) { try tasks(text) }
    do throws(QuerySyntaxError) {
      _ = try QueryExpression(text, of: .tasks, times: Self.times)
    } catch {
      #expect(error.problem == problem, "\(text)")
      #expect(error.character == character, "\(text)")
    }
  }

  @Test("depth and length have limits, and nothing recurses")
  func limits() throws {
    let depth = QueryExpression.depthLimit
    let nested = { (count: Int) in
      String(repeating: "(", count: count) + "archived" + String(repeating: ")", count: count)
    }
    #expect(try tasks(nested(depth)) == "4")
    #expect(throws: QuerySyntaxError.self) { try tasks(nested(depth + 1)) }
    #expect(throws: QuerySyntaxError.self) { try tasks(nested(20_000)) }
    let negations = String(repeating: "not ", count: depth)
    #expect(try tasks(negations + "archived") == "4")
    #expect(throws: QuerySyntaxError.self) { try tasks("not \(negations)archived") }
    // A chain is not deep, however long.
    let chain = Array(repeating: "archived", count: 4000).joined(separator: " or ")
    #expect(try tasks(chain) == "4")
    #expect(throws: QuerySyntaxError.self) { try tasks(chain + " or " + chain) }
  }

  // MARK: Random conditions

  /// A condition as a tree: the second evaluator, which recurses.
  private indirect enum Tree {
    case leaf(String, (Facts) -> Bool)
    case not(Tree)
    case both(Tree, Tree)
    case either(Tree, Tree)

    func holds(_ facts: Facts) -> Bool {
      switch self {
      case .leaf(_, let test): test(facts)
      case .not(let tree): !tree.holds(facts)
      case .both(let left, let right): left.holds(facts) && right.holds(facts)
      case .either(let left, let right): left.holds(facts) || right.holds(facts)
      }
    }

    /// Its text, with no more parentheses than needed, except for some random ones.
    func text(_ strength: Int, _ random: inout some RandomNumberGenerator) -> String {
      let (own, text): (Int, String)
      switch self {
      case .leaf(let leaf, _): (own, text) = (4, leaf)
      case .not(let tree): (own, text) = (3, "not " + tree.text(3, &random))
      case .both(let left, let right):
        (own, text) = (2, left.text(2, &random) + " and " + right.text(2, &random))
      case .either(let left, let right):
        (own, text) = (1, left.text(1, &random) + " or  " + right.text(1, &random))
      }
      return own < strength || Int.random(in: 0..<8, using: &random) == 0 ? "( \(text))" : text
    }
  }

  /// What the table of the fixture says about a task.
  private struct Facts {
    let priority: Int
    let points: Int
    let isArchived: Bool
    let title: String
    let dueDay: Int?
  }

  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      // SplitMix64.
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  private static func leaf(_ dice: inout Dice) -> Tree {
    let number = Int.random(in: 0...6, using: &dice)
    let pairs: [(String, (Int, Int) -> Bool)] = [
      ("=", { $0 == $1 }), ("!=", { $0 != $1 }), ("<", { $0 < $1 }), ("<=", { $0 <= $1 }),
      (">", { $0 > $1 }), (">=", { $0 >= $1 }),
    ]
    let (sign, test) = pairs[Int.random(in: 0..<6, using: &dice)]
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: return .leaf("priority\(sign)\(number)") { test($0.priority, number) }
    case 1: return .leaf("storyPoints \(sign) \(number)") { test($0.points, number) }
    case 2: return .leaf("archived") { $0.isArchived }
    case 3:
      let letter = ["a", "R", "the", "z"][number % 4]
      return .leaf("title ~ '\(letter)'") { $0.title.lowercased().contains(letter.lowercased()) }
    case 4:
      let day = number + 8
      return .leaf("deadline \(sign) \"2025-03-\(day < 10 ? "0" : "")\(day)\"") { facts in
        facts.dueDay.map { test($0, day) } ?? (sign == "!=")
      }
    default: return .leaf("priority \(sign) storyPoints") { test($0.priority, $0.points) }
    }
  }

  private static func tree(_ depth: Int, _ dice: inout Dice) -> Tree {
    switch depth == 0 ? 0 : Int.random(in: 0..<5, using: &dice) {
    case 1: .not(tree(depth - 1, &dice))
    case 2, 3: .both(tree(depth - 1, &dice), tree(depth - 1, &dice))
    case 4: .either(tree(depth - 1, &dice), tree(depth - 1, &dice))
    default: leaf(&dice)
    }
  }

  @Test("random conditions mean what a second evaluator says", arguments: 1...8)
  func random(seed: Int) throws {
    let facts = [
      1: Facts(priority: 4, points: 2, isArchived: false, title: "Water the plants", dueDay: 15),
      2: Facts(priority: 5, points: 5, isArchived: false, title: "Pay the rent", dueDay: 9),
      3: Facts(priority: 3, points: 1, isArchived: false, title: "Call grandmother", dueDay: nil),
      4: Facts(priority: 1, points: 1, isArchived: true, title: "Old idea", dueDay: nil),
      5: Facts(priority: 3, points: 1, isArchived: false, title: "Read", dueDay: 10),
    ]
    let states = QueryFixture.log.states
    var dice = Dice(state: UInt64(seed))
    var counts = [0, 0]
    for _ in 0..<400 {
      let tree = Self.tree(6, &dice)
      let text = tree.text(1, &dice)
      let expression = try QueryExpression(text, of: .tasks, times: Self.times)
      for (number, state) in states {
        let expected = try tree.holds(#require(facts[number]))
        let found = expression.holds(for: QueryItem(state, at: QueryFixture.now))
        #expect(found == expected, "seed \(seed), task \(number): \(text)")
        counts[found ? 1 : 0] += 1
      }
    }
    // Both answers come up.
    #expect(counts.allSatisfy { $0 > 200 })
  }
}
