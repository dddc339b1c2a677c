// A history as columns, in total order: a large part, and on top of it a small one with the nodes that came since.
// Positions count from the oldest node; without a small part they are those of the large one.

internal import CanonicalJSON
package import RedoObject

/// The nodes of a history by their positions in the total order.
package struct Graph: HistoryLog, Sendable {
  /// The large part.
  package let base: GraphSegment
  /// What came since.
  package let tail: GraphSegment?
  /// For each position the index in its part, with `belowMark` where that is the large one; empty
  /// where there is only that.
  private let order: [UInt32]
  /// The position of each node of the large part, and of the small one.
  private let basePositions: [UInt32]
  private let tailPositions: [UInt32]
  private let tables: GraphTables

  /// Puts two parts together; there is nothing when they do not fit, are damaged, or the order of
  /// two is not that of the clocks alone.
  ///
  /// - Parameters:
  ///   - base: the large part.
  ///   - tail: the small part, on top of it.
  package init?(base: GraphSegment, tail: GraphSegment? = nil) {
    let all = 0..<base.count
    guard base.head.baseCount == 0, base.checkTables() else { return nil }
    guard let tail, tail.count > 0 else {
      self.base = base
      self.tail = nil
      order = []
      basePositions = []
      tailPositions = []
      guard let tables = GraphTables(base: base, tail: nil) else { return nil }
      self.tables = tables
      return
    }
    guard tail.head.baseCount == base.count,
      tail.head.baseReceivedBytes == base.receivedBytes,
      base.head.flags.contains(.isSorted), tail.head.flags.contains(.isSorted),
      tail.checkTables(), tail.check(.all, of: 0..<tail.count),
      base.check([.clocks, .ids, .labels], of: all),
      let tables = GraphTables(base: base, tail: tail)
    else { return nil }
    self.base = base
    self.tail = tail
    self.tables = tables
    var order: [UInt32] = []
    order.reserveCapacity(base.count + tail.count)
    var basePositions = [UInt32](repeating: 0, count: base.count)
    var tailPositions = [UInt32](repeating: 0, count: tail.count)
    var next = 0
    for index in 0..<tail.count {
      let end = Self.place(of: index, tail, in: base, from: next)
      while next < end {
        basePositions[next] = UInt32(order.count)
        order.append(UInt32(next) | GraphSegment.belowMark)
        next += 1
      }
      tailPositions[index] = UInt32(order.count)
      order.append(UInt32(index))
    }
    while next < base.count {
      basePositions[next] = UInt32(order.count)
      order.append(UInt32(next) | GraphSegment.belowMark)
      next += 1
    }
    self.order = order
    self.basePositions = basePositions
    self.tailPositions = tailPositions
    // The parts say that every clock is above those of the parents; if one is not, a child came before its parent.
    for index in 0..<tail.count {
      for place in tail.parentRange(index) {
        let parent = tail.parent(place)
        let below = Int(parent & ~GraphSegment.belowMark)
        let isBelow = parent & GraphSegment.belowMark != 0
        guard (isBelow ? basePositions[below] : tailPositions[below]) < tailPositions[index] else {
          return nil
        }
      }
    }
  }

  /// How many nodes of the large part come before a node of the small one.
  private static func place(
    of index: Int, _ tail: GraphSegment, in base: GraphSegment, from start: Int
  ) -> Int {
    var low = start
    var high = base.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(base, middle, tail, index) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func isBefore(
    _ one: GraphSegment, _ index: Int, _ other: GraphSegment, _ otherIndex: Int
  ) -> Bool {
    let lamports = (one.lamport(index), other.lamport(otherIndex))
    if lamports.0 != lamports.1 { return lamports.0 < lamports.1 }
    let walls = (one.wall(index), other.wall(otherIndex))
    if walls.0 != walls.1 { return walls.0 < walls.1 }
    return one.id(index) < other.id(otherIndex)
  }

  // MARK: Nodes

  /// The number of nodes.
  package var count: Int { order.isEmpty ? base.count : order.count }

  /// Whether a node of it should not have been accepted.
  package var hasBroken: Bool {
    base.head.flags.contains(.hasBroken) || tail?.head.flags.contains(.hasBroken) == true
  }

  /// The bytes of the received log that are covered.
  package var receivedBytes: Int { tail?.receivedBytes ?? base.receivedBytes }

  /// Checks the bytes of some columns; only what was checked may be asked for.
  ///
  /// - Returns: `false` when the graph is damaged.
  package func check(_ columns: GraphSegment.Columns, of range: Range<Int>) -> Bool {
    guard !order.isEmpty else { return base.check(columns, of: range) }
    // The small part has been checked as a whole.
    var first = Int.max
    var last = -1
    for position in [range.lowerBound, range.upperBound - 1] where range.contains(position) {
      let index = order[position]
      if index & GraphSegment.belowMark != 0 {
        first = min(first, Int(index & ~GraphSegment.belowMark))
        last = max(last, Int(index & ~GraphSegment.belowMark))
      }
    }
    // If the end is in the small part, all of the large one that could be meant.
    if !range.isEmpty, order[range.lowerBound] & GraphSegment.belowMark == 0 {
      first =
        order[range].first { $0 & GraphSegment.belowMark != 0 }
        .map { Int($0 & ~GraphSegment.belowMark) } ?? first
    }
    if !range.isEmpty, order[range.upperBound - 1] & GraphSegment.belowMark == 0 {
      last =
        order[range].last { $0 & GraphSegment.belowMark != 0 }
        .map { Int($0 & ~GraphSegment.belowMark) } ?? last
    }
    return first > last || base.check(columns, of: first..<last + 1)
  }

  /// For each position whether some tips reach the node; columns `parents`.
  ///
  /// - Parameter tips: positions.
  /// - Returns: the marks.
  /// - Complexity: O(*n*).
  package func reachable(from tips: [Int]) -> [Bool] {
    var marks = [Bool](repeating: false, count: count)
    var left = tips.max() ?? -1
    for tip in tips { marks[tip] = true }
    while left >= 0 {
      if marks[left] { forEachParent(at: left) { marks[$0] = true } }
      left -= 1
    }
    return marks
  }

  /// The position of a node; `nil` when it is not in the graph.
  package func position(of id: ObjectID) -> Int? {
    if let tail, let index = tail.index(of: id) { return Int(tailPositions[index]) }
    guard let index = base.index(of: id) else { return nil }
    return order.isEmpty ? index : Int(basePositions[index])
  }

  @inline(__always)
  private func read<Value>(_ position: Int, _ body: (GraphSegment, Int) -> Value) -> Value {
    guard !order.isEmpty else { return body(base, position) }
    let index = order[position]
    if index & GraphSegment.belowMark != 0 {
      return body(base, Int(index & ~GraphSegment.belowMark))
    }
    guard let tail else { preconditionFailure("BUG: a graph has lost a part") }
    return body(tail, Int(index))
  }

  /// The id of a node; columns `ids`.
  package func id(at position: Int) -> ObjectID { read(position) { $0.id($1) } }

  /// The fingerprint of a node as it is kept; column `fingerprints`.
  ///
  /// - Parameter position: where the node is.
  /// - Returns: the fingerprint.
  package func fingerprint(at position: Int) -> NodeFingerprint {
    read(position) { $0.fingerprint($1) }
  }

  /// Appends the fingerprints of some neighbours, 32 bytes each; columns `fingerprints`.
  ///
  /// - Parameters:
  ///   - range: their positions.
  ///   - output: where to.
  package func appendFingerprints(of range: Range<Int>, to output: inout [UInt8]) {
    guard !order.isEmpty else { return base.appendFingerprints(range, to: &output) }
    var position = range.lowerBound
    while position < range.upperBound {
      // Neighbours here are mostly neighbours in their part too.
      let first = order[position]
      var count = 1
      while position + count < range.upperBound, order[position + count] == first + UInt32(count) {
        count += 1
      }
      let index = Int(first & ~GraphSegment.belowMark)
      let part = first & GraphSegment.belowMark != 0 ? base : tail ?? base
      part.appendFingerprints(index..<index + count, to: &output)
      position += count
    }
  }

  /// Its logical time; columns `clocks`, as the following.
  package func lamport(at position: Int) -> Lamport {
    guard let lamport = Lamport(read(position, { $0.lamport($1) })) else {
      preconditionFailure("BUG: a graph was made of a clock that is none")
    }
    return lamport
  }
  /// Its wall time.
  package func wall(at position: Int) -> WallTime {
    WallTime(milliseconds: read(position) { $0.wall($1) })
  }
  package func received(at position: Int) -> Int64? {
    let time = read(position) { $0.received($1) }
    return time > 0 ? time : nil
  }
  /// What else is true of it.
  package func marks(at position: Int) -> GraphMarks { read(position) { $0.marks($1) } }

  /// The number of its action in `actionNames`; columns `labels`, as the following.
  package func actionNumber(at position: Int) -> Int {
    tables.action(read(position) { ($0.action($1), $0.head.baseCount > 0) })
  }
  package func action(at position: Int) -> Action? { tables.actions[actionNumber(at: position)] }
  /// The number of its task; -1 without one.
  package func task(at position: Int) -> Int {
    tables.task(read(position) { ($0.task($1), $0.head.baseCount > 0) })
  }
  /// The number of its author in `authors`.
  package func authorNumber(at position: Int) -> Int {
    tables.author(read(position) { ($0.author($1), $0.head.baseCount > 0) })
  }
  package func author(at position: Int) -> UserID {
    tables.authors[authorNumber(at: position)].userID
  }
  package func isBroken(at position: Int) -> Bool { marks(at: position).contains(.isBroken) }

  package func parentIDs(at position: Int) -> [ObjectID] {
    var ids: [ObjectID] = []
    forEachParent(at: position) { ids.append(id(at: $0)) }
    return ids
  }

  package func appendActionName(at position: Int, to output: inout [UInt8]) {
    output += tables.actionNames[actionNumber(at: position)].utf8
  }

  package func appendWallText(at position: Int, to output: inout [UInt8]) {
    wall(at: position).append(to: &output)
    guard !marks(at: position).contains(.hasFraction) else { return }
    // `.000Z` becomes `Z`.
    output.removeLast(5)
    output.append(UInt8(ascii: "Z"))
  }

  package func appendData(at position: Int, to output: inout [UInt8]) {
    read(position) { $0.appendData($1, to: &output) }
  }

  package func dataCount(at position: Int) -> Int { read(position) { $0.dataCount($1) } }

  /// The number of its parents; columns `parents`.
  package func parentCount(at position: Int) -> Int {
    read(position) { $0.parentRange($1).count }
  }

  /// Hands on the positions of its parents; columns `parents`.
  @inline(__always)
  package func forEachParent(at position: Int, _ body: (Int) -> Void) {
    guard !order.isEmpty else {
      for place in base.parentRange(position) { body(Int(base.parent(place))) }
      return
    }
    let index = order[position]
    if index & GraphSegment.belowMark != 0 {
      for place in base.parentRange(Int(index & ~GraphSegment.belowMark)) {
        body(Int(basePositions[Int(base.parent(place))]))
      }
      return
    }
    guard let tail else { return }
    for place in tail.parentRange(Int(index)) {
      let parent = tail.parent(place)
      let below = Int(parent & ~GraphSegment.belowMark)
      body(
        Int(parent & GraphSegment.belowMark == 0 ? tailPositions[below] : basePositions[below]))
    }
  }

  // MARK: Tables

  /// The names of actions.
  package var actionNames: [String] { tables.actionNames }
  /// The number of tasks.
  package var taskCount: Int { base.head.taskCount + tables.newTasks.count }
  /// A task; column `labels`.
  package func taskID(_ number: Int) -> TaskID {
    number < base.head.taskCount
      ? base.taskID(number) : tables.newTasks[number - base.head.taskCount]
  }
  /// The entry of a node's author as its part has it.
  func authorBytes(at position: Int) -> [UInt8] {
    read(position) { $0.authorBytes($0.author($1)) }
  }
  /// The authors.
  package var authors: [GraphAuthor] { tables.authors }
}

/// The tables of both parts as one: the numbers of the large part stay, new ones follow.
struct GraphTables: Sendable {
  private(set) var actionNames: [String]
  /// The known actions among them.
  private(set) var actions: [Action?] = []
  /// The tasks that only the small part knows.
  private(set) var newTasks: [TaskID] = []
  private(set) var authors: [GraphAuthor]
  private var tailActions: [Int32] = []
  private var tailTasks: [Int32] = []
  private var tailAuthors: [Int32] = []

  init?(base: GraphSegment, tail: GraphSegment?) {
    authors = []
    actionNames = []
    var names = (0..<base.head.actionCount).map { base.actionName($0) }
    var entries = (0..<base.head.authorCount).map { base.authorBytes($0) }
    if let tail {
      tailActions = Self.numbers(
        of: (0..<tail.head.actionCount).map { tail.actionName($0) }, in: &names)
      tailAuthors = Self.numbers(
        of: (0..<tail.head.authorCount).map { tail.authorBytes($0) }, in: &entries)
      noteTasks((0..<tail.head.taskCount).map { tail.taskID($0) }, base)
    }
    // A broken node may have no name of an action.
    guard names.allSatisfy({ $0.isEmpty || Action.isName($0.span) }) else { return nil }
    actionNames = names.map { String(decoding: $0, as: UTF8.self) }
    actions = actionNames.map { Action(rawValue: $0) }
    var scanner = Scanner()
    for entry in entries {
      guard let author = GraphAuthor(entry, &scanner) else { return nil }
      authors.append(author)
    }
  }

  /// The places of some entries in a table, to which those are added that it lacks.
  private static func numbers(of entries: [[UInt8]], in table: inout [[UInt8]]) -> [Int32] {
    var index = Dictionary(zip(table, table.indices)) { first, _ in first }
    return entries.map { entry in
      if let known = index[entry] { return Int32(known) }
      index[entry] = table.count
      table.append(entry)
      return Int32(table.count - 1)
    }
  }

  /// Finds the numbers of a few tasks among those of the large part.
  private mutating func noteTasks(_ few: [TaskID], _ base: GraphSegment) {
    var known: [TaskID: Int32] = [:]
    let wanted = Set(few)
    for index in 0..<base.head.taskCount {
      let task = base.taskID(index)
      if wanted.contains(task) { known[task] = Int32(index) }
    }
    tailTasks = few.map { task in
      if let number = known[task] { return number }
      newTasks.append(task)
      return Int32(base.head.taskCount + newTasks.count - 1)
    }
  }

  @inline(__always)
  func action(_ number: (index: Int, isTail: Bool)) -> Int {
    number.isTail && !tailActions.isEmpty ? Int(tailActions[number.index]) : number.index
  }

  @inline(__always)
  func task(_ number: (index: Int, isTail: Bool)) -> Int {
    guard number.index >= 0, number.isTail, !tailTasks.isEmpty else { return number.index }
    return Int(tailTasks[number.index])
  }

  @inline(__always)
  func author(_ number: (index: Int, isTail: Bool)) -> Int {
    number.isTail && !tailAuthors.isEmpty ? Int(tailAuthors[number.index]) : number.index
  }
}
