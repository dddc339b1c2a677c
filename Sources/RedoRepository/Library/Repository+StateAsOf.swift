// The state that all nodes of a history add up to, at present or at any earlier point, as values.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// A point of a history for which the state is requested (redo-protocol(7), section 5).
public enum AsOf: Hashable, Sendable {
  /// The whole history.
  case now
  /// Up to the end of a day in UTC, `2024-05-01`, or to an instant, `2024-05-01T10:00:00.000Z`; also `now-7d` and
  /// `@<seconds since 1970>` (redo-revisions(7)).
  case date(String)
  /// Up to an instant, in milliseconds since 1970-01-01T00:00:00Z.
  case milliseconds(Int64)
  /// Up to a logical time, from 1 to 2^48.
  case lamport(UInt64)
  /// A node and its ancestors.
  case node(NodeID)

  /// The point as it is resolved.
  fileprivate func point(now: Int64) throws -> HistoryPoint {
    let text =
      switch self {
      case .now: "now"
      case .date(let text): text
      case .milliseconds(let milliseconds): WallTime(milliseconds: milliseconds).text
      case .lamport(let number): "lamport:\(number)"
      case .node(let id): id.description
      }
    if case .now = self { return .now }
    return try HistoryPoint(text, policy: nil, allowsEmpty: true, now: now)
  }
}

/// The state of all tasks at a point of the history.
public struct HistoryState: Hashable, Sendable {
  /// The number of nodes that count.
  public let nodes: Int
  /// The tasks in ascending order of ID.
  public let tasks: [TaskRecord]

  /// The state as lines of canonical JSON, one for each task: byte for byte the same in every store with the same
  /// nodes, and what `redo state` prints.
  public var jsonLines: String { tasks.map { $0.json + "\n" }.joined() }

  /// The SHA-256 of ``jsonLines``, `sha256:` and 64 hex digits: what `redo state --hash` prints.
  public var hash: String {
    var hash = SHA256()
    for task in tasks { hash.update(Array("\(task.json)\n".utf8).span) }
    return ObjectID(digest: hash.finalize()).text
  }
}

/// One task at a point of the history.
public struct TaskRecord: Hashable, Sendable, Identifiable {
  /// Its ID, a UUID in lower case.
  public let id: String
  /// Its title.
  public let title: String
  /// Whether it is completed.
  public let isCompleted: Bool
  /// Whether it is archived.
  public let isArchived: Bool
  /// The whole task, with its todos, as one line of canonical JSON (redo-protocol(7), section 3.1).
  public let json: String

  /// Creates a record from a replayed task.
  fileprivate init(_ state: TaskState) {
    id = state.id.text
    let title = Array((state.value(.title) ?? []).dropFirst().dropLast())
    self.title = String(decoding: StringEscape.unescape(title.span), as: UTF8.self)
    isCompleted = state.completion != nil
    isArchived = state.isArchived
    var line: [UInt8] = []
    state.appendJSON(to: &line)
    json = String(decoding: line, as: UTF8.self)
  }
}

extension Repository {
  /// Replays the history up to a point.
  ///
  /// - Parameter point: the point.
  /// - Returns: the state; it has no tasks when no node precedes the point.
  /// - Throws: `invalid` for a malformed date and for a node that is not in the history; `corrupt` or `missing` when a
  ///   node of the history cannot be read; `cancelled`, `system`.
  /// - Complexity: O(*n*) in nodes; the index of the store is used and updated, and all processors are used.
  public func state(asOf point: AsOf = .now) throws(RedoError) -> HistoryState {
    try RedoError.sorting {
      let point = try point.point(now: effects.clock())
      let history = try HistoryGraph.open(self, usesCache: true, .all)
      if history.members == nil, !history.graph.hasBroken {
        return try replay(history.graph, point)
      }
      let nodes = try HistoryLoad.nodes(from: HistoryLoad.heads(self), objects)
      let received = point.isInstant ? try HistoryLoad.received(self) : [:]
      return try replay(NodeHistory(nodes.nodes, received: received), point)
    }
  }

  private func replay<Log: HistoryLog & Sendable>(
    _ log: Log, _ point: HistoryPoint
  ) throws -> HistoryState {
    let members = try point.members(of: log, self)
    let cut = members.map { Cut(of: log, members: $0) } ?? Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    var tasks: [TaskRecord] = []
    _ = try ReplayRun(log, cut, nodes).replay(nodes.tasks, { TaskRecord($0) }) { rows in
      try effects.checkInterrupt()
      tasks += rows
    }
    return HistoryState(nodes: cut.count, tasks: tasks)
  }
}
