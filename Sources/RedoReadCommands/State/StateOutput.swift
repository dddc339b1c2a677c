// The state as lines, as one hash, or as a table for people.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// Writes states.
struct StateOutput {
  /// What is made from the state of a task.
  enum Row: Sendable {
    /// Its line, without a terminator.
    case line([UInt8])
    case cells(StateTable.Row)
    case nothing
  }

  /// The number of bytes that are copied together.
  private static let chunkCount = 1 << 16

  private let style: State.Style
  private let end: UInt8
  private var hash = SHA256()
  private var table: [StateTable.Row] = []
  /// How many tasks are in the state.
  private(set) var count = 0

  init(style: State.Style, end: UInt8) {
    self.style = style
    self.end = end
  }

  /// The row of a state; called on many threads.
  static func row(
    of state: TaskState, _ style: State.Style, at moment: WallTime, isRaw: Bool
  ) -> Row {
    switch style {
    case .json, .hash:
      var line: [UInt8] = []
      line.reserveCapacity(512)
      state.appendJSON(to: &line)
      return .line(line)
    case .table: return .cells(StateTable.Row(state, at: moment, isRaw: isRaw))
    case .skips, .records: return .nothing
    }
  }

  /// Takes rows, in the order of the tasks.
  mutating func write(_ rows: [Row], _ context: inout Context) throws {
    count += rows.count
    for row in rows {
      switch row {
      case .line(var line):
        if style == .hash {
          line.append(UInt8(ascii: "\n"))
          hash.update(line.span)
        } else {
          line.append(end)
          try context.output.write(line)
        }
      case .cells(let cells): table.append(cells)
      case .nothing: break
      }
    }
  }

  /// Takes the state of a task, in the order of the tasks, whose row may be large.
  mutating func write(
    _ state: TaskState, at moment: WallTime, _ context: inout Context
  ) throws {
    switch style {
    case .table, .skips, .records:
      try write([Self.row(of: state, style, at: moment, isRaw: end == 0)], &context)
    case .json:
      count += 1
      try state.forEachPart { part throws in try context.output.write(part) }
      try context.output.write(byte: end)
    case .hash:
      count += 1
      state.forEachPart { hash.update($0.span) }
      hash.update([UInt8(ascii: "\n")].span)
    }
  }

  /// Takes the lines of a snapshot that has been checked.
  mutating func write(
    _ snapshot: StateSnapshot, rows: Range<Int>, _ context: inout Context
  ) throws {
    guard !rows.isEmpty else { return }
    count += snapshot.stateCount(of: rows)
    let total = snapshot.lineBytes(of: rows)
    for start in stride(from: 0, to: total, by: Self.chunkCount) {
      var chunk: [UInt8] = []
      chunk.reserveCapacity(Self.chunkCount)
      snapshot.appendLines(of: rows, start..<min(start + Self.chunkCount, total), to: &chunk)
      if style == .hash {
        hash.update(chunk.span)
        continue
      }
      // Every line feed is the end of a line: within JSON it is escaped.
      if end != UInt8(ascii: "\n") {
        for index in chunk.indices where chunk[index] == UInt8(ascii: "\n") { chunk[index] = end }
      }
      try context.output.write(chunk)
    }
  }

  /// Writes what depends on the whole state.
  mutating func finish(_ context: inout Context) throws {
    switch style {
    case .json, .skips, .records: break
    case .hash:
      var line: [UInt8] = []
      ObjectID(digest: hash.finalize()).append(to: &line)
      line.append(end)
      try context.output.write(line)
    case .table:
      for line in StateTable.lines(table) {
        try context.output.write(line)
        try context.output.write(byte: end)
      }
    }
  }
}

/// A table of tasks, sorted by rank, highest first.
enum StateTable {
  /// A task.
  struct Row: Sendable {
    fileprivate let rank: Double
    fileprivate let id: TaskID
    let cells: [String]

    /// The cells of a task; raw cells contain texts unescaped, including line feeds.
    init(_ state: TaskState, at moment: WallTime, isRaw: Bool) {
      let urgency = state.urgency(at: moment)
      rank = state.rank(at: moment)
      id = state.id
      let pending = state.todos.items.count { $0.completed == nil }
      let title = StringEscape.unescape(
        Array((state.value(.title) ?? []).dropFirst().dropLast()).span)
      cells = [
        Urgency.text(rank), urgency.value.map { Urgency.text($0) } ?? "-", urgency.level.rawValue,
        Self.number(state, .priority), Self.number(state, .storyPoints),
        state.currentTodo?.due?.text ?? "-", "\(pending)/\(state.todos.items.count)",
        state.isArchived ? "archived" : state.completion == nil ? "open" : "completed",
        state.id.text,
        Escape.field(title, isRaw: isRaw),
      ]
    }

    private static func number(_ state: TaskState, _ key: FieldKey) -> String {
      String(decoding: state.value(key) ?? [], as: UTF8.self)
    }
  }

  static let heading = [
    "RANK", "URGENCY", "LEVEL", "PRIORITY", "POINTS", "DEADLINE", "PENDING", "STATE", "TASK",
    "TITLE",
  ]

  /// The lines of a table, beginning with a heading; none without tasks.
  static func lines(_ rows: [Row]) -> [String] {
    guard !rows.isEmpty else { return [] }
    let sorted = rows.sorted { $0.rank == $1.rank ? $0.id < $1.id : $0.rank > $1.rank }
    return TextTable.lines([heading] + sorted.map(\.cells))
  }
}
