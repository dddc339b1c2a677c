// Makes a part of a graph: nodes are added in whatever order they come, and written in total order.

package import RedoObject

/// Collects nodes and writes them as columns.
package struct GraphBuilder {
  /// Why a part cannot be made.
  package enum Failure: Error {
    /// A parent is in neither part: the nodes are not a closed history.
    case parentMissing(ObjectID)
  }

  private var index: [ObjectID: Int32] = [:]
  private var ids: [ObjectID] = []
  private var parentStarts: [Int32] = [0]
  private var parents: [ObjectID] = []
  private var lamports: [UInt64] = []
  private var walls: [Int64] = []
  private var received: [Int64] = []
  private var actions: [Int32] = []
  private var tasks: [Int32] = []
  private var authors: [Int32] = []
  private var marks: [UInt8] = []
  private var fingerprints: [NodeFingerprint] = []
  private var dataStarts: [Int] = [0]
  private var data: [UInt8] = []
  private var taskTable = Table<TaskID>()
  private var actionTable = Table<[UInt8]>()
  private var authorTable = Table<[UInt8]>()

  /// Values that are written once and named by numbers.
  private struct Table<Value: Hashable> {
    var values: [Value] = []
    private var index: [Value: Int32] = [:]

    mutating func number(of value: Value) -> Int32 {
      if let known = index[value] { return known }
      let number = Int32(values.count)
      index[value] = number
      values.append(value)
      return number
    }
  }

  /// No nodes yet.
  package init() {}

  /// The number of nodes.
  package var count: Int { ids.count }

  /// Makes room for this many nodes.
  package mutating func reserve(_ count: Int) {
    index.reserveCapacity(count)
    ids.reserveCapacity(count)
  }

  /// Adds a node; one that is there already is skipped.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - fingerprint: its fingerprint as it is kept.
  ///   - milliseconds: when it was received, since 1970.
  package mutating func add(
    _ node: HistoryNode, fingerprint: NodeFingerprint, received milliseconds: Int64
  ) {
    // A node may be noted twice in the received log: the first note counts.
    guard index[node.id] == nil else { return }
    index[node.id] = Int32(ids.count)
    ids.append(node.id)
    parents += node.parents
    parentStarts.append(Int32(parents.count))
    let order = node.order
    lamports.append(order.lamport.value)
    walls.append(order.wall.milliseconds)
    received.append(milliseconds)
    fingerprints.append(fingerprint)
    tasks.append(node.taskID.map { taskTable.number(of: $0) } ?? -1)
    switch node {
    case .whole(let node): add(node)
    case .broken(let node):
      actions.append(actionTable.number(of: Array((node.action?.rawValue ?? "").utf8)))
      authors.append(authorTable.number(of: GraphAuthor.nobody))
      marks.append(GraphMarks([.isBroken, .hasFraction]).rawValue)
    }
    dataStarts.append(data.count)
  }

  /// Adds what only a whole node has.
  private mutating func add(_ node: Node) {
    actions.append(actionTable.number(of: Array(node.escapedText(.action) ?? [])))
    authors.append(authorTable.number(of: GraphAuthor.bytes(of: node)))
    var own: GraphMarks = []
    // `YYYY-MM-DDTHH:MM:SS.mmmZ` has 24 bytes.
    if node.escapedText(.wall)?.count == 24 { own.insert(.hasFraction) }
    if node.signature != nil { own.insert(.isSigned) }
    marks.append(own.rawValue)
    data += node.data
  }

  /// Adds an object of another kind than a node, of which only the place in its history counts.
  ///
  /// - Parameters:
  ///   - id: the object; one that is there already is skipped.
  ///   - place: where it stands.
  ///   - milliseconds: when it was received, since 1970.
  package mutating func add(
    _ id: ObjectID, _ place: HistoryPlace, received milliseconds: Int64
  ) {
    guard index[id] == nil else { return }
    index[id] = Int32(ids.count)
    ids.append(id)
    parents += place.parents
    parentStarts.append(Int32(parents.count))
    lamports.append(place.lamport.value)
    walls.append(place.wall.milliseconds)
    received.append(milliseconds)
    fingerprints.append(NodeFingerprint(id: id, signature: nil))
    tasks.append(-1)
    actions.append(actionTable.number(of: []))
    authors.append(authorTable.number(of: GraphAuthor.nobody))
    // It has no content that replay could look for.
    marks.append(GraphMarks([.isBroken, .hasFraction]).rawValue)
    dataStarts.append(data.count)
  }

  /// Adds the nodes of a part again.
  ///
  /// - Parameters:
  ///   - segment: a part all of whose bytes have been checked.
  ///   - base: the part below this one, if any; its ids have been checked.
  package mutating func add(_ segment: GraphSegment, on base: GraphSegment?) {
    let taskNumbers = (0..<segment.head.taskCount).map {
      taskTable.number(of: segment.taskID($0))
    }
    let actionNumbers = (0..<segment.head.actionCount).map {
      actionTable.number(of: segment.actionName($0))
    }
    let authorNumbers = (0..<segment.head.authorCount).map {
      authorTable.number(of: segment.authorBytes($0))
    }
    reserve(count + segment.count)
    for position in 0..<segment.count {
      let id = segment.id(position)
      guard index[id] == nil else { continue }
      index[id] = Int32(ids.count)
      ids.append(id)
      for place in segment.parentRange(position) {
        let parent = segment.parent(place)
        let below = Int(parent & ~GraphSegment.belowMark)
        if parent & GraphSegment.belowMark == 0 {
          parents.append(segment.id(below))
        } else if let base {
          parents.append(base.id(below))
        }
      }
      parentStarts.append(Int32(parents.count))
      lamports.append(segment.lamport(position))
      walls.append(segment.wall(position))
      received.append(segment.received(position))
      actions.append(actionNumbers[segment.action(position)])
      let task = segment.task(position)
      tasks.append(task < 0 ? -1 : taskNumbers[task])
      authors.append(authorNumbers[segment.author(position)])
      marks.append(segment.marks(position).rawValue)
      fingerprints.append(segment.fingerprint(position))
      data += segment.data(position)
      dataStarts.append(data.count)
    }
  }

  /// Writes the part.
  ///
  /// - Parameters:
  ///   - base: the part below this one, if any.
  ///   - receivedBytes: the bytes of the received log that both cover.
  ///   - receivedEnd: the last 32 bytes of those.
  ///   - signatureMark: the mark of signatures before the first node was read, 32 bytes.
  /// - Returns: the bytes.
  /// - Throws: `parentMissing`.
  package func finish(
    on base: GraphSegment?, receivedBytes: Int, receivedEnd: [UInt8], signatureMark: [UInt8]
  ) throws(Failure) -> [UInt8] {
    var resolved = [UInt32](repeating: 0, count: parents.count)
    for (place, parent) in parents.enumerated() {
      if let own = index[parent] {
        resolved[place] = UInt32(own)
      } else if let below = base?.index(of: parent) {
        resolved[place] = UInt32(below) | GraphSegment.belowMark
      } else {
        throw .parentMissing(parent)
      }
    }
    let isSorted = isSorted(resolved, base)
    let order = order(resolved, isSorted: isSorted)
    var head = GraphHead()
    head.nodeCount = count
    head.parentCount = parents.count
    head.taskCount = taskTable.values.count
    head.actionCount = actionTable.values.count
    head.authorCount = authorTable.values.count
    head.baseCount = base?.count ?? 0
    head.baseReceivedBytes = base?.receivedBytes ?? 0
    head.flags = isSorted ? .isSorted : []
    if marks.contains(where: { GraphMarks(rawValue: $0).contains(.isBroken) }) {
      head.flags.insert(.hasBroken)
    }
    head.receivedBytes = receivedBytes
    head.receivedEnd = receivedEnd
    head.signatureMark = signatureMark
    return write(&head, order, resolved)
  }

  private func isSorted(_ resolved: [UInt32], _ base: GraphSegment?) -> Bool {
    for position in 0..<count {
      for place in parentStarts[position]..<parentStarts[position + 1] {
        let parent = resolved[Int(place)]
        let greatest =
          parent & GraphSegment.belowMark == 0
          ? lamports[Int(parent)]
          : base?.lamport(Int(parent & ~GraphSegment.belowMark)) ?? .max
        if lamports[position] <= greatest { return false }
      }
    }
    return true
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    if lamports[one] != lamports[other] { return lamports[one] < lamports[other] }
    if walls[one] != walls[other] { return walls[one] < walls[other] }
    return ids[one] < ids[other]
  }

  private func order(_ resolved: [UInt32], isSorted: Bool) -> [Int] {
    // Where every clock is above those of its parents, the clocks alone are the order.
    if isSorted { return (0..<count).sorted { isBefore($0, $1) } }
    return TotalOrder.positions(
      count: count, isBefore: { isBefore($0, $1) },
      forEachParent: { position, body in
        for place in parentStarts[position]..<parentStarts[position + 1]
        where resolved[Int(place)] & GraphSegment.belowMark == 0 {
          body(Int(resolved[Int(place)]))
        }
      })
  }

  /// The nodes in the order of a walk by wall time, as if there were no part below or on top.
  private func wallOrder(_ resolved: [UInt32]) -> [Int] {
    WallWalk.order(
      count: count,
      isLater: { one, other in
        if walls[one] != walls[other] { return walls[one] > walls[other] }
        if lamports[one] != lamports[other] { return lamports[one] > lamports[other] }
        return ids[one] > ids[other]
      },
      forEachParent: { position, body in
        for place in parentStarts[position]..<parentStarts[position + 1]
        where resolved[Int(place)] & GraphSegment.belowMark == 0 {
          body(Int(resolved[Int(place)]))
        }
      })
  }

  private func write(_ head: inout GraphHead, _ order: [Int], _ resolved: [UInt32]) -> [UInt8] {
    var place = [UInt32](repeating: 0, count: count)
    for (index, position) in order.enumerated() { place[position] = UInt32(index) }
    var writer = SectionWriter(reserving: GraphHead.byteCount + 128 * count + data.count)
    writer.section { output in
      for position in order { ids[position].appendRaw(to: &output) }
    }
    writer.section { output in
      for index in (0..<count).sorted(by: { ids[order[$0]] < ids[order[$1]] }) {
        put(UInt32(index), &output)
      }
    }
    writer.section { output in
      var start: UInt32 = 0
      put(start, &output)
      for position in order {
        start += UInt32(parentStarts[position + 1] - parentStarts[position])
        put(start, &output)
      }
    }
    writer.section { output in
      for position in order {
        for parent in resolved[Int(parentStarts[position])..<Int(parentStarts[position + 1])] {
          put(parent & GraphSegment.belowMark == 0 ? place[Int(parent)] : parent, &output)
        }
      }
    }
    writer.section { output in for position in order { put(lamports[position], &output) } }
    writer.section { output in for position in order { put(walls[position], &output) } }
    writer.section { output in for position in order { put(received[position], &output) } }
    writer.section { output in for position in order { put(actions[position], &output) } }
    writer.section { output in for position in order { put(tasks[position], &output) } }
    writer.section { output in for position in order { put(authors[position], &output) } }
    writer.section { output in for position in order { output.append(marks[position]) } }
    writer.section { output in
      for position in order { fingerprints[position].appendRaw(to: &output) }
    }
    writer.section { output in
      for position in wallOrder(resolved) { put(place[position], &output) }
    }
    writer.section { output in
      var start = 0
      put(UInt64(start), &output)
      for position in order {
        start += dataStarts[position + 1] - dataStarts[position]
        put(UInt64(start), &output)
      }
    }
    writer.section { output in
      for position in order { output += data[dataStarts[position]..<dataStarts[position + 1]] }
    }
    writer.section { output in
      for task in taskTable.values { output.append(task.bytes.span) }
    }
    writer.table(actionTable.values)
    writer.table(authorTable.values)
    head.offsets = writer.offsets + [writer.bytes.count]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(GraphHead.byteCount)
    head.append(to: &bytes)
    writer.bytes.replaceSubrange(0..<GraphHead.byteCount, with: bytes)
    return writer.bytes
  }
}

/// Writes sections one after the other.
private struct SectionWriter {
  var bytes: [UInt8]
  var offsets: [Int] = []

  init(reserving count: Int) {
    bytes = []
    bytes.reserveCapacity(count)
    bytes.append(contentsOf: repeatElement(0, count: GraphHead.byteCount))
  }

  mutating func section(_ body: (inout [UInt8]) -> Void) {
    offsets.append(bytes.count)
    body(&bytes)
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  mutating func table(_ values: [[UInt8]]) {
    section { output in
      var start: UInt32 = 0
      put(start, &output)
      for value in values {
        start += UInt32(value.count)
        put(start, &output)
      }
    }
    section { output in for value in values { output += value } }
  }
}

private func put<Number: FixedWidthInteger>(_ value: Number, _ output: inout [UInt8]) {
  // SAFETY: the bytes of a number, copied while it is there.
  unsafe withUnsafeBytes(of: value.littleEndian) { unsafe output.append(contentsOf: $0) }
}
