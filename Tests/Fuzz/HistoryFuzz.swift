// Parts of an index and snapshots in which numbers stand that lead anywhere, as somebody writes them who makes the
// hashes again: they are refused, or every question about them has an answer.
//
//   edits   3 bytes place, 1 byte what stands there, from a table or as it is; one after the other
//
// The first byte chooses what is edited.

import RedoCrypto
import RedoObject

@testable import RedoHistory

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let kind = bytes.first else { return 0 }
  let edits = bytes.dropFirst()
  switch kind % 4 {
  case 0:
    if let base = GraphSegment(GraphMemory(edit(Sample.base, edits))) {
      _ = base.fault(on: nil)
      ask(Graph(base: base))
      ask(Graph(base: base, tail: Sample.tailSegment))
    }
  case 1:
    if let tail = GraphSegment(GraphMemory(edit(Sample.tail, edits))) {
      _ = tail.fault(on: Sample.baseSegment)
      ask(Graph(base: Sample.baseSegment, tail: tail))
    }
  case 2:
    if let snapshot = StateSnapshot(GraphMemory(edit(Sample.snapshot, edits))) { ask(snapshot) }
  default:
    _ = GraphSegment(GraphMemory(Array(edits)))
    _ = StateSnapshot(GraphMemory(Array(edits)))
  }
  return 0
}

private let words: [UInt64] = [
  0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFF, 1 << 40,
  1 << 48, UInt64(Int64.max), 1 << 63, .max,
]

private func edit(_ sample: [UInt8], _ edits: ArraySlice<UInt8>) -> [UInt8] {
  var sample = sample
  var rest = edits
  while rest.count >= 4 {
    let own = Array(rest.prefix(4))
    rest = rest.dropFirst(4)
    let place = (Int(own[0]) | Int(own[1]) << 8 | Int(own[2]) << 16) % sample.count
    let kind = Int(own[3])
    // A byte as it is, or one of the numbers as 4 or 8 bytes.
    if kind < 128 {
      sample[place] = UInt8(truncatingIfNeeded: kind * 2) ^ sample[place]
      continue
    }
    let width = kind & 64 != 0 ? 8 : 4
    let word = words[kind % words.count]
    for index in 0..<width where place & ~3 + index < sample.count {
      sample[place & ~3 + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
    }
  }
  return sample
}

private func ask(_ graph: Graph?) {
  guard let graph, graph.check(.all, of: 0..<graph.count), graph.count > 0 else { return }
  let last = graph.count - 1
  var output: [UInt8] = []
  for position in 0..<graph.count {
    graph.forEachParent(at: position) { precondition($0 < position, "a parent after its child") }
    graph.appendWallText(at: position, to: &output)
    graph.appendActionName(at: position, to: &output)
    graph.appendData(at: position, to: &output)
    graph.appendFingerprints(of: position..<graph.count, to: &output)
    _ = (graph.lamport(at: position), graph.author(at: position), graph.received(at: position))
    _ = (graph.position(of: graph.id(at: position)), graph.task(at: position))
  }
  for cut in [
    Cut(whole: graph), Cut(of: graph, members: (0..<graph.count).map { $0 % 3 != 1 }),
  ] {
    let nodes = TaskNodes(graph, cut)
    var replay = Replay(graph, cut, nodes)
    for task in nodes.tasks {
      replay.state(of: task)?.appendJSON(to: &output)
      _ = replay.explain(task)
    }
    _ = Sample.stateSnapshot.basis(in: graph, cut)
  }
  _ = MergeBase.best([last], [last / 2], in: graph)
  let point = PointInTime.instant(WallTime(milliseconds: 3), .closed)
  _ = point.leftOut(of: graph, members: point.members(of: graph))
  _ = PackOrder.positions(of: Cut(whole: graph), in: graph)
}

private func ask(_ snapshot: StateSnapshot) {
  guard snapshot.check(withLines: true) else { return }
  _ = (snapshot.heads, snapshot.skips.count)
  let cut = Cut(whole: Sample.log)
  var output: [UInt8] = []
  snapshot.appendLines(
    of: 0..<snapshot.taskCount, 0..<snapshot.lineBytes(of: 0..<snapshot.taskCount), to: &output)
  guard let basis = snapshot.basis(in: Sample.log, cut) else { return }
  for rows in basis.kept { _ = (snapshot.skips(of: rows).count, snapshot.stateCount(of: rows)) }
  var builder = SnapshotBuilder(heads: snapshot.heads, nodeCount: snapshot.nodeCount)
  for rows in basis.kept { for row in rows { builder.add(row, of: snapshot) { _ in 0 } } }
  _ = builder.finish(withoutTask: []) { _ in snapshot.name }
}

/// A small history, as an index in two parts, and a snapshot of it.
private enum Sample {
  static let nodes: [Node] = {
    var nodes: [Node] = []
    for number in 0..<14 {
      let parents = Set(nodes.suffix(2).map(\.id)).sorted().map { "\"\($0.text)\"" }
      let action = ["CREATE", "UPDATE", "ADD_TODO", "SNOOZE", "MERGE", "DELETE", "OTHER"][
        number % 7]
      let todo = #""todoTaskId":"7a000000-0000-4000-8000-0000000000aa""#
      let content: String
      switch action {
      case "ADD_TODO": content = #"{"deadline":"2024-05-01T10:00:00.000Z",\#(todo)}"#
      case "SNOOZE": content = #"{"daysToExtend":3,\#(todo)}"#
      case "DELETE": content = "{}"
      default: content = #"{"title":"\#(number)"}"#
      }
      let text =
        #"{"action":"\#(action)","author":{"deviceId":"d","userId":"\#(String(repeating: "5a", count: 16))"},"#
        + #""data":{"fields":\#(content)},"parents":[\#(parents.joined(separator: ","))],"#
        + #""taskId":"7a000000-0000-4000-8000-00000000000\#(number % 3)","#
        + #""timestamp":{"lamport":\#(number + 1),"wall":"2024-05-01T10:00:00.00\#(number % 10)Z"},"version":1}"#
      var decoder = NodeDecoder()
      guard let node = decoder.decode(Array(text.utf8).span) else {
        preconditionFailure("no node: \(text) \(decoder.findings)")
      }
      nodes.append(node)
    }
    return nodes
  }()
  static let base = part(nodes[..<9], on: nil)
  static let baseSegment = segment(base)
  static let tail = part(nodes[9...], on: baseSegment)
  static let tailSegment = segment(tail)
  static let log = NodeHistory(nodes.map { HistoryNode($0) })
  static let snapshot: [UInt8] = {
    let cut = Cut(of: log, members: (0..<log.count).map { $0 < 10 })
    let tasks = TaskNodes(log, cut)
    var replay = Replay(log, cut, tasks)
    var builder = SnapshotBuilder(heads: cut.heads(in: log), nodeCount: cut.count)
    for task in tasks.tasks {
      var line: [UInt8] = []
      let state = replay.state(of: task)
      state?.appendJSON(to: &line)
      builder.add(
        log.taskID(task), line: state == nil ? nil : line,
        skips: replay.takeSkips().map { KeptSkip($0, log, cut) }, isOpen: task == 1)
    }
    return builder.finish(withoutTask: []) { ObjectID(digest: SHA256.digest(of: $0.span)) }
  }()
  static let stateSnapshot: StateSnapshot = {
    guard let found = StateSnapshot(GraphMemory(snapshot)), found.check(withLines: true) else {
      preconditionFailure("no snapshot")
    }
    return found
  }()

  private static func segment(_ bytes: [UInt8]) -> GraphSegment {
    guard let segment = GraphSegment(GraphMemory(bytes)) else { preconditionFailure("no part") }
    return segment
  }

  private static func part(_ nodes: ArraySlice<Node>, on base: GraphSegment?) -> [UInt8] {
    var builder = GraphBuilder()
    for node in nodes {
      let node = HistoryNode(node)
      builder.add(node, fingerprint: node.fingerprint, received: 7)
    }
    guard
      let bytes = try? builder.finish(
        on: base, receivedBytes: 100, receivedEnd: [UInt8](repeating: 1, count: 32),
        signatureMark: [UInt8](repeating: 9, count: 32))
    else { preconditionFailure("not closed") }
    return bytes
  }
}
