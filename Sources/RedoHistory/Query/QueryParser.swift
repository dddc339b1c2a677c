// Reads expressions by operator precedence (Dijkstra's shunting yard): a stack of what is open, no recursion.

package import RedoObject

extension QueryExpression {
  /// The longest expression, in bytes.
  package static let byteLimit = 65_536
  /// How many parentheses and negations may be open at once.
  package static let depthLimit = 256

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - text: as it was written.
  ///   - subject: the subject of the question.
  ///   - times: the instants that a text denotes; `nil` for one that is not a time.
  /// - Throws: what is wrong, and where.
  package init(
    _ text: String, of subject: QuerySubject, times: (String) -> ClosedRange<WallTime>?
  ) throws(QuerySyntaxError) {
    var parser = QueryParser(text, subject)
    steps = try parser.parse(times)
  }
}

/// Reads one expression.
struct QueryParser {
  private enum Open {
    case or, and, not, parenthesis

    /// How strongly it binds.
    var strength: Int {
      switch self {
      case .parenthesis: 0
      case .or: 1
      case .and: 2
      case .not: 3
      }
    }
  }

  private var lexer: QueryLexer
  private let subject: QuerySubject
  private let length: Int
  private var steps: [QueryExpression.Step] = []
  private var open: [(kind: Open, place: Int)] = []

  init(_ text: String, _ subject: QuerySubject) {
    lexer = QueryLexer(text)
    length = text.utf8.count
    self.subject = subject
  }

  mutating func parse(
    _ times: (String) -> ClosedRange<WallTime>?
  ) throws(QuerySyntaxError) -> [QueryExpression.Step] {
    guard length <= QueryExpression.byteLimit else {
      throw lexer.error("it is longer than \(QueryExpression.byteLimit) bytes")
    }
    var token = try lexer.next()
    while true {
      // Before each operand: any number of negations and parentheses.
      while token == .open || token == .word("not") {
        try push(token == .open ? .parenthesis : .not)
        token = try lexer.next()
      }
      token = try compare(token, times)
      while token == .close {
        unwind(to: 1)
        guard open.popLast() != nil else { throw lexer.error("')' has no '('") }
        token = try lexer.next()
      }
      switch token {
      case .end:
        unwind(to: 1)
        if let left = open.last { throw lexer.error("'(' is not closed", at: left.place) }
        return steps
      case .word("and"):
        unwind(to: 2)
        try push(.and)
      case .word("or"):
        unwind(to: 1)
        try push(.or)
      default: throw lexer.error("'and', 'or' or the end is expected, not '\(lexer.written)'")
      }
      token = try lexer.next()
    }
  }

  private mutating func push(_ kind: Open) throws(QuerySyntaxError) {
    guard open.count < QueryExpression.depthLimit else {
      throw lexer.error("more than \(QueryExpression.depthLimit) levels are open")
    }
    open.append((kind, lexer.start))
  }

  /// Ends what binds at least so strongly.
  private mutating func unwind(to strength: Int) {
    while let last = open.last, last.kind.strength >= strength {
      open.removeLast()
      switch last.kind {
      case .or: steps.append(.or)
      case .and: steps.append(.and)
      case .not: steps.append(.not)
      case .parenthesis: return
      }
    }
  }

  // MARK: Comparisons

  /// Reads a comparison, and the word after it.
  private mutating func compare(
    _ first: QueryLexer.Token, _ times: (String) -> ClosedRange<WallTime>?
  ) throws(QuerySyntaxError) -> QueryLexer.Token {
    guard case .word(let name) = first else {
      throw lexer.error(
        first == .end
          ? "a condition is expected at the end"
          : "a property is expected, not '\(lexer.written)'")
    }
    let property = try property(name)
    let token = try lexer.next()
    guard case .comparison(let comparison) = token else {
      guard property.kind == .truth || property.kind == .any else {
        throw lexer.error("'\(name)' is \(property.kind.rawValue): a comparison is expected")
      }
      steps.append(.compare(property, .equal, .value(.truth(true))))
      return token
    }
    // A separate call: the unchanged `self` would not know the place.
    let value = try lexer.next()
    let operand = try operand(value, for: property, named: name, comparison, times)
    steps.append(.compare(property, comparison, operand))
    return try lexer.next()
  }

  private func property(_ name: String) throws(QuerySyntaxError) -> QueryProperty {
    if let found = QueryProperty(name, of: subject) { return found }
    throw lexer.error("'\(name)' is no property", name: name)
  }

  private func operand(
    _ token: QueryLexer.Token, for property: QueryProperty, named name: String,
    _ comparison: QueryExpression.Operator, _ times: (String) -> ClosedRange<WallTime>?
  ) throws(QuerySyntaxError) -> QueryExpression.Operand {
    let kind = property.kind
    let isSearch = comparison == .contains || comparison == .lacks
    if isSearch, kind != .text, kind != .any {
      throw lexer.error("'\(name)' is \(kind.rawValue): '\(comparison.rawValue)' is about texts")
    }
    func check(_ given: QueryValue.Kind) throws(QuerySyntaxError) {
      guard kind == given || kind == .any || given == .any else {
        throw lexer.error("'\(name)' is \(kind.rawValue), not \(given.rawValue)")
      }
      guard !isSearch || given == .text || given == .any else {
        throw lexer.error("'\(comparison.rawValue)' is about texts, not \(given.rawValue)")
      }
    }
    func checkEquality(_ what: String) throws(QuerySyntaxError) {
      guard comparison == .equal || comparison == .notEqual else {
        throw lexer.error("\(what) is compared by '=' and '!=' only")
      }
    }
    switch token {
    case .text(let text):
      if kind == .time {
        guard let found = times(text) else { throw lexer.error("'\(text)' is no time") }
        return .times(found)
      }
      try check(.text)
      let bytes = Array(text.utf8)
      if !isSearch, case .record = property, let found = times(text) {
        return .textOrTimes(bytes, found)
      }
      return isSearch ? .needle(QueryNeedle(bytes)) : .value(.text(bytes))
    case .number(let number):
      try check(.number)
      return .value(.number(number))
    case .word("null"):
      try checkEquality("null")
      return .value(.missing)
    case .word("true"), .word("false"):
      try check(.truth)
      try checkEquality("true or false")
      return .value(.truth(token == .word("true")))
    case .word(let other):
      let found = try self.property(other)
      try check(found.kind)
      if kind == .truth { try checkEquality("true or false") }
      return .property(found)
    case .comparison, .open, .close, .end:
      throw lexer.error("a value is expected after '\(comparison.rawValue)'")
    }
  }
}
