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
  /// The position of each node of the small part; they grow.
  private let tailPositions: [UInt32]
  /// For each position the index in its part, with `belowMark` where that is the large one, and the position of each
  /// node of the large part; empty where the small part is empty or has few nodes: these are then looked for.
  private let order: [UInt32]
  private let basePositions: [UInt32]
  private let tables: GraphTables

  /// Puts two parts together; there is nothing when they do not fit, are damaged, or the order of
  /// two is not that of the clocks alone.
  ///
  /// - Parameters:
  ///   - base: the large part.
  ///   - tail: the small part, on top of it.
  package init?(base: GraphSegment, tail: GraphSegment? = nil) {
    guard base.head.baseCount == 0, base.checkTables() else { return nil }
    guard let tail, tail.count > 0 else {
      self.base = base
      self.tail = nil
      (tailPositions, order, basePositions) = ([], [], [])
      guard let tables = GraphTables(base: base, tail: nil) else { return nil }
      self.tables = tables
      return
    }
    guard tail.head.baseCount == base.count,
      tail.head.baseReceivedBytes == base.receivedBytes,
      base.head.flags.contains(.isSorted), tail.head.flags.contains(.isSorted),
      tail.checkAll(), base.checkTaskTable(),
      tail.count < Self.fewCount || base.check([.clocks, .ids], of: 0..<base.count),
      let tables = GraphTables(base: base, tail: tail)
    else { return nil }
    self.base = base
    self.tail = tail
    self.tables = tables
    var tailPositions: [UInt32] = []
    tailPositions.reserveCapacity(tail.count)
    var next = 0
    for index in 0..<tail.count {
      guard let place = Self.place(of: index, tail, in: base, from: next) else { return nil }
      next = place
      tailPositions.append(UInt32(place + index))
    }
    self.tailPositions = tailPositions
    (order, basePositions) = tail.count < Self.fewCount ? ([], []) : Self.merge(base, tailPositions)
    // The parts say that every clock is above those of the parents; if one is not, a child came before its parent.
    for position in tailPositions {
      var isLater = true
      forEachParent(at: Int(position)) { if $0 >= Int(position) { isLater = false } }
      guard isLater else { return nil }
    }
  }

  /// Both parts by position, and the positions of the large one.
  private static func merge(
    _ base: GraphSegment, _ tailPositions: [UInt32]
  ) -> (order: [UInt32], basePositions: [UInt32]) {
    var order: [UInt32] = []
    order.reserveCapacity(base.count + tailPositions.count)
    var basePositions = [UInt32](repeating: 0, count: base.count)
    var index = 0
    for position in 0..<UInt32(base.count + tailPositions.count) {
      if index < tailPositions.count, tailPositions[index] == position {
        order.append(UInt32(index))
        index += 1
      } else {
        let below = Int(position) - index
        basePositions[below] = position
        order.append(UInt32(below) | GraphSegment.belowMark)
      }
    }
    return (order, basePositions)
  }

  /// If the small part has fewer nodes, only those of the large one are looked at that they are compared with.
  private static let fewCount = 256

  /// How many nodes of the large part come before a node of the small one.
  ///
  /// - Returns: `nil` when the large part is damaged.
  private static func place(
    of index: Int, _ tail: GraphSegment, in base: GraphSegment, from start: Int
  ) -> Int? {
    var low = start
    var high = base.count
    while low < high {
      let middle = (low + high) / 2
      guard tail.count >= fewCount || checkClock(middle, of: base, against: tail.lamport(index))
      else { return nil }
      if isBefore(base, middle, tail, index) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Checks as much of a node as is needed to compare it with one that has a certain lamport.
  private static func checkClock(
    _ index: Int, of base: GraphSegment, against lamport: UInt64
  ) -> Bool {
    base.checkLamport(index)
      && (base.lamport(index) != lamport || base.check([.clocks, .ids], of: index..<index + 1))
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
  package var count: Int { base.count + tailPositions.count }

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
    guard tail != nil else { return base.check(columns, of: range) }
    // The small part has been checked as a whole.
    // Of the large one, what lies between the first and the last of it in the range.
    guard let first = range.first(where: { part(at: $0) & GraphSegment.belowMark != 0 }),
      let last = range.last(where: { part(at: $0) & GraphSegment.belowMark != 0 })
    else { return true }
    return base.check(columns, of: below(first)..<below(last) + 1)
  }

  /// The index in the large part of a node that lies in it.
  private func below(_ position: Int) -> Int { Int(part(at: position) & ~GraphSegment.belowMark) }

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

  /// For each position whether the node is one of some nodes, or descends from one of them; columns `parents`.
  ///
  /// - Parameter positions: those nodes.
  /// - Returns: the marks.
  /// - Complexity: O(*n*).
  package func descending(from positions: [Int]) -> [Bool] {
    var marks = [Bool](repeating: false, count: count)
    for position in positions { marks[position] = true }
    for position in (positions.min() ?? count)..<count where !marks[position] {
      forEachParent(at: position) { if marks[$0] { marks[position] = true } }
    }
    return marks
  }

  /// The position of a node; `nil` when it is not in the graph.
  package func position(of id: ObjectID) -> Int? {
    if let tail, let index = tail.index(of: id) { return Int(tailPositions[index]) }
    return base.index(of: id).map(position(ofBase:))
  }

  /// The position of a node of the small part.
  func position(ofTail index: Int) -> Int { Int(tailPositions[index]) }

  /// The position of a node of the large part.
  @inline(__always)
  func position(ofBase index: Int) -> Int {
    if tailPositions.isEmpty { return index }
    if !basePositions.isEmpty { return Int(basePositions[index]) }
    // As many of the small part come before it as have no more of the large part before them.
    var (low, high) = (0, tailPositions.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(tailPositions[middle]) - middle <= index { low = middle + 1 } else { high = middle }
    }
    return index + low
  }

  /// The index of a node in its part, with `belowMark` where that is the large one.
  @inline(__always)
  private func part(at position: Int) -> UInt32 {
    if tailPositions.isEmpty { return UInt32(position) | GraphSegment.belowMark }
    if !order.isEmpty { return order[position] }
    var (low, high) = (0, tailPositions.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(tailPositions[middle]) < position { low = middle + 1 } else { high = middle }
    }
    if low < tailPositions.count, Int(tailPositions[low]) == position { return UInt32(low) }
    return UInt32(position - low) | GraphSegment.belowMark
  }

  /// Checks some columns of some nodes, as `check(_:of:)`.
  ///
  /// - Parameters:
  ///   - columns: the columns.
  ///   - positions: where the nodes are, in any order.
  /// - Returns: `false` when the graph is damaged.
  package func check(_ columns: GraphSegment.Columns, at positions: [Int]) -> Bool {
    guard let first = positions.min(), let last = positions.max() else { return true }
    // Far from each other, most of what lies between them would be read for nothing.
    guard (last - first) / 16 > positions.count else {
      return check(columns, of: first..<last + 1)
    }
    return positions.allSatisfy { check(columns, of: $0..<$0 + 1) }
  }

  @inline(__always)
  private func read<Value>(_ position: Int, _ body: (GraphSegment, Int) -> Value) -> Value {
    if tailPositions.isEmpty { return body(base, position) }
    let index = part(at: position)
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
    guard tail != nil else { return base.appendFingerprints(range, to: &output) }
    var position = range.lowerBound
    while position < range.upperBound {
      // Neighbours here are mostly neighbours in their part too.
      let first = part(at: position)
      var count = 1
      while position + count < range.upperBound, part(at: position + count) == first + UInt32(count)
      {
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
  /// Whether its wall time cannot be true (`wall-implausible`); nothing has to be checked.
  ///
  /// - Returns: `nil` when the graph is damaged.
  package func isImplausible(at position: Int) -> Bool? {
    let times = read(position) { part, index in
      part.checkTimes(index) ? (wall: part.wall(index), received: part.received(index)) : nil
    }
    guard let times else { return nil }
    return WallTime(milliseconds: times.wall)
      .isImplausible(received: times.received > 0 ? times.received : nil)
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
    let index = part(at: position)
    if index & GraphSegment.belowMark != 0 {
      for place in base.parentRange(Int(index & ~GraphSegment.belowMark)) {
        body(self.position(ofBase: Int(base.parent(place))))
      }
      return
    }
    guard let tail else { return }
    for place in tail.parentRange(Int(index)) {
      let parent = tail.parent(place)
      let below = Int(parent & ~GraphSegment.belowMark)
      body(
        parent & GraphSegment.belowMark == 0
          ? self.position(ofTail: below) : self.position(ofBase: below))
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
    // Most tasks of a large part are told from the few by two of their random bytes.
    var isBeginning = [Bool](repeating: false, count: 1 << 16)
    for task in few { isBeginning[Int(task.bytes[0]) << 8 | Int(task.bytes[1])] = true }
    for index in 0..<base.head.taskCount where isBeginning[base.taskBeginning(index)] {
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
