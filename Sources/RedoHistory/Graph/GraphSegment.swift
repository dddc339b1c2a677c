// One part of a graph: some nodes as columns, in total order. Everything that is read has been checked
// before (`check`), so that the columns can be read directly.

package import RedoObject

/// Some nodes as columns.
package struct GraphSegment: Sendable {
  let memory: GraphMemory
  let head: GraphHead
  /// The beginning of each section, out of the head for quick access.
  @usableFromInline let starts: [Int]

  /// The bit of a parent that lies in the part below.
  static let belowMark: UInt32 = 1 << 31

  /// The number of nodes.
  package var count: Int { head.nodeCount }
  /// The bytes of the received log that it covers.
  package var receivedBytes: Int { head.receivedBytes }
  /// The last bytes of those.
  package var receivedEnd: [UInt8] { head.receivedEnd }
  /// The mark of signatures when it was made.
  package var signatureMark: [UInt8] { head.signatureMark }

  /// Whether a node is in this part; `false` also where the bytes that tell are damaged.
  package func contains(_ id: ObjectID) -> Bool { index(of: id) != nil }

  /// Opens a part; `nil` when the bytes are not a part, or are damaged.
  ///
  /// - Parameter memory: its bytes.
  package init?(_ memory: GraphMemory) {
    guard memory.check(0..<min(memory.count, GraphHead.byteCount)), let head = GraphHead(memory)
    else { return nil }
    self.memory = memory
    self.head = head
    starts = head.offsets
  }

  /// The columns that a question needs.
  package struct Columns: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let ids = Columns(rawValue: 1)
    package static let parents = Columns(rawValue: 2)
    /// Lamport, wall and received times, and the marks.
    package static let clocks = Columns(rawValue: 4)
    /// Action, task and author, and the tasks that they point to.
    package static let labels = Columns(rawValue: 8)
    package static let data = Columns(rawValue: 16)
    package static let fingerprints = Columns(rawValue: 32)
    package static let all: Columns = [.ids, .parents, .clocks, .labels, .data, .fingerprints]
  }

  /// Checks the bytes of some columns of some nodes, and that every number in them lies within what it points
  /// into: the file's hashes are no proof, since whoever writes a file can compute them.
  ///
  /// - Returns: `false` when they are damaged, and must not be used.
  package func check(_ columns: Columns, of range: Range<Int>) -> Bool {
    func column(_ section: GraphSection, _ width: Int, more: Int = 0) -> Bool {
      let start = starts[section.rawValue]
      return memory.check(
        start + width * range.lowerBound..<start + width * (range.upperBound + more))
    }
    if range.isEmpty { return true }
    if columns.contains(.ids), !column(.ids, 32) { return false }
    if columns.contains(.fingerprints), !column(.fingerprints, 32) { return false }
    if columns.contains(.parents) {
      guard column(.parentStarts, 4, more: 1),
        let heap = heapRange(.parentStarts, of: range, to: head.parentCount)
      else { return false }
      let offset = starts[GraphSection.parents.rawValue]
      guard memory.check(offset + 4 * heap.lowerBound..<offset + 4 * heap.upperBound),
        hasParentsBefore(range, heap)
      else { return false }
    }
    if columns.contains(.clocks) {
      guard column(.lamports, 8), column(.walls, 8), column(.received, 8), column(.marks, 1),
        hasTimes(range)
      else { return false }
    }
    if columns.contains(.labels) {
      guard column(.actions, 4), column(.tasks, 4), column(.authors, 4),
        memory.check(head.range(.taskTable)), hasLabels(range)
      else { return false }
    }
    if columns.contains(.data) {
      let whole = head.range(.data)
      guard column(.dataStarts, 8, more: 1),
        let heap = heapRange(
          .dataStarts, of: range, to: whole.count, limit: Node.byteLimit),
        memory.check(whole.lowerBound + heap.lowerBound..<whole.lowerBound + heap.upperBound)
      else { return false }
    }
    return true
  }

  /// Whether every clock is above those of the parents, so that the order is that of the clocks.
  package var isSorted: Bool { head.flags.contains(.isSorted) }

  /// Whether this part was made upon another.
  package func stands(on base: GraphSegment) -> Bool {
    head.baseCount == base.count && head.baseReceivedBytes == base.receivedBytes
  }

  /// Checks everything.
  ///
  /// - Returns: `false` when it is damaged.
  package func checkAll() -> Bool {
    checkTables() && check(.all, of: 0..<count) && checkWallOrder(0..<count)
  }

  /// Checks the names of actions and authors.
  ///
  /// - Returns: `false` when they are damaged.
  func checkTables() -> Bool {
    let sections: [GraphSection] = [.actionStarts, .actionTable, .authorStarts, .authorTable]
    return sections.allSatisfy { memory.check(head.range($0)) }
      && heapRange(.actionStarts, of: 0..<head.actionCount, to: head.range(.actionTable).count)
        != nil
      && heapRange(.authorStarts, of: 0..<head.authorCount, to: head.range(.authorTable).count)
        != nil
  }

  /// Checks the ids of the tasks.
  func checkTaskTable() -> Bool { memory.check(head.range(.taskTable)) }

  func start(_ section: GraphSection, _ index: Int) -> UInt32 {
    memory.load(starts[section.rawValue] + 4 * index, as: UInt32.self)
  }

  func dataStart(_ index: Int) -> Int {
    Int(memory.load(starts[GraphSection.dataStarts.rawValue] + 8 * index, as: UInt64.self))
  }

  /// The index of a node; only the bytes that are looked at are checked, on the way.
  ///
  /// - Returns: `nil` when it does not exist, or what was looked at is damaged.
  func index(of id: ObjectID) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      guard let found = sorted(middle) else { return nil }
      if self.id(found) < id { low = middle + 1 } else { high = middle }
    }
    guard low < count, let found = sorted(low), self.id(found) == id else { return nil }
    return found
  }

  /// The node at a place in the order of ids.
  private func sorted(_ place: Int) -> Int? {
    let order = starts[GraphSection.idOrder.rawValue] + 4 * place
    guard memory.check(order..<order + 4) else { return nil }
    let index = Int(start(.idOrder, place))
    let id = starts[GraphSection.ids.rawValue] + 32 * index
    return index < count && memory.check(id..<id + 32) ? index : nil
  }

  /// Checks some places of the order by wall time.
  ///
  /// - Parameter places: from 0, the newest node, to below `count`.
  /// - Returns: `false` when it is damaged there.
  func checkWallOrder(_ places: Range<Int>) -> Bool {
    let start = starts[GraphSection.wallOrder.rawValue]
    return memory.check(start + 4 * places.lowerBound..<start + 4 * places.upperBound)
      && places.allSatisfy { wallOrder($0) < count }
  }

  /// The node at a place of the order by wall time, whose beginning is the newest node.
  func wallOrder(_ place: Int) -> Int { Int(start(.wallOrder, place)) }

  /// Checks the bytes of the lamport of a node.
  func checkLamport(_ index: Int) -> Bool {
    let start = starts[GraphSection.lamports.rawValue] + 8 * index
    return memory.check(start..<start + 8)
  }

  /// Checks the bytes of the wall time and the time of receipt of a node.
  func checkTimes(_ index: Int) -> Bool {
    [GraphSection.walls, .received].allSatisfy { section in
      let start = starts[section.rawValue] + 8 * index
      return memory.check(start..<start + 8)
    }
  }

  // MARK: Columns

  func id(_ index: Int) -> ObjectID { ObjectID(words: words(.ids, index)) }

  func fingerprint(_ index: Int) -> NodeFingerprint {
    NodeFingerprint(words: words(.fingerprints, index))
  }

  /// The 32 bytes of a node in a column.
  @inline(__always)
  private func words(
    _ section: GraphSection, _ index: Int
  ) -> (UInt64, UInt64, UInt64, UInt64) {
    let offset = starts[section.rawValue] + 32 * index
    return (
      memory.load(offset, as: UInt64.self), memory.load(offset + 8, as: UInt64.self),
      memory.load(offset + 16, as: UInt64.self), memory.load(offset + 24, as: UInt64.self)
    )
  }

  /// Appends the fingerprints of some neighbours, 32 bytes each.
  func appendFingerprints(_ range: Range<Int>, to output: inout [UInt8]) {
    let offset = starts[GraphSection.fingerprints.rawValue]
    memory.append(offset + 32 * range.lowerBound..<offset + 32 * range.upperBound, to: &output)
  }

  /// The places of the parents in the heap.
  func parentRange(_ index: Int) -> Range<Int> {
    let first = Int(start(.parentStarts, index))
    return first..<max(first, Int(start(.parentStarts, index + 1)))
  }

  /// A parent: an index in this part, or with the highest bit set, one in the part below.
  func parent(_ place: Int) -> UInt32 { start(.parents, place) }

  func lamport(_ index: Int) -> UInt64 {
    memory.load(starts[GraphSection.lamports.rawValue] + 8 * index, as: UInt64.self)
  }

  func wall(_ index: Int) -> Int64 {
    memory.load(starts[GraphSection.walls.rawValue] + 8 * index, as: Int64.self)
  }

  func received(_ index: Int) -> Int64 {
    memory.load(starts[GraphSection.received.rawValue] + 8 * index, as: Int64.self)
  }

  func marks(_ index: Int) -> GraphMarks {
    GraphMarks(
      rawValue: memory.load(starts[GraphSection.marks.rawValue] + index, as: UInt8.self))
  }

  func action(_ index: Int) -> Int { Int(start(.actions, index)) }
  func task(_ index: Int) -> Int { Int(Int32(bitPattern: start(.tasks, index))) }
  func author(_ index: Int) -> Int { Int(start(.authors, index)) }

  /// The member `data`, RFC 8785.
  func data(_ index: Int) -> [UInt8] {
    var data: [UInt8] = []
    appendData(index, to: &data)
    return data
  }

  /// Appends the member `data`.
  func appendData(_ index: Int, to output: inout [UInt8]) {
    let offset = starts[GraphSection.data.rawValue]
    memory.append(offset + dataStart(index)..<offset + dataStart(index + 1), to: &output)
  }

  /// The bytes of the member `data`.
  func dataCount(_ index: Int) -> Int { dataStart(index + 1) - dataStart(index) }

  // MARK: Tables

  func taskID(_ index: Int) -> TaskID {
    let offset = starts[GraphSection.taskTable.rawValue] + 16 * index
    return TaskID(bytes: InlineArray { memory.load(offset + $0, as: UInt8.self) })
  }

  /// The first two bytes of a task's id, as one number.
  @inline(__always)
  func taskBeginning(_ index: Int) -> Int {
    let offset = starts[GraphSection.taskTable.rawValue] + 16 * index
    return Int(memory.load(offset, as: UInt16.self).byteSwapped)
  }

  func actionName(_ index: Int) -> [UInt8] { text(.actionStarts, .actionTable, index) }
  func authorBytes(_ index: Int) -> [UInt8] { text(.authorStarts, .authorTable, index) }

  private func text(_ starts: GraphSection, _ table: GraphSection, _ index: Int) -> [UInt8] {
    let offset = self.starts[table.rawValue]
    return memory.bytes(
      offset + Int(start(starts, index))..<offset + Int(start(starts, index + 1)))
  }
}

/// What is true of one node.
package struct GraphMarks: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Its wall time is written with milliseconds.
  package static let hasFraction = GraphMarks(rawValue: 1)
  /// It is signed.
  package static let isSigned = GraphMarks(rawValue: 2)
  /// It should not have been accepted; it has no content.
  package static let isBroken = GraphMarks(rawValue: 4)
}
