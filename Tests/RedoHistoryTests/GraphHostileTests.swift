// Parts of a graph that somebody wrote to do harm: their numbers point anywhere. They are refused, or every question
// about them is answered; the answers may be wrong, which is found elsewhere.

import CanonicalJSON
import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoHistory

@Suite("Graph, hostile")
struct GraphHostileTests {
  /// The bytes of a part that holds some nodes.
  private static func bytes(
    _ nodes: some Sequence<Node>, on base: GraphSegment? = nil
  ) throws -> [UInt8] {
    var builder = GraphBuilder()
    for node in nodes {
      let node = HistoryNode(node)
      builder.add(node, fingerprint: node.fingerprint, received: 7)
    }
    return try builder.finish(
      on: base, receivedBytes: 100, receivedEnd: [UInt8](repeating: 1, count: 32),
      signatureMark: [UInt8](repeating: 9, count: 32))
  }

  private static func nodes(_ count: Int) -> [Node] {
    var maker = NodeMaker()
    var nodes: [Node] = []
    for number in 0..<count {
      nodes.append(
        maker.node(
          task: number % 3, parents: Set(nodes.suffix(2).map(\.id)).sorted(),
          lamport: UInt64(number + 1), milliseconds: Int64(number),
          action: number % 5 == 4 ? "DELETE" : "UPDATE"))
    }
    return nodes
  }

  /// Asks for everything that has been checked.
  private static func askAll(_ graph: Graph, _ ids: [ObjectID]) {
    for id in ids { _ = graph.position(of: id) }
    _ = graph.authors.map(\.deviceID)
    _ = graph.actionNames
    var walk = WholeWallWalk(graph)
    var shown = 0
    while walk.next() != nil { shown += 1 }
    // A forged order may name a node twice, and then its parents; there are at most two of them each.
    #expect(shown <= 8 * graph.count)
    for columns: GraphSegment.Columns in [.ids, .parents, .clocks, .labels, .data, .fingerprints] {
      for range in [0..<graph.count, graph.count / 2..<graph.count, 0..<(graph.count + 1) / 2]
      where graph.check(columns, of: range) {
        ask(graph, columns, range)
      }
    }
    if graph.check(.all, of: 0..<graph.count), graph.count > 0 {
      _ = graph.reachable(from: [graph.count - 1])
      for position in 0..<graph.count { _ = graph.parentIDs(at: position) }
      replay(graph)
    }
  }

  /// Asks for what follows from all of it.
  private static func replay(_ graph: Graph) {
    let cuts = [
      Cut(whole: graph), Cut(of: graph, members: (0..<graph.count).map { $0 % 4 != 1 }),
    ]
    for cut in cuts {
      let nodes = TaskNodes(graph, cut)
      var replay = Replay(graph, cut, nodes)
      var output: [UInt8] = []
      for task in nodes.tasks {
        replay.state(of: task)?.appendJSON(to: &output)
        _ = replay.explain(task)
        _ = replay.livingHeads(of: task)
      }
    }
    let last = graph.count - 1
    _ = MergeBase.best([last], [last / 2], in: graph)
    _ = TaskHeads.marks(of: graph, members: nil)
    let point = PointInTime.instant(WallTime(milliseconds: 5), .closed)
    _ = point.leftOut(of: graph, members: point.members(of: graph))
    _ = PackOrder.positions(of: cuts[0], in: graph)
    _ = TouchedTasks.between(
      graph, (0..<graph.count).map { $0 < last }, (0..<graph.count).map { $0 > 0 })
  }

  private static func ask(_ graph: Graph, _ columns: GraphSegment.Columns, _ range: Range<Int>) {
    var output: [UInt8] = []
    for position in range {
      switch columns {
      case .ids: _ = graph.id(at: position)
      case .fingerprints: _ = graph.fingerprint(at: position)
      case .parents:
        graph.forEachParent(at: position) { #expect((0..<graph.count).contains($0)) }
      case .clocks:
        _ = graph.lamport(at: position)
        graph.appendWallText(at: position, to: &output)
        var received: [UInt8] = []
        WallTime(milliseconds: graph.received(at: position) ?? 0).append(to: &received)
      case .labels:
        let task = graph.task(at: position)
        if task >= 0 { _ = graph.taskID(task) }
        graph.appendActionName(at: position, to: &output)
        _ = graph.author(at: position)
      default: graph.appendData(at: position, to: &output)
      }
    }
    if columns == .fingerprints { graph.appendFingerprints(of: range, to: &output) }
  }

  /// What is put in the place of numbers of some bytes.
  private static func words(_ width: Int) -> [UInt64] {
    let long: [UInt64] = [0xFF_FFFF_FFFF, UInt64(Int64.max), 1 << 63, .max, .max - 1]
    let short: [UInt64] = [
      0, 1, 2, 0x7F, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFE, 0xFFFF_FFFF,
    ]
    // Of the long ones four bytes hold what is among the short ones.
    return width == 4 ? short : short + long
  }

  private static func put(_ word: UInt64, _ width: Int, at offset: Int, in bytes: inout [UInt8]) {
    for index in 0..<width {
      bytes[offset + index] = UInt8(truncatingIfNeeded: word >> (8 * index))
    }
  }

  /// Contents that no node has, or not with this action.
  private static let contents: [StaticString] = [
    "", "{", "[]", "{}", "7", #"{"fields":7}"#, #"{"payload":[]}"#, #"{"fields":{"title":7}}"#,
    #"{"fields":{"todos":[7,"a",{"todoTaskId":7}],"title":null}}"#,
    #"{"fields":{"todos":[{"deadline":[],"notes":7,"completed":{}}],"todoTaskId":"a"}}"#,
    #"{"fields":{"daysToExtend":9223372036854775807,"todoTaskId":"7a000000-0000-4000-8000-0000000000aa"}}"#,
    #"{"fields":{"daysToExtend":-9223372036854775807,"todoTaskId":"7a000000-0000-4000-8000-0000000000aa"}}"#,
    #"{"fields":{"daysToExtend":-800000,"notes":7,"todoTaskId":"7a000000-0000-4000-8000-0000000000aa"}}"#,
    #"{"fields":{"newDeadline":7,"notes":["\\"],"todoTaskId":"7a000000-0000-4000-8000-0000000000aa"}}"#,
    #"{"payload":{"policy":{"defaultStrategy":"union"},"resolutions":{"task":[{"path":7}]}}}"#,
    #"{"payload":{"resolutions":{"task":[{"path":"title","strategy":"max"}],"todos":7}}}"#,
    "{\"fields\":{\"title\":\"\u{0}\"}}", #"{"fields":{"a":1,"a":2}}"#, #"{"fields":{"a":1e999}}"#,
  ]

  @Test("contents that no node has trap nowhere, and what is no content is told of")
  func contents() {
    let actions: [Action] = [.create, .update, .addTodo, .completeTodo, .snooze, .complete, .merge]
    let sound: StaticString =
      #"{"fields":{"deadline":"2024-05-01T10:00:00.000Z","title":"a","todoTaskId":"7a000000-0000-4000-8000-0000000000aa"}}"#
    for content in Self.contents {
      for place in actions.indices {
        var log = ColumnLog(rows: [], taskCount: 1)
        for (number, action) in actions.enumerated() {
          log.rows.append(
            ColumnLog.Row(
              action: action, parents: number > 0 ? [Int32(number - 1)] : [],
              data: number == place ? content : sound))
        }
        let cut = Cut(whole: log)
        var replay = Replay(log, cut, TaskNodes(log, cut))
        let state = replay.state(of: 0)
        var output: [UInt8] = []
        state?.appendJSON(to: &output)
        if let state {
          for property in TaskProperty.allCases {
            _ = QueryItem(state, at: .latest).value(of: .task(property))
          }
        }
        _ = replay.explain(0)
        let text = Array("\(content)".utf8)
        var scanner = Scanner()
        if (try? scanner.scan(text.span)) == nil {
          let isDamaged = replay.isDamaged
          #expect(isDamaged)
        }
      }
    }
  }

  @Test("every number of a part that stands alone may be any other")
  func alone() throws {
    let nodes = Self.nodes(12)
    let good = try Self.bytes(nodes)
    var accepted = 0
    for width in [1, 4, 8] {
      for offset in stride(from: 0, through: good.count - width, by: width == 1 ? 1 : 4) {
        for word in width == 1
          ? [UInt64(good[offset] ^ 0x80), UInt64(good[offset] ^ 1)] : Self.words(width)
        {
          var bytes = good
          Self.put(word, width, at: offset, in: &bytes)
          guard let segment = GraphSegment(GraphMemory(bytes)) else { continue }
          _ = segment.fault(on: nil)
          guard let graph = Graph(base: segment) else { continue }
          accepted += 1
          Self.askAll(graph, nodes.map(\.id))
        }
      }
    }
    #expect(accepted > 1_000)
  }

  @Test("every number of a part upon another may be any other")
  func upon() throws {
    let nodes = Self.nodes(14)
    let base = try #require(GraphSegment(GraphMemory(try Self.bytes(nodes[..<9]))))
    let good = try Self.bytes(nodes[9...], on: base)
    var accepted = 0
    for width in [4, 8] {
      for offset in stride(from: 0, through: good.count - width, by: 4) {
        for word in Self.words(width) {
          var bytes = good
          Self.put(word, width, at: offset, in: &bytes)
          guard let segment = GraphSegment(GraphMemory(bytes)) else { continue }
          _ = segment.fault(on: base)
          guard segment.stands(on: base), let graph = Graph(base: base, tail: segment) else {
            continue
          }
          accepted += 1
          Self.askAll(graph, nodes.map(\.id))
        }
      }
    }
    #expect(accepted > 100)
  }

  @Test("every number of the lower of two parts may be any other")
  func below() throws {
    let nodes = Self.nodes(14)
    let good = try Self.bytes(nodes[..<9])
    let base = try #require(GraphSegment(GraphMemory(good)))
    let tail = try #require(GraphSegment(GraphMemory(try Self.bytes(nodes[9...], on: base))))
    var accepted = 0
    for width in [4, 8] {
      for offset in stride(from: 0, through: good.count - width, by: 4) {
        for word in Self.words(width) {
          var bytes = good
          Self.put(word, width, at: offset, in: &bytes)
          guard let segment = GraphSegment(GraphMemory(bytes)), tail.stands(on: segment),
            let graph = Graph(base: segment, tail: tail)
          else { continue }
          accepted += 1
          Self.askAll(graph, nodes.map(\.id))
        }
      }
    }
    #expect(accepted > 1_000)
  }
}
