// The nodes that are replayed: those that the heads or some tips reach, or those on standard input.

package import RedoHistory
package import RedoObject
internal import RedoStore

/// A history that has been read, without its nodes.
package struct StateSource {
  /// Which nodes are replayed.
  package struct Request: Sendable {
    /// Revisions and ranges; when there are none, everything that the heads reach.
    package var revisions: [String] = []
    /// The tasks to replay, by ID or prefix; all when there are none.
    package var tasks: [String] = []
    /// Whether the index of the history is read and kept.
    package var usesCache = true
    /// Whether the heads are counted if only the index is read.
    package var countsTips = false

    /// Creates a request for the whole history.
    package init() {}
  }

  /// The tasks to replay; all when there are none.
  package private(set) var tasks: [TaskID] = []
  /// The number of tips where the walk started; 0 for standard input.
  package private(set) var tipCount = 0
  /// The number of nodes that break a rule.
  package private(set) var brokenCount = 0
  /// Whether a line of standard input was refused.
  package private(set) var hasRefused = false
  /// The store; `nil` for standard input.
  package private(set) var opened: Repository?

  /// Whether it is known when nodes were received.
  package var hasReceived: Bool { opened != nil }

  /// Opens the index of the history, if the whole history is requested.
  ///
  /// - Parameters:
  ///   - request: the nodes.
  ///   - opened: the store, if it is open already.
  ///   - effects: says where the store is.
  /// - Returns: `nil` when the nodes themselves have to be read: the heads do not reach all of the index, or a node
  ///   breaks a rule, which has to be reported.
  /// - Throws: when the history cannot be read.
  package static func indexed(
    _ request: Request, in opened: Repository? = nil, _ effects: Effects
  ) throws -> (log: Graph, source: StateSource)? {
    guard request.revisions.isEmpty, request.tasks.isEmpty, request.usesCache else { return nil }
    let opened = if let opened { opened } else { try effects.openRepository() }
    let history = try effects.trace.measure("load") {
      try HistoryGraph.open(opened, usesCache: true, .all)
    }
    guard history.members == nil, !history.graph.hasBroken else { return nil }
    var source = StateSource()
    source.opened = opened
    if request.countsTips { source.tipCount = try HistoryLoad.heads(opened).count }
    return (history.graph, source)
  }

  /// Reads the requested nodes.
  ///
  /// For some tasks, only their own heads are walked from: a task's state depends only on these and their ancestors.
  package static func load(
    _ request: Request, in opened: Repository? = nil, needsReceived: Bool, _ effects: Effects
  ) throws -> (log: NodeHistory, source: StateSource) {
    let opened = if let opened { opened } else { try effects.openRepository() }
    var tasks: [TaskID] = []
    for name in request.tasks { tasks.append(try TaskName.known(name, opened)) }
    let revisions = Revisions(opened, now: effects.clock())
    var (tips, hidden, _) = try revisions.walk(request.revisions)
    if request.revisions.isEmpty { tips = try HistoryLoad.heads(opened, tasks: tasks) }
    let trace = effects.trace
    var loaded = try trace.measure("load") {
      try HistoryLoad.nodes(from: tips, opened.objects)
    }
    if !hidden.isEmpty { loaded.remove(try HistoryWalk.order(from: hidden, opened.objects)) }
    let asked = tasks.isEmpty ? nil : Set(loaded.nodes.map(\.id))
    let received = needsReceived ? try HistoryLoad.received(opened, of: asked) : [:]
    let log = trace.measure("order") { NodeHistory(loaded.nodes, received: received) }
    var source = StateSource()
    source.opened = opened
    source.tipCount = tips.count
    source.brokenCount = loaded.broken.count
    for (id, finding) in loaded.broken {
      effects.report(.replay(.leftOut(id, finding)))
    }
    try source.choose(tasks, log)
    return (log, source)
  }

  /// How many nodes of standard input are worked on together.
  private static let batchCount = 4096
  /// How many bytes of them are worked on together.
  private static let batchBytes = 8 << 20

  /// Reads the nodes on standard input, one per line.
  ///
  /// - Parameters:
  ///   - names: the tasks to replay; all when there are none.
  ///   - effects: the input; receives reports about lines that are refused.
  /// - Returns: the nodes.
  /// - Throws: `StateFault`; what reading throws.
  package static func read(
    tasks names: [String], _ effects: Effects
  ) throws -> (log: NodeHistory, source: StateSource) {
    var intake = Intake(Intake.Options(envelope: .strip, verifies: true), KeySources())
    var reader = BatchReader(
      LineReader(descriptor: effects.surroundings.standardInput, limitBytes: Node.byteLimit),
      recordLimit: batchCount, byteLimit: batchBytes, patience: .untilFull)
    let lines = RecordSources.Source(input: InputFile.standardInputName, unit: .lines)
    var good: [HistoryNode] = []
    var broken: [HistoryNode] = []
    var refused = 0
    var decoder = NodeDecoder(envelope: .strip)
    while let batch = try reader.next() {
      for (record, judged) in zip(batch.records, try intake.judge(batch)) {
        if let node = judged.node, !judged.isRefused {
          good.append(HistoryNode(node))
          continue
        }
        refused += 1
        let errors = judged.errors(.v1)
        for finding in errors {
          effects.report(.replay(.refused(finding, line: lines.name(record))))
        }
        // If a line is not JSON, the input is not a list of nodes: reading on would only repeat the error.
        if errors.contains(where: \.isOfJSON) {
          throw StateFault.noNodes
        }
        guard judged.mismatch == nil, record.state != .tooLong else { continue }
        if let node = judged.node {
          broken.append(HistoryNode(BrokenNode(node)))
        } else if let id = judged.statedID,
          let found = decoder.decodeBroken(batch.bytes.span.extracting(record.range), id: id)
        {
          broken.append(HistoryNode(found))
        }
      }
    }
    // A good copy of a node counts, wherever it is.
    let log = NodeHistory(good + broken)
    var source = StateSource()
    source.hasRefused = refused > 0
    source.brokenCount = refused
    var tasks: [TaskID] = []
    for name in names { tasks.append(try task(named: name, log)) }
    try source.choose(tasks, log)
    return (log, source)
  }

  /// The one task of the log whose ID begins with a text.
  private static func task(
    named name: String, _ log: NodeHistory
  ) throws -> TaskID {
    if let task = TaskID(Array(name.utf8).span) { return task }
    let prefix = name.lowercased()
    guard prefix.utf8.count >= TaskName.shortest else {
      throw StateFault.shortTask(name, shortest: TaskName.shortest)
    }
    let found = (0..<log.taskCount).map { log.taskID($0) }.filter { $0.text.hasPrefix(prefix) }
    guard let first = found.first else { throw StateFault.unknownTask(name) }
    guard found.count == 1 else {
      throw StateFault.ambiguousTask(name)
    }
    return first
  }

  private mutating func choose(
    _ tasks: [TaskID], _ log: some HistoryLog
  ) throws {
    self.tasks = tasks
    let known = Set((0..<log.taskCount).map { log.taskID($0) })
    for task in tasks where !known.contains(task) {
      throw StateFault.unusedTask(task)
    }
  }
}
