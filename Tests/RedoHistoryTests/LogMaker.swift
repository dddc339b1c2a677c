// Logs made by hand: nodes of any action and content, a minute apart.

import RedoHistory
import RedoObject

/// Makes a log node by node.
struct LogMaker {
  private(set) var nodes: [HistoryNode] = []
  private var lamports: [ObjectID: UInt64] = [:]

  /// Tasks are named by a digit.
  static func task(_ number: Int) -> String { "7a000000-0000-4000-8000-00000000000\(number)" }
  /// Todos, too.
  static func todo(_ number: Int) -> String { "7b000000-0000-4000-8000-00000000000\(number)" }

  /// Adds a node; its lamport is one above its parents', unless it is given.
  ///
  /// `fields` are members of the content without braces, `data` is the whole of `data` in place of
  /// them, `wall` are minutes after 08:00: as many as there are nodes unless they are given.
  @discardableResult
  mutating func add(
    _ action: String, _ fields: String = "", _ parents: [ObjectID] = [], task: Int = 1,
    data: String? = nil, lamport: UInt64? = nil, wall: Int? = nil, isBroken: Bool = false
  ) -> ObjectID {
    let minute = wall ?? nodes.count
    let time = WallTime(milliseconds: 1_740_816_000_000 + Int64(minute) * 60_000).text
    let clock = lamport ?? (parents.compactMap { lamports[$0] }.max() ?? 0) + 1
    let key = String(repeating: "5a", count: 32)
    let text = """
      {"action":"\(action)",\
      "author":{"deviceId":"d","publicKey":"\(key)","userId":"\(key.prefix(32))"},\
      "data":\(data ?? "{\"fields\":{\(fields)}}"),\
      "parents":[\(parents.map { "\"\($0.text)\"" }.joined(separator: ","))],\
      \(task == 0 ? "" : "\"taskId\":\"\(Self.task(task))\",")\
      "timestamp":{"lamport":\(clock),"wall":"\(time)"},"version":1}
      """
    var decoder = NodeDecoder()
    guard let node = decoder.decode(Array(text.utf8).span) else {
      preconditionFailure("not a node: \(text) \(decoder.findings)")
    }
    nodes.append(isBroken ? HistoryNode(BrokenNode(node)) : HistoryNode(node))
    lamports[node.id] = clock
    return node.id
  }

  /// The log.
  var log: NodeHistory { NodeHistory(nodes) }

  /// The states of the tasks, by their digits.
  var states: [Int: TaskState] {
    let log = log
    let cut = Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    var replay = Replay(log, cut, nodes)
    var states: [Int: TaskState] = [:]
    for task in nodes.tasks {
      let state = replay.state(of: task)
      states[Int(log.taskID(task).text.suffix(1)) ?? 0] = state
    }
    return states
  }

  /// What has no effect: its place in the log as it was made, and why.
  var skips: [String] {
    let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.order.id.text, $0) })
    return Replayed(log).skips.map { skip in
      let words = skip.split(separator: " ")
      return "\(places[String(words[0])] ?? -1) \(words[1])"
    }
  }
}

extension TaskState {
  /// The JSON text of a member.
  func text(_ key: FieldKey) -> String? { value(key).map { String(decoding: $0, as: UTF8.self) } }

  /// The JSON text of a member that the protocol does not name.
  func other(_ name: String) -> String? { text(.other(Array(name.utf8))) }

  /// The whole state.
  var json: String {
    var output: [UInt8] = []
    appendJSON(to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}
