// Writes the changes of a log: from the index alone where that is enough, otherwise from the objects.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Writes changes in one form.
struct LogWriter {
  private let style: LogStyle
  private let end: UInt8
  private let set: LogSet
  private let marking: LogMarking
  private var positions: [Int]
  /// The drawing beside the rows; it is updated with each change.
  private var lanes: Lanes?
  private var parents: [[Int]] = []
  private var place = 0

  /// How many rows are appended to the output before it may be written.
  private static let batchCount = 64
  /// How many signatures are verified together.
  private static let judgedCount = 4096

  /// - Parameters:
  ///   - style: the form.
  ///   - end: the byte that ends a change.
  ///   - set: the changes that were walked.
  ///   - positions: the changes to show, in this order.
  ///   - marking: which of them are marked with their side of a range.
  ///   - lanes: the drawing beside them; `nil` for none.
  init(
    _ style: LogStyle, end: UInt8, _ set: LogSet, _ positions: [Int], _ marking: LogMarking,
    lanes: Lanes?
  ) {
    self.marking = marking
    self.style = style
    self.end = end
    self.set = set
    self.positions = positions
    self.lanes = lanes
  }

  /// Writes all the changes.
  ///
  /// - Returns: `false` when the index is damaged; then nothing is printed.
  mutating func write(
    _ opened: Repository, _ context: inout Context
  ) throws -> Bool {
    let graph = set.graph
    let all = 0..<graph.count
    if lanes != nil {
      guard graph.check([.parents, .ids], of: all) else { return false }
      parents = LogLinks.parents(of: positions, in: set)
      let order = LogLinks.order(parents)
      var places = [Int](repeating: 0, count: order.count)
      for (place, old) in order.enumerated() { places[old] = place }
      positions = order.map { positions[$0] }
      parents = order.map { old in parents[old].map { places[$0] } }
    }
    switch style {
    case .dot, .svg:
      guard graph.check(.all, of: all) else { return false }
      try draw(&context)
      return true
    case .format(let format):
      if let columns = LogRows.columns(of: format, graph) {
        guard graph.check(columns, at: positions),
          !columns.contains(.parents) || graph.check(.ids, of: all)
        else { return false }
        try writeRows(format, &context)
        return true
      }
    case .pretty(.changes, _):
      guard graph.check(.all, of: all) else { return false }
    case .json, .pretty: break
    }
    guard graph.check(.ids, at: positions) else { return false }
    var effects: [ObjectID: LogEffect] = [:]
    if case .pretty(.changes, _) = style {
      guard let found = LogEffect.of(positions, in: set) else { return false }
      effects = found
    }
    try writeObjects(opened, effects, &context)
    return true
  }

  private mutating func writeRows(
    _ format: Format<ObjectAtom>, _ context: inout Context
  ) throws {
    var row = GraphRow(graph: set.graph, isRaw: end == 0)
    guard lanes == nil else {
      for position in positions {
        row.position = position
        row.side = set.side(of: position)
        var text: [UInt8] = []
        format.append(to: &text) { atom, output in row.append(atom, to: &output) }
        text.append(end)
        try put(text, &context)
      }
      return try finish(&context)
    }
    for start in stride(from: 0, to: positions.count, by: Self.batchCount) {
      let batch = positions[start..<min(start + Self.batchCount, positions.count)]
      try context.output.append { output throws in
        for position in batch {
          row.position = position
          row.side = set.side(of: position)
          format.append(to: &output) { atom, output in row.append(atom, to: &output) }
          output.append(end)
        }
      }
    }
  }

  private mutating func writeObjects(
    _ opened: Repository, _ effects: [ObjectID: LogEffect], _ context: inout Context
  ) throws {
    let needsNode = style.needsNode
    let (style, end) = (style, end)
    let ids = positions.map { set.graph.id(at: $0) }
    let verdicts = try verdicts(ids, opened, context)
    let marks = marks(ids)
    try HistoryWalk.forEach(
      ids, opened.objects
    ) { object, reader throws in
      let node = needsNode ? reader.decode(object) : nil
      var row = ObjectRow(
        object: object, node: node, isRaw: end == 0, verdict: verdicts[object.id])
      row.mark = marks[object.id]
      return Self.text(row, style, end, effects[object.id])
    } _: { text throws in
      try put(text, &context)
    }
    try finish(&context)
  }

  /// The sides of a range, if the text of a change shows them.
  private func marks(_ ids: [ObjectID]) -> [ObjectID: Unicode.Scalar] {
    var marks: [ObjectID: Unicode.Scalar] = [:]
    if style.needsMark {
      for (id, position) in zip(ids, positions) { marks[id] = set.side(of: position).mark }
    } else if marking.isOn, lanes == nil {
      for (id, position) in zip(ids, positions) {
        marks[id] = marking.mark(of: set.side(of: position))
      }
    }
    return marks
  }

  /// The letters of the verdicts on signatures, if the form shows them.
  private func verdicts(
    _ ids: [ObjectID], _ opened: Repository, _ context: borrowing Context
  ) throws -> [ObjectID: Unicode.Scalar] {
    guard style.needsVerdict else { return [:] }
    var judge = VerifyStored(.v1, opened, try context.effects.nodeTrust(opened), saysKeys: true)
    var verdicts: [ObjectID: Unicode.Scalar] = [:]
    for start in stride(from: 0, to: ids.count, by: Self.judgedCount) {
      let part = Array(ids[start..<min(start + Self.judgedCount, ids.count)])
      for (id, row) in zip(part, try judge.judge(part)) { verdicts[id] = row.letter }
    }
    return verdicts
  }

  private static func text(
    _ row: ObjectRow, _ style: LogStyle, _ end: UInt8, _ effect: LogEffect?
  ) -> [UInt8] {
    var text: [UInt8] = []
    switch style {
    case .format(let format):
      format.append(to: &text) { atom, output in row.append(atom, to: &output) }
      text.append(end)
    case .json:
      row.object.appendContents(to: &text)
      text.append(end)
    case .pretty(let pretty, let palette):
      let shown = pretty == .changes ? effect ?? LogEffect() : nil
      LogEntry(row, palette, effect: shown).append(pretty, to: &text, end: end)
    case .dot, .svg: break
    }
    return text
  }

  // MARK: The drawing beside the rows

  /// What is drawn to the left of the empty line before the next change, and on the rows below it.
  private var margin = ""
  private var below: [String] = []

  /// Writes the text of a change and its part of the drawing.
  private mutating func put(_ text: [UInt8], _ context: inout Context) throws {
    let hasGap = style.hasGaps && end != 0 && place > 0
    guard lanes != nil else {
      if hasGap { try context.output.write(byte: UInt8(ascii: "\n")) }
      place += 1
      try context.output.write(text)
      return
    }
    if hasGap { try writeLine(margin, [], &context) }
    try finish(&context)
    let count = set.graph.parentCount(at: positions[place])
    let mark = marking.mark(of: set.side(of: positions[place]))
    guard
      let rows = lanes?.next(
        place: place, parents: parents[place], parentCount: count, mark: mark)
    else { return }
    place += 1
    for line in rows.before { try context.output.writeLine(line) }
    let lines = text.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      try writeLine(number == 0 ? rows.first : rows.rest, line, &context)
    }
    (margin, below) = (rows.rest, rows.after)
  }

  /// Draws the rows below the last change.
  private mutating func finish(_ context: inout Context) throws {
    for line in below { try context.output.writeLine(line) }
    below = []
  }

  private func writeLine(
    _ drawing: String, _ text: ArraySlice<UInt8>, _ context: inout Context
  ) throws {
    var row = Array(drawing.utf8) + text
    while row.last == UInt8(ascii: " "), text.isEmpty { row.removeLast() }
    row.append(UInt8(ascii: "\n"))
    try context.output.write(row)
  }

  // MARK: Drawings

  private func draw(_ context: inout Context) throws {
    let graph = set.graph
    let newestFirst = positions.sorted(by: >)
    let parents = LogLinks.parents(of: newestFirst, in: set)
    let changes = newestFirst.enumerated().map { place, position in
      change(at: position, parents[place], graph)
    }
    if case .dot = style {
      var text: [UInt8] = []
      try DotText(changes).append(to: &text) { text throws in
        try context.output.write(text)
        text.removeAll(keepingCapacity: true)
      }
      try context.output.write(text)
      return
    }
    try context.output.append { output throws in
      HistorySVG(changes).append(to: &output)
    }
  }

  private func change(at position: Int, _ parents: [Int], _ graph: Graph) -> DrawnChange {
    let author = graph.authors[graph.authorNumber(at: position)]
    func text(_ escaped: [UInt8]?) -> String? {
      escaped.map { String(decoding: StringEscape.unescape($0.span), as: UTF8.self) }
    }
    let task = graph.task(at: position)
    var action: [UInt8] = []
    graph.appendActionName(at: position, to: &action)
    return DrawnChange(
      id: graph.id(at: position), parents: parents, parentCount: graph.parentCount(at: position),
      wall: graph.wall(at: position),
      lamport: graph.lamport(at: position).value, action: String(decoding: action, as: UTF8.self),
      task: task < 0 ? nil : graph.taskID(task),
      device: text(author.deviceName) ?? text(author.deviceID) ?? "",
      author: text(author.name) ?? author.userID.text, summary: title(at: position, graph))
  }

  /// The title that a change sets; empty when it sets none.
  private func title(at position: Int, _ graph: Graph) -> String {
    guard let content = graph.content(at: position) else { return "" }
    for member in JSONMembers(content[...]) where member.name.elementsEqual("title".utf8) {
      return String(decoding: member.text ?? [], as: UTF8.self)
    }
    return ""
  }
}
