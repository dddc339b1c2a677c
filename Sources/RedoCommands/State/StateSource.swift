// The nodes that are replayed: those that the heads or some tips reach, or those on standard input.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// What is known of a history that has been read, besides its nodes.
struct StateSource {
  /// The only tasks that are wanted; all when there are none.
  private(set) var tasks: [TaskID] = []
  /// Where the walk started; 0 for standard input.
  private(set) var tipCount = 0
  /// How many nodes break a rule.
  private(set) var brokenCount = 0
  /// Whether a line of standard input was refused.
  private(set) var hasRefused = false
  /// The store; `nil` for standard input.
  private(set) var opened: Repository?

  /// Whether it is known when nodes were received.
  var hasReceived: Bool { opened != nil }

  /// Opens the index of the history, if the whole of it is what the command line names.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - opened: the store, if it is open already.
  ///   - context: says where the store is.
  /// - Returns: `nil` when the nodes themselves have to be read: the heads do not reach all of the
  ///   index, or a node breaks a rule, which is to be said.
  /// - Throws: `fatal` when the history cannot be read.
  static func indexed(
    _ options: ParsedOptions, in opened: Repository? = nil, _ context: inout Context
  ) throws -> (log: Graph, source: StateSource)? {
    guard options.arguments.isEmpty, options.values(.task).isEmpty,
      options.flag(HistoryGraph.cache) ?? true
    else { return nil }
    let opened = if let opened { opened } else { try context.effects.openRepository() }
    let history = try context.trace.measure("load") {
      try HistoryGraph.open(opened, usesCache: true, .all)
    }
    guard history.members == nil, !history.graph.hasBroken else { return nil }
    var source = StateSource()
    source.opened = opened
    if options.has(State.trace) { source.tipCount = try HistoryLoad.heads(opened).count }
    return (history.graph, source)
  }

  /// Reads the nodes that the command line names.
  ///
  /// Of some tasks only their own heads are walked from: what a task's state depends on is above
  /// them.
  static func load(
    _ options: ParsedOptions, needsReceived: Bool, _ context: inout Context
  ) throws -> (log: NodeHistory, source: StateSource) {
    let opened = try context.effects.openRepository()
    var tasks: [TaskID] = []
    for name in options.values(.task) { tasks.append(try TaskName.known(name, opened)) }
    let revisions = Revisions(opened, now: context.clock())
    var (tips, hidden) = try revisions.walk(options.arguments)
    if options.arguments.isEmpty { tips = try HistoryLoad.heads(opened, tasks: tasks) }
    let trace = context.trace
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
      context.warning(
        Diagnosis.text(finding, of: id.text)
          + "; it is left out, with its descendants in the task [RECONSTRUCT_003]")
    }
    try source.choose(tasks, log)
    return (log, source)
  }

  /// Reads the nodes on standard input, a line each.
  static func read(
    _ options: ParsedOptions, _ context: inout Context
  ) throws -> (log: NodeHistory, source: StateSource) {
    var intake = Intake(Intake.Options(envelope: .strip, verifies: true), KeySources())
    var reader = HashLines.reader(context, patience: .untilFull)
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
          context.error(Diagnosis.text(finding, of: lines.name(record)) + " [RECONSTRUCT_003]")
        }
        // What is no JSON is no list of nodes: the rest would only repeat it.
        if errors.contains(where: \.isOfJSON) {
          throw CommandError(.refused, "nothing is replayed")
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
    // A good copy of a node counts, wherever it stands.
    let log = NodeHistory(good + broken)
    var source = StateSource()
    source.hasRefused = refused > 0
    source.brokenCount = refused
    var tasks: [TaskID] = []
    for name in options.values(.task) { tasks.append(try task(named: name, log)) }
    try source.choose(tasks, log)
    return (log, source)
  }

  /// The one task of the log whose id begins so.
  private static func task(
    named name: String, _ log: NodeHistory
  ) throws -> TaskID {
    if let task = TaskID(Array(name.utf8).span) { return task }
    let prefix = name.lowercased()
    guard prefix.utf8.count >= TaskName.shortest else {
      throw CommandError.fatal(
        "the beginning of a task id has at least \(TaskName.shortest) characters: '\(name)'")
    }
    let found = (0..<log.taskCount).map { log.taskID($0) }.filter { $0.text.hasPrefix(prefix) }
    guard let first = found.first else { throw CommandError.fatal("no task begins with '\(name)'") }
    guard found.count == 1 else {
      throw CommandError.fatal("'\(name)' is the beginning of several tasks")
    }
    return first
  }

  private mutating func choose(
    _ tasks: [TaskID], _ log: some HistoryLog
  ) throws {
    self.tasks = tasks
    let known = Set((0..<log.taskCount).map { log.taskID($0) })
    for task in tasks where !known.contains(task) {
      throw CommandError.fatal("no change is about task '\(task.text)'")
    }
  }
}
