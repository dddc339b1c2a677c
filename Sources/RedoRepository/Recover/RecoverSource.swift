// The history to recover from: all of it, or what the heads of some tasks reach.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Reads the history of a store.
struct RecoverSource {
  private let opened: Repository
  private let names: [String]
  private let usesCache: Bool

  /// - Parameters:
  ///   - opened: the store.
  ///   - tasks: the names of the tasks to recover; all when there are none.
  ///   - usesCache: whether the index may be used.
  init(_ opened: Repository, tasks: [String], usesCache: Bool) {
    self.opened = opened
    names = tasks
    self.usesCache = usesCache
  }

  /// The index of the history.
  ///
  /// - Returns: `nil` when the nodes themselves have to be read: the index has more than is needed, or a node breaks a
  ///   rule, which has to be reported.
  func indexed(_ trace: Trace) throws -> Graph? {
    guard names.isEmpty, usesCache else { return nil }
    let history = try trace.measure("load") {
      try HistoryGraph.open(opened, usesCache: true, [.ids, .parents, .clocks, .labels])
    }
    let graph = history.graph
    guard history.members == nil, !graph.hasBroken else { return nil }
    // An index that somebody else wrote may name a node twice.
    let ids = Set((0..<graph.count).map { graph.id(at: $0) })
    return ids.count == graph.count ? graph : nil
  }

  /// The tasks to recover; `nil` for all.
  func tasks() throws -> Set<TaskID>? {
    guard !names.isEmpty else { return nil }
    return Set(try names.map { name throws in try TaskName.known(name, opened) })
  }

  /// The nodes, and the first rule that each broken one breaks.
  func load(
    _ trace: Trace
  ) throws -> (log: NodeHistory, broken: [ObjectID: Finding]) {
    var tasks: [TaskID] = []
    for name in names { tasks.append(try TaskName.known(name, opened)) }
    var tips: [ObjectID] = []
    for task in tasks {
      let heads = try HistoryLoad.heads(opened, tasks: [task])
      guard !heads.isEmpty else { throw RecoverFault.noChange(of: task) }
      tips += heads
    }
    if names.isEmpty { tips = try HistoryLoad.heads(opened) }
    let loaded = try trace.measure("load") {
      try HistoryLoad.nodes(from: tips, opened.objects)
    }
    let received = try HistoryLoad.received(opened)
    let broken = Dictionary(loaded.broken.map { ($0.id, $0.finding) }) { first, _ in first }
    return (trace.measure("order") { NodeHistory(loaded.nodes, received: received) }, broken)
  }
}

/// The history of a point in time.
struct RecoveredHistory {
  /// Its nodes, ready to enter a history.
  let admission: Admission
  /// When they were accepted, as far as known, in milliseconds since 1970.
  let received: [ObjectID: Int64]

  /// Creates a history from the nodes of a log that count.
  init(_ log: some HistoryLog, _ members: [Bool]) {
    admission = Admission(of: log, members: members)
    var received: [ObjectID: Int64] = [:]
    for position in 0..<log.count where members[position] {
      received[log.id(at: position)] = log.received(at: position)
    }
    self.received = received
  }

  /// The number of its nodes.
  var count: Int { admission.count }
  /// The number of its tasks.
  var taskCount: Int { admission.taskIDs.count { $0 != nil } }

  /// The heads of each task.
  var heads: [HeadsChange] {
    admission.headsChanges(heads: { _ in [] }, lookUp: { _ in nil })
  }
}
