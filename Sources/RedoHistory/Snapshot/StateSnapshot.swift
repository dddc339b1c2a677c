// A snapshot: the state of a closed set of nodes, kept so that it need not be replayed (A72, A80). It is derived,
// named by what it was derived from, and never the truth: the output is the same with it and without it.
//
//   head      layout version, rules version, name (32 bytes), nodes, heads, tasks, tasks in the state, skips, the
//             SHA-256 of the lines (32 bytes), then the offset of each section and of its end
//   heads     32 bytes each, sorted: the nodes of the set without a child in it
//   tasks     by id: id 16, first line byte u64, first skip u32, marks u32; and a last row that only ends the others
//   skips     task by task, those of no task last: node 32, todo 16 or zeros, place in the total order of the set u32,
//             reason u8 (its place in SkipReason.allCases), whether there is a todo u8, 2 zeros
//   lines     what `redo state --json` prints, each with its line feed
//
// All numbers are little-endian; sections are aligned to 8 bytes.

package import RedoObject

/// A snapshot of the state of a closed set of nodes.
package struct StateSnapshot: Sendable {
  /// What replay means: to be raised whenever the same nodes come to another state, other skips, or are judged
  /// broken by other rules.
  package static let rulesVersion: UInt64 = 2
  /// The layout of the bytes; to be raised with the order of `SkipReason.allCases`, too.
  package static let layoutVersion: UInt64 = 1

  /// The words before the name, after it, and after the hash.
  private static let countWord = 6
  private static let hashOffset = 8 * (countWord + 5)
  private static let sectionOffset = hashOffset + 32
  /// The bytes of a head.
  static let headCount = sectionOffset + 8 * (Section.allCases.count + 1)
  static let rowCount = 32
  static let skipCount = 56

  /// The sections in their order in the file.
  enum Section: Int, CaseIterable {
    case heads, tasks, skips, lines
  }

  /// What is true of a task.
  struct Marks: OptionSet {
    let rawValue: UInt32
    /// A MERGE of it names a base that is not in the set: it is replayed when other nodes come.
    static let isOpen = Marks(rawValue: 1)
  }

  let memory: GraphMemory
  private let offsets: [Int]
  /// What it is named by: the digest of `nameText`.
  package let name: ObjectID
  /// The version of the rules that made it.
  package let rules: UInt64
  /// The number of nodes in the set.
  package let nodeCount: Int
  /// The number of heads.
  package let headCount: Int
  /// The number of tasks that nodes of the set are about.
  package let taskCount: Int
  /// The number of tasks that are in the state: of lines.
  package let stateCount: Int
  /// The number of skips.
  package let skipCount: Int
  /// The SHA-256 of the lines: what `redo state --hash` prints.
  package let hash: ObjectID

  /// Opens a snapshot; `nil` when the bytes are not a snapshot, or the head is damaged.
  ///
  /// - Parameter memory: its bytes.
  package init?(_ memory: GraphMemory) {
    guard Self.layout(of: memory) == Self.layoutVersion, memory.check(0..<Self.headCount) else {
      return nil
    }
    // So few that no product of them overflows.
    func number(_ offset: Int) -> Int? {
      let value = memory.load(offset, as: UInt64.self)
      return value < 1 << 40 ? Int(value) : nil
    }
    let counts = (0..<5).compactMap { number(8 * (Self.countWord + $0)) }
    let offsets = (0...Section.allCases.count).compactMap { number(Self.sectionOffset + 8 * $0) }
    guard counts.count == 5, offsets.count == Section.allCases.count + 1,
      offsets[0] == Self.headCount, offsets[4] == memory.count,
      offsets[1] == offsets[0] + 32 * counts[1],
      offsets[2] == offsets[1] + Self.rowCount * (counts[2] + 1),
      offsets[3] == offsets[2] + Self.skipCount * counts[4], offsets[3] <= offsets[4]
    else { return nil }
    self.memory = memory
    self.offsets = offsets
    rules = memory.load(8, as: UInt64.self)
    name = Self.id(at: 16, memory)
    (nodeCount, headCount, taskCount) = (counts[0], counts[1], counts[2])
    (stateCount, skipCount) = (counts[3], counts[4])
    hash = Self.id(at: Self.hashOffset, memory)
  }

  /// The version of the layout of some bytes; `nil` when they are too few, or damaged.
  ///
  /// - Parameter memory: the bytes.
  /// - Returns: the first number.
  package static func layout(of memory: GraphMemory) -> UInt64? {
    memory.count >= headCount && memory.check(0..<8) ? memory.load(0, as: UInt64.self) : nil
  }

  /// What the name of a snapshot is the digest of: the version of the rules, and the exact heads.
  ///
  /// - Parameters:
  ///   - heads: the heads, sorted.
  ///   - rules: the version of the rules.
  /// - Returns: the bytes.
  package static func nameText(_ heads: [ObjectID], rules: UInt64 = rulesVersion) -> [UInt8] {
    var text = Array("redo-snapshot \(rules)\n".utf8)
    text.reserveCapacity(text.count + 32 * heads.count)
    for head in heads { head.appendRaw(to: &text) }
    return text
  }

  private static func id(at offset: Int, _ memory: GraphMemory) -> ObjectID {
    ObjectID(
      words: (
        memory.load(offset, as: UInt64.self), memory.load(offset + 8, as: UInt64.self),
        memory.load(offset + 16, as: UInt64.self), memory.load(offset + 24, as: UInt64.self)
      ))
  }

  private static func uuid(at offset: Int, _ memory: GraphMemory) -> TaskID {
    TaskID(bytes: InlineArray { memory.load(offset + $0, as: UInt8.self) })
  }

  // MARK: Checking

  /// Checks everything, or everything but the lines; only what was checked may be asked for.
  ///
  /// - Parameter withLines: whether the lines are going to be asked for.
  /// - Returns: `false` when it is damaged.
  package func check(withLines: Bool) -> Bool {
    guard memory.check(0..<offsets[withLines ? 4 : 3]) else { return false }
    var (line, skip, states) = (0, 0, 0)
    for row in 0...taskCount {
      let (nextLine, nextSkip) = (lineStart(row), skipStart(row))
      guard line <= nextLine, skip <= nextSkip, row > 0 || (nextLine == 0 && nextSkip == 0),
        row == 0 || row == taskCount || taskID(row - 1) < taskID(row)
      else { return false }
      if line < nextLine { states += 1 }
      (line, skip) = (nextLine, nextSkip)
    }
    return line == offsets[4] - offsets[3] && skip <= skipCount && states == stateCount
      && (0..<skipCount).allSatisfy { Int(reasonNumber($0)) < SkipReason.allCases.count }
      && (1..<max(headCount, 1)).allSatisfy { head($0 - 1) < head($0) }
  }

  /// Whether these are its bytes.
  ///
  /// - Parameter bytes: a snapshot.
  /// - Returns: whether each byte is the same; everything has been checked.
  package func isSame(as bytes: [UInt8]) -> Bool {
    memory.count == bytes.count && memory.bytes(0..<memory.count) == bytes
  }

  // MARK: Parts

  /// A head.
  ///
  /// - Parameter index: from 0 to below `headCount`, in their order.
  /// - Returns: its id.
  package func head(_ index: Int) -> ObjectID { Self.id(at: offsets[0] + 32 * index, memory) }

  /// The heads, sorted.
  package var heads: [ObjectID] { (0..<headCount).map { head($0) } }

  private func row(_ index: Int) -> Int { offsets[1] + Self.rowCount * index }

  /// A task.
  ///
  /// - Parameter row: from 0 to below `taskCount`, in the order of the ids.
  /// - Returns: its id.
  package func taskID(_ row: Int) -> TaskID { Self.uuid(at: self.row(row), memory) }
  private func lineStart(_ row: Int) -> Int {
    Int(truncatingIfNeeded: memory.load(self.row(row) + 16, as: UInt64.self) & 0xFF_FFFF_FFFF)
  }
  private func skipStart(_ row: Int) -> Int {
    Int(memory.load(self.row(row) + 24, as: UInt32.self))
  }

  /// Whether a task must be replayed when other nodes come, even if they concern other tasks.
  func isOpen(_ row: Int) -> Bool {
    Marks(rawValue: memory.load(self.row(row) + 28, as: UInt32.self)).contains(.isOpen)
  }

  /// The row of a task.
  ///
  /// - Parameter task: the task.
  /// - Returns: its place, or where it would be, and whether it exists.
  /// - Complexity: O(log *n*).
  package func row(of task: TaskID) -> (row: Int, isFound: Bool) {
    var (low, high) = (0, taskCount)
    while low < high {
      let middle = (low + high) / 2
      if taskID(middle) < task { low = middle + 1 } else { high = middle }
    }
    return (low, low < taskCount && taskID(low) == task)
  }

  /// How many tasks of some rows are in the state.
  ///
  /// - Parameter rows: the rows.
  /// - Returns: the number of their lines.
  package func stateCount(of rows: Range<Int>) -> Int {
    rows.count { lineStart($0) < lineStart($0 + 1) }
  }

  /// The number of bytes of the lines of some rows.
  ///
  /// - Parameter rows: the rows.
  /// - Returns: the bytes, line feeds included.
  package func lineBytes(of rows: Range<Int>) -> Int {
    lineStart(rows.upperBound) - lineStart(rows.lowerBound)
  }

  /// Appends a part of the lines of some rows.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - part: which bytes of their lines.
  ///   - output: receives them.
  package func appendLines(of rows: Range<Int>, _ part: Range<Int>, to output: inout [UInt8]) {
    let start = offsets[3] + lineStart(rows.lowerBound)
    memory.append(start + part.lowerBound..<start + part.upperBound, to: &output)
  }

  /// The line of a task with its line feed; `nil` when it is not in the state.
  func line(_ row: Int) -> [UInt8]? {
    let count = lineBytes(of: row..<row + 1)
    guard count > 0 else { return nil }
    var line: [UInt8] = []
    appendLines(of: row..<row + 1, 0..<count, to: &line)
    return line
  }

  // MARK: Skips

  private func reasonNumber(_ index: Int) -> UInt8 {
    memory.load(offsets[2] + Self.skipCount * index + 52, as: UInt8.self)
  }

  private func skip(_ index: Int) -> KeptSkip {
    let offset = offsets[2] + Self.skipCount * index
    let hasTodo = memory.load(offset + 53, as: UInt8.self) != 0
    return KeptSkip(
      node: Self.id(at: offset, memory), reason: SkipReason.allCases[Int(reasonNumber(index))],
      todo: hasTodo ? Self.uuid(at: offset + 32, memory) : nil,
      place: Int(memory.load(offset + 48, as: UInt32.self)))
  }

  /// What has no effect in the tasks of some rows, task by task.
  ///
  /// - Parameter rows: the rows.
  /// - Returns: the skips.
  package func skips(of rows: Range<Int>) -> [KeptSkip] {
    (skipStart(rows.lowerBound)..<skipStart(rows.upperBound)).map { skip($0) }
  }

  /// All that has no effect.
  package var skips: [KeptSkip] { (0..<skipCount).map { skip($0) } }
}

/// Something without effect, by the names of things.
package struct KeptSkip: Sendable {
  /// The node.
  package let node: ObjectID
  /// Why.
  package let reason: SkipReason
  /// The todo that it would have been about.
  package let todo: TaskID?
  /// The place of the node in the total order of the set.
  package let place: Int
}
