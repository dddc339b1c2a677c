// What the values of a frame are relative to: the nodes and values before them in the same frame. Writer and
// reader keep it in the same way.

internal import RedoObject

/// What has been read of a frame so far.
struct FrameContext {
  /// What can be referred to.
  enum Named {
    /// The id of an object that is not in the frame.
    case id(ObjectID)
    /// An object of the frame, by its place there.
    case node(Int)
  }

  /// An id that can be referred to, and the clocks of its node, if it is one of the frame.
  struct Entry {
    let named: Named
    let lamport: Int64
    let wall: Int64
  }

  /// The nodes of the frame and the ids in it, in their order.
  private(set) var entries: [Entry] = []
  /// The UUIDs in it, in their order.
  var uuids: [TaskID] = []
  private var nodeCount = 0
  private var lastWall: Int64 = 0

  // For the current node:
  private var parentLamport: Int64 = 0
  private var parentWall: Int64?
  private var lamport: Int64 = 0
  private var wall: Int64 = 0

  /// Begins a node.
  mutating func begin() {
    parentLamport = 0
    parentWall = nil
    lamport = 0
    wall = lastWall
  }

  /// Notes one of a node's parents.
  mutating func noteParent(_ entry: Entry) {
    guard case .node = entry.named else { return }
    parentLamport = max(parentLamport, entry.lamport)
    if parentWall == nil { parentWall = entry.wall }
  }

  /// What the node's lamport is relative to.
  var expectedLamport: Int64 { parentLamport &+ 1 }
  /// What the node's wall time is relative to.
  var expectedWall: Int64 { parentWall ?? lastWall }
  /// What other times of the node are relative to.
  var ownWall: Int64 { wall }

  mutating func noteLamport(_ value: Int64) { lamport = value }
  mutating func noteWall(_ value: Int64) { wall = value }

  /// Notes an id that is not a node of the frame.
  mutating func add(_ id: ObjectID) {
    entries.append(Entry(named: .id(id), lamport: 0, wall: 0))
  }

  /// Ends a node.
  mutating func end() {
    entries.append(Entry(named: .node(nodeCount), lamport: lamport, wall: wall))
    nodeCount += 1
    lastWall = wall
  }
}
