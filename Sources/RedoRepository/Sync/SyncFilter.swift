// Which part of a history is compared when less than all is requested: the words of a greeting (redo-wire(5)), the same
// on both sides.
//
//   task-<UUID, lower case>     the nodes of a task
//   since-<milliseconds>        the nodes with a wall time from then on
//   node-<64 hex>               the nodes that are named so
//   without-ancestors           of these, nothing but themselves
//
// Whatever else is requested, all ancestors belong to it: so what is sent never lacks a parent.

package import RedoHistory
package import RedoObject

/// A part of a history.
package struct SyncFilter: Equatable, Sendable {
  /// The nodes of this task; those of all tasks when `nil`.
  package var task: TaskID?
  /// The nodes with this wall time or a later one; all when `nil`.
  package var since: WallTime?
  /// These nodes, in ascending order; all when there are none.
  package var nodes: [ObjectID] = []
  /// Whether these nodes are requested without their ancestors.
  package var isBare = false

  /// Everything.
  package static let all = SyncFilter()

  private static let taskPrefix = "task-"
  private static let sincePrefix = "since-"
  /// The prefix of a node.
  static let nodePrefix = "node-"
  private static let bareWord = "without-ancestors"
  /// The most nodes, because a greeting has no room for more.
  package static let nodeLimit = 16

  /// The words of a greeting that request it.
  package var words: [String] {
    (task.map { [Self.taskPrefix + $0.text] } ?? [])
      + (since.map { ["\(Self.sincePrefix)\($0.milliseconds)"] } ?? [])
      + nodes.map { Self.nodePrefix + $0.hex } + (isBare ? [Self.bareWord] : [])
  }

  /// Creates a filter from its parts.
  ///
  /// - Parameters:
  ///   - task: the task; `nil` for all.
  ///   - since: the first wall time; `nil` for all.
  ///   - nodes: the nodes; empty for all.
  ///   - isBare: whether these are requested without their ancestors.
  package init(
    task: TaskID? = nil, since: WallTime? = nil, nodes: some Sequence<ObjectID> = [],
    isBare: Bool = false
  ) {
    self.task = task
    self.since = since
    self.nodes = nodes.sorted()
    self.isBare = isBare && !self.nodes.isEmpty
  }

  /// What a greeting requests; `nil` when it names two tasks or two times, or a word with one of these prefixes is
  /// malformed.
  ///
  /// - Parameter words: all words of a greeting.
  package init?(words: [String]) {
    for word in words {
      if word.hasPrefix(Self.taskPrefix) {
        let text = Array(word.utf8.dropFirst(Self.taskPrefix.utf8.count))
        guard task == nil, let task = TaskID(text.span), task.text.utf8.elementsEqual(text) else {
          return nil
        }
        self.task = task
      } else if word.hasPrefix(Self.sincePrefix) {
        let text = word.dropFirst(Self.sincePrefix.utf8.count)
        guard since == nil, let number = Int64(text), "\(number)" == text else { return nil }
        since = WallTime(milliseconds: number)
      } else if word.hasPrefix(Self.nodePrefix) {
        let text = Array(word.utf8.dropFirst(Self.nodePrefix.utf8.count))
        guard nodes.count < Self.nodeLimit, let id = ObjectID(hex: text.span) else { return nil }
        nodes.append(id)
      }
    }
    isBare = !nodes.isEmpty && words.contains(Self.bareWord)
  }

  /// The columns of the index that it needs.
  package var columns: GraphSegment.Columns { task == nil ? [] : .labels }

  /// Which nodes are requested themselves.
  ///
  /// - Parameter graph: the history; the columns have been checked.
  /// - Returns: for each position whether it is requested; `nil` when all are.
  package func matches(in graph: Graph) -> [Bool]? {
    guard self != .all else { return nil }
    var number: Int?
    if let task {
      number = (0..<graph.taskCount).first { graph.taskID($0) == task }
      guard number != nil else { return [Bool](repeating: false, count: graph.count) }
    }
    var isNamed: [Bool]?
    if !nodes.isEmpty {
      var named = [Bool](repeating: false, count: graph.count)
      for id in nodes { if let position = graph.position(of: id) { named[position] = true } }
      isNamed = named
    }
    return (0..<graph.count).map { position in
      if let isNamed, !isNamed[position] { return false }
      if let number, graph.task(at: position) != number { return false }
      return since.map { graph.wall(at: position) >= $0 } ?? true
    }
  }
}
