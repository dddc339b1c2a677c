// Parts shared by the lists of tasks and of todos: conditions, order, and their rows.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// A row of a list.
struct QueryListRow: Sendable {
  enum Shape: Sendable {
    /// RFC 8785 JSON.
    case json([UInt8])
    case cells([String])
  }

  fileprivate let keys: [QueryValue]
  /// The id that decides ties.
  fileprivate let id: TaskID
  let shape: Shape
}

/// An order of rows.
struct QueryOrder: Sendable {
  private let keys: [(property: QueryProperty, isDescending: Bool)]

  /// Reads `--sort`: within one list the first key is the primary one; of several lists the last one comes first.
  ///
  /// - Throws: `fatal` for an invalid key.
  init(
    _ options: ParsedOptions, of subject: QuerySubject, or standard: String
  ) throws {
    let lists = options.values(QueryWords.sort)
    var keys: [(QueryProperty, Bool)] = []
    for list in lists.isEmpty ? [standard] : lists.reversed() {
      for word in list.split(separator: ",", omittingEmptySubsequences: false) {
        let isDescending = word.hasPrefix("-")
        let name = Self.unquoted(String(isDescending ? word.dropFirst() : word))
        guard let property = QueryProperty(name, of: subject) else {
          throw CommandError.fatal(
            "unknown property '\(name)' to sort by",
            hints: Suggestion.hints(for: name, among: QueryProperty.names(of: subject)))
        }
        keys.append((property, isDescending))
      }
    }
    self.keys = keys
  }

  /// A property whose name stands in quotes, as in an expression, without them.
  private static func unquoted(_ name: String) -> String {
    let own = [QueryProperty.recordPrefix, QueryProperty.fieldPrefix]
    for prefix in own + own.map({ QueryProperty.taskPrefix + $0 }) {
      for quote in ["\"", "'"]
      where name.hasPrefix(prefix + quote) && name.hasSuffix(quote)
        && name.utf8.count > prefix.utf8.count + 2
      {
        return prefix + name.dropFirst(prefix.count + 1).dropLast()
      }
    }
    return name
  }

  /// The fields of records that rows are sorted by.
  var recordNames: [ByteText] {
    keys.compactMap { if case .record(let name) = $0.property { name } else { nil } }
  }

  /// The values that a row is sorted by.
  func values(of item: QueryItem) -> [QueryValue] { keys.map { item.value(of: $0.property) } }

  /// Whether a row comes before another one; rows without a value come last in either direction.
  func precedes(_ left: QueryListRow, _ right: QueryListRow) -> Bool {
    for (place, key) in keys.enumerated() {
      let (one, other) = (left.keys[place], right.keys[place])
      if one == .missing || other == .missing {
        if one == other { continue }
        return other == .missing
      }
      if one.precedes(other) { return !key.isDescending }
      if other.precedes(one) { return key.isDescending }
    }
    return left.id < right.id
  }
}

/// The conditions of `--where`; all of them must hold.
struct QueryConditions: Sendable {
  private let expressions: [QueryExpression]

  /// Reads the expressions.
  ///
  /// - Throws: `fatal` with the place of the error.
  init(
    _ options: ParsedOptions, of subject: QuerySubject, _ frame: QueryFrame
  ) throws {
    var expressions: [QueryExpression] = []
    for text in options.values(QueryWords.condition) {
      do throws(QuerySyntaxError) {
        expressions.append(try QueryExpression(text, of: subject) { frame.times($0) })
      } catch {
        var hints: [String] = []
        if let name = error.unknownName {
          hints = Suggestion.hints(for: name, among: QueryProperty.names(of: subject))
        }
        throw CommandError.fatal(
          "bad expression, at character \(error.character): \(error.problem)", hints: hints)
      }
    }
    self.expressions = expressions
  }

  /// The fields of records that they are about.
  var recordNames: [ByteText] { expressions.flatMap(\.recordNames) }

  func hold(for item: QueryItem) -> Bool { expressions.allSatisfy { $0.holds(for: item) } }
}

/// How a list is written.
struct QueryList {
  private let order: QueryOrder
  private let limit: Int
  let isJSON: Bool
  /// Whether texts are written unescaped.
  let isRaw: Bool
  private let end: UInt8

  init(
    _ options: ParsedOptions, _ frame: QueryFrame, _ order: QueryOrder
  ) throws {
    self.order = order
    limit = try options.integer(.maxCount) ?? .max
    isJSON = options.has(.json)
    isRaw = frame.end == 0
    end = frame.end
  }

  /// The fields of records that its order asks about.
  var recordNames: [ByteText] { order.recordNames }

  /// A row of the list.
  func row(of item: QueryItem, _ shape: QueryListRow.Shape) -> QueryListRow {
    QueryListRow(
      keys: order.values(of: item), id: item.todo?.id ?? item.task.id, shape: shape)
  }

  /// Writes rows in order; a table begins with its heading.
  func write(
    _ rows: [QueryListRow], heading: [String], _ context: inout Context
  ) throws {
    let shown = rows.sorted(by: order.precedes).prefix(limit)
    guard !shown.isEmpty else { return }
    var table = [heading]
    for row in shown {
      switch row.shape {
      case .json(let bytes):
        try context.output.write(bytes)
        try context.output.write(byte: end)
      case .cells(let cells): table.append(cells)
      }
    }
    guard !isJSON else { return }
    for line in TextTable.lines(table) {
      try context.output.write(line)
      try context.output.write(byte: end)
    }
  }
}

extension QueryItem {
  /// A value as it is printed.
  func answer(_ property: QueryProperty) -> AnswerValue {
    switch value(of: property) {
    case .missing, .composite: .missing
    case .truth(let truth): .truth(truth)
    case .number(let number): .number(number)
    case .time(let time): .text(time.text)
    case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}
