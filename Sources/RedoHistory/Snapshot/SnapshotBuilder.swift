// Makes the bytes of a snapshot: the same bytes for the same set, whatever was known before.

package import RedoObject

/// Collects the tasks of a set in the order of their ids, and writes a snapshot.
package struct SnapshotBuilder {
  private let heads: [ObjectID]
  private let nodeCount: Int
  private var taskCount = 0
  private var stateCount = 0
  private var skipCount = 0
  private var rows: [UInt8] = []
  private var skips: [UInt8] = []
  /// The lines so far, each with its line feed.
  package private(set) var lines: [UInt8] = []
  private var last: TaskID?

  /// A snapshot of a set.
  ///
  /// - Parameters:
  ///   - heads: the nodes of the set without a child in it, sorted.
  ///   - nodeCount: the number of nodes of the set.
  package init(heads: [ObjectID], nodeCount: Int) {
    self.heads = heads
    self.nodeCount = nodeCount
  }

  /// Adds a task.
  ///
  /// - Parameters:
  ///   - task: its id, above all before it.
  ///   - line: its line without an end; `nil` when it is not in the state.
  ///   - skips: what has no effect in it.
  ///   - isOpen: whether it must be replayed when other nodes come, even if they concern other tasks.
  package mutating func add(
    _ task: TaskID, line: [UInt8]?, skips: [KeptSkip], isOpen: Bool
  ) {
    add(task, skips, isOpen: isOpen)
    guard let line else { return }
    lines += line
    lines.append(UInt8(ascii: "\n"))
    stateCount += 1
  }

  /// Adds a task as another snapshot has it.
  ///
  /// - Parameters:
  ///   - row: its row there.
  ///   - snapshot: the other snapshot; it has been checked.
  ///   - place: the place of a node in the total order of this set.
  package mutating func add(
    _ row: Int, of snapshot: StateSnapshot, _ place: (ObjectID) -> Int
  ) {
    let skips = snapshot.skips(of: row..<row + 1).map { skip in
      KeptSkip(node: skip.node, reason: skip.reason, todo: skip.todo, place: place(skip.node))
    }
    add(snapshot.taskID(row), skips, isOpen: snapshot.isOpen(row))
    guard let line = snapshot.line(row) else { return }
    lines += line
    stateCount += 1
  }

  private mutating func add(_ task: TaskID, _ skips: [KeptSkip], isOpen: Bool) {
    precondition(last.map { $0 < task } ?? true, "BUG: the tasks of a snapshot are not in order")
    last = task
    appendRow(task, isOpen ? .isOpen : [])
    taskCount += 1
    for skip in skips { append(skip) }
  }

  private mutating func appendRow(_ task: TaskID?, _ marks: StateSnapshot.Marks) {
    Self.append(task, to: &rows)
    Self.put(UInt64(lines.count), to: &rows)
    Self.put(UInt32(skipCount), to: &rows)
    Self.put(marks.rawValue, to: &rows)
  }

  private mutating func append(_ skip: KeptSkip) {
    skip.node.appendRaw(to: &skips)
    Self.append(skip.todo, to: &skips)
    Self.put(UInt32(clamping: skip.place), to: &skips)
    let number = SkipReason.allCases.firstIndex(of: skip.reason) ?? 0
    skips += [UInt8(number), skip.todo == nil ? 0 : 1, 0, 0]
    skipCount += 1
  }

  /// Ends the tasks, and writes everything.
  ///
  /// - Parameters:
  ///   - withoutTask: the nodes without effect and without a task.
  ///   - digest: the SHA-256 of bytes.
  /// - Returns: the bytes of the snapshot.
  package mutating func finish(
    withoutTask: [KeptSkip], digest: ([UInt8]) -> ObjectID
  ) -> [UInt8] {
    appendRow(nil, [])
    for skip in withoutTask { append(skip) }
    var output: [UInt8] = []
    output.reserveCapacity(
      StateSnapshot.headCount + 32 * heads.count + rows.count + skips.count + lines.count)
    Self.put(StateSnapshot.layoutVersion, to: &output)
    Self.put(StateSnapshot.rulesVersion, to: &output)
    digest(StateSnapshot.nameText(heads)).appendRaw(to: &output)
    for count in [nodeCount, heads.count, taskCount, stateCount, skipCount] {
      Self.put(UInt64(count), to: &output)
    }
    digest(lines).appendRaw(to: &output)
    var offset = StateSnapshot.headCount
    for count in [32 * heads.count, rows.count, skips.count, lines.count] {
      Self.put(UInt64(offset), to: &output)
      offset += count
    }
    Self.put(UInt64(offset), to: &output)
    precondition(output.count == StateSnapshot.headCount, "BUG: a head has another length")
    for head in heads { head.appendRaw(to: &output) }
    output += rows
    output += skips
    output += lines
    return output
  }

  private static func append(_ id: TaskID?, to output: inout [UInt8]) {
    for index in 0..<16 { output.append(id?.bytes[index] ?? 0) }
  }

  private static func put(_ value: some FixedWidthInteger, to output: inout [UInt8]) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      output.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
