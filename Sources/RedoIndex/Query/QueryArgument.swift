// What the members of a request mean for the parameters of its statement.

internal import CanonicalJSON

/// A parameter of a named query.
enum QueryArgument: Sendable {
  case text(String)
  case integer(Int64)
  case real(Double)

  /// The time that a request says that it is, in seconds since 1970.
  static func now(_ request: JSONValue) throws(IndexFault) -> Double {
    guard let value = request["now"], value.isNumber, let now = Double(value.contentText),
      now.isFinite
    else { throw IndexFault(.request, "now") }
    return now
  }

  /// The parameters of a request, but for the limit.
  ///
  /// - Parameters:
  ///   - query: which query it is of.
  ///   - request: the request.
  ///   - isLiteral: whether words are taken as they are.
  /// - Returns: in the order of the statement's parameters.
  /// - Throws: `IndexFault` for what is missing or too long.
  static func read(
    _ query: NamedQuery, _ request: JSONValue, isLiteral: Bool
  ) throws(IndexFault) -> [QueryArgument] {
    switch query {
    case .timeline, .feed, .strains: return []
    case .search, .tasks:
      guard let words = request["words"]?.string else { throw IndexFault(.request, "words") }
      guard words.utf8.count <= IndexReader.textLimit else { throw IndexFault(.limit, "words") }
      guard !words.utf8.contains(0) else { throw IndexFault(.query, "a zero byte") }
      let isSyntax = isLiteral || request["fts"]?.boolean ?? false
      return [.text(isSyntax ? words : SearchWords.quoted(words))]
    case .map:
      var corners: [QueryArgument] = []
      var elements = request.elements(of: "box")
      while let element = elements.next() {
        guard element.isNumber, let number = Double(element.contentText), number.isFinite else {
          throw IndexFault(.request, "box")
        }
        corners.append(.real(number))
      }
      guard corners.count == 4 else { throw IndexFault(.request, "box") }
      return corners + [.real(try now(request))]
    case .recent:
      guard let since = request["since"]?.integer else { throw IndexFault(.request, "since") }
      return [.integer(since)]
    }
  }
}

extension PreparedStatement {
  /// Binds the first parameters.
  func bind(_ arguments: [QueryArgument]) {
    for (index, argument) in arguments.enumerated() {
      switch argument {
      case .text(let text): bind(text, index + 1)
      case .integer(let number): bind(number, index + 1)
      case .real(let number): bind(number, index + 1)
      }
    }
  }
}

/// Words that are looked for.
enum SearchWords {
  /// The words of a text, each as a phrase of FTS5: all must be there, and nothing in them is syntax.
  ///
  /// No words are a phrase that is nowhere.
  static func quoted(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return "\"\"" }
    return
      words
      .map { word in
        let parts = word.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"" + parts.joined(separator: "\"\"") + "\""
      }
      .joined(separator: " ")
  }
}
