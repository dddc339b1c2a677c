// What an audit keeps about every object: its kind, and for a node its parents, its logical time and its task. About
// 100 bytes an object.

package import RedoHistory
package import RedoObject

/// What is known about some objects: those of a shard are in ascending order of ID, those of a frame are not.
package struct NodeFacts: Sendable {
  /// The kind of thing stored under an ID; of two copies the one that comes first here counts.
  package enum Kind: UInt8, Sendable {
    /// A node.
    case node
    /// A receipt.
    case receipt
    /// A schema.
    case schema
    /// Another object.
    case blob
    /// Bytes that are not an object, or not a node with a place in a history.
    case unreadable
    /// Nothing: only the index knows about it.
    case missing

    /// What an object of a kind is.
    init(_ kind: ObjectKind) {
      self =
        switch kind {
        case .node: .node
        case .receipt: .receipt
        case .schema: .schema
        case .blob: .blob
        }
    }

    /// The kind of the objects; `nil` for what is no object.
    var objectKind: ObjectKind? {
      switch self {
      case .node: .node
      case .receipt: .receipt
      case .schema: .schema
      case .blob: .blob
      case .unreadable, .missing: nil
      }
    }

    /// Whether it has a place in a history.
    var isOfHistory: Bool { objectKind?.hasHistory ?? false }
  }

  package fileprivate(set) var ids: [ObjectID] = []
  fileprivate var kinds: [Kind] = []
  fileprivate var lamports: [UInt64] = []
  fileprivate var tasks: [TaskID?] = []
  fileprivate var parents: [ObjectID] = []
  fileprivate var ends: [Int] = []
  fileprivate var judgements: [NodeJudgement] = []
  /// The DELETEs among them, and those that should not have been accepted.
  fileprivate var deletes: [ObjectID] = []
  fileprivate var broken: [ObjectID] = []
  /// The groups of the receipts and schemas among them.
  fileprivate var links: [ObjectID: GroupLink] = [:]
  /// The packs that they are in, numbered from 1; 0 for loose objects.
  fileprivate var packs: [UInt16] = []
  /// The pack that the next ones are in.
  package var pack: UInt16 = 0

  package mutating func append(
    _ id: ObjectID, _ kind: Kind, lamport: UInt64 = 0, task: TaskID? = nil,
    parents more: [ObjectID] = [], _ judgement: NodeJudgement = .unjudged
  ) {
    judgements.append(judgement)
    packs.append(pack)
    ids.append(id)
    kinds.append(kind)
    lamports.append(lamport)
    tasks.append(task)
    parents += more
    ends.append(parents.count)
  }

  /// Adds a receipt or a schema; `nil` for what should be one and has no place in a history.
  package mutating func append(
    _ id: ObjectID, _ object: GroupedObject?, _ judgement: NodeJudgement
  ) {
    guard let object else { return append(id, .unreadable, judgement) }
    let place = object.place
    links[id] = GroupLink(object, isInHistory: true)
    append(
      id, Kind(object.kind), lamport: place.lamport.value, parents: place.parents, judgement)
  }

  package mutating func append(_ node: HistoryNode, _ judgement: NodeJudgement) {
    if node.node == nil { broken.append(node.id) }
    if node.node?.action == .delete { deletes.append(node.id) }
    append(
      node.id, .node, lamport: node.order.lamport.value, task: node.taskID, parents: node.parents,
      judgement)
  }

  /// Adds what an index says about an object that cannot be read, or need not be.
  package mutating func append(
    _ id: ObjectID, _ kind: Kind, _ graph: Graph, at position: Int,
    _ judgement: NodeJudgement = .unjudged
  ) {
    let task = graph.task(at: position)
    if graph.isBroken(at: position) { broken.append(id) }
    if graph.action(at: position) == .delete { deletes.append(id) }
    append(
      id, kind, lamport: graph.lamport(at: position).value,
      task: task < 0 ? nil : graph.taskID(task), parents: graph.parentIDs(at: position), judgement)
  }

  fileprivate mutating func append(_ other: NodeFacts) {
    let start = parents.count
    ids += other.ids
    kinds += other.kinds
    lamports += other.lamports
    tasks += other.tasks
    judgements += other.judgements
    deletes += other.deletes
    broken += other.broken
    links.merge(other.links) { first, _ in first }
    packs += other.packs
    parents += other.parents
    ends += other.ends.map { $0 + start }
  }

  /// Copies the facts of one object.
  fileprivate mutating func append(_ other: NodeFacts, at place: Int) {
    let start = place == 0 ? 0 : other.ends[place - 1]
    pack = other.packs[place]
    append(
      other.ids[place], other.kinds[place], lamport: other.lamports[place],
      task: other.tasks[place], parents: Array(other.parents[start..<other.ends[place]]),
      other.judgements[place])
  }

  /// Notes what is made of another copy of the last object.
  fileprivate mutating func addCopy(_ judgement: NodeJudgement) {
    let last = judgements.count - 1
    if judgement.rawValue < judgements[last].rawValue { judgements[last] = judgement }
  }

  /// The number of objects.
  package var count: Int { ids.count }

  /// Whether the IDs are in ascending order without duplicates.
  fileprivate var isAscending: Bool {
    zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }
  }
}

/// What is known about all objects of a store, and about those that it lacks.
package struct NodeTable: Sendable {
  private var facts = NodeFacts()
  /// The number of objects that are in ascending order of ID; those that follow were added later.
  private var sortedCount = 0
  /// For each number, where the IDs begin whose first two bytes are at least that number.
  private var starts: [Int32] = []
  private var others: [ObjectID: Int] = [:]

  /// Adds the objects of the next shard or frame.
  package mutating func append(_ part: NodeFacts) { facts.append(part) }

  /// Notes what is made of a node that had to wait.
  package mutating func note(_ judgement: NodeJudgement, at place: Int) {
    facts.judgements[place] = judgement
  }

  /// Ends the list of objects that are here; from then on they are found by ID, and missing ones can be noted.
  package mutating func close() {
    findStarts()
    if !facts.isAscending {
      sort()
      findStarts()
    }
    sortedCount = facts.count
  }

  /// Finds out where the buckets begin.
  private mutating func findStarts() {
    starts = [Int32](repeating: 0, count: 65_537)
    for id in facts.ids { starts[Self.bucket(id) + 1] += 1 }
    for bucket in 1..<starts.count { starts[bucket] += starts[bucket - 1] }
  }

  /// Sorts all objects in ascending order, without duplicates.
  private mutating func sort() {
    var places = [Int32](repeating: 0, count: facts.count)
    var next = starts
    for (place, id) in facts.ids.enumerated() {
      let bucket = Self.bucket(id)
      places[Int(next[bucket])] = Int32(place)
      next[bucket] += 1
    }
    var sorted = NodeFacts()
    for bucket in 0..<starts.count - 1 {
      let range = Int(starts[bucket])..<Int(starts[bucket + 1])
      let order = places[range].sorted { left, right in
        let (left, right) = (Int(left), Int(right))
        if facts.ids[left] != facts.ids[right] { return facts.ids[left] < facts.ids[right] }
        return facts.kinds[left].rawValue < facts.kinds[right].rawValue
      }
      for place in order {
        if sorted.ids.last != facts.ids[Int(place)] {
          sorted.append(facts, at: Int(place))
        } else {
          sorted.addCopy(facts.judgements[Int(place)])
        }
      }
    }
    sorted.deletes = facts.deletes
    sorted.broken = facts.broken
    sorted.links = facts.links
    facts = sorted
  }

  private static func bucket(_ id: ObjectID) -> Int { Int(id[0]) << 8 | Int(id[1]) }

  /// How many nodes were judged, by what was made of them; each counts once, however many copies there are.
  ///
  /// What cannot be read counts as a node.
  package var judged: [NodeJudgement: Int] {
    var counts = [Int](repeating: 0, count: NodeJudgement.allCases.count)
    for (kind, judgement) in zip(facts.kinds, facts.judgements) where kind != .blob {
      counts[Int(judgement.rawValue)] += 1
    }
    var judged: [NodeJudgement: Int] = [:]
    for judgement in NodeJudgement.allCases where judgement != .unjudged {
      judged[judgement] = counts[Int(judgement.rawValue)]
    }
    return judged
  }

  /// Notes an object that is not here but in the index.
  package mutating func note(missing id: ObjectID, _ graph: Graph, at position: Int) {
    others[id] = facts.count
    facts.append(id, .missing, graph, at: position)
  }

  /// The DELETEs among the objects.
  package var deletes: [ObjectID] { facts.deletes }
  /// What is known about the group of a receipt or a schema.
  package func link(_ place: Int) -> GroupLink? { facts.links[facts.ids[place]] }
  /// The nodes that should not have been accepted.
  package var broken: [ObjectID] { facts.broken }

  /// The paths of the packs below `.redo`, in the order of their numbers.
  package var packPaths: [String] = []

  /// Creates an empty value.
  package init() {}

  /// The path of the file that an object is in.
  package func path(_ place: Int) -> String {
    let pack = Int(facts.packs[place])
    return pack > 0 && pack <= packPaths.count
      ? packPaths[pack - 1] : ObjectAudit.path(facts.ids[place])
  }

  /// The number of objects.
  package var count: Int { facts.count }

  /// The place of an object; `nil` when nothing is known about it.
  package func place(of id: ObjectID) -> Int? {
    let bucket = Self.bucket(id)
    var low = Int(starts[bucket])
    var high = Int(starts[bucket + 1])
    while low < high {
      let middle = (low + high) / 2
      if facts.ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    if low < sortedCount, facts.ids[low] == id { return low }
    return others[id]
  }

  package func id(_ place: Int) -> ObjectID { facts.ids[place] }
  package func kind(_ place: Int) -> NodeFacts.Kind { facts.kinds[place] }
  package func lamport(_ place: Int) -> UInt64 { facts.lamports[place] }
  package func task(_ place: Int) -> TaskID? { facts.tasks[place] }

  /// The parents of a node, in the order in which it names them.
  package func parents(_ place: Int) -> ArraySlice<ObjectID> {
    facts.parents[(place == 0 ? 0 : facts.ends[place - 1])..<facts.ends[place]]
  }
}
