// A history as columns: what a cut and the replay need to know of each node, by its position. Nodes in memory
// (NodeHistory) and a mapped index file serve equally; code that works on a log is generic over it.

package import RedoObject

/// The nodes of a history in total order, by position from 0 to below `count`.
///
/// The order is that of `TotalOrder` over the whole log, so a node's parents have lower positions
/// than the node. A log is a set of its own: parents that are not in it do not count.
package protocol HistoryLog {
  /// The number of nodes.
  var count: Int { get }
  /// The number of tasks that nodes of the log are about.
  var taskCount: Int { get }
  /// A task, by its index from 0 to below `taskCount`; each task has one index.
  func taskID(_ index: Int) -> TaskID

  /// The node's id.
  func id(at position: Int) -> ObjectID
  /// The position of a node; `nil` when it is not in the log.
  func position(of id: ObjectID) -> Int?
  /// The node's logical time.
  func lamport(at position: Int) -> Lamport
  /// The instant that the author's clock showed.
  func wall(at position: Int) -> WallTime
  /// When the store first accepted the node, in milliseconds since 1970; `nil` when it did not, or
  /// that is not known.
  func received(at position: Int) -> Int64?
  /// What the node does; `nil` for an action that replay does not know.
  func action(at position: Int) -> Action?
  /// The index of the node's task, -1 for none.
  func task(at position: Int) -> Int
  /// The node's author.
  func author(at position: Int) -> UserID
  /// Whether the node should not have been accepted: it has no content, and its descendants in its
  /// task are left out with it.
  func isBroken(at position: Int) -> Bool

  /// Hands on the positions of the node's parents in the order in which it names them; -1 for a parent that
  /// is not in the log.
  func forEachParent(at position: Int, _ body: (Int) -> Void)
  /// The ids of the node's parents in the order in which it names them, including those outside of the log.
  /// Only called for merges.
  func parentIDs(at position: Int) -> [ObjectID]

  /// Appends the name of the node's action, known or not: ASCII.
  func appendActionName(at position: Int, to output: inout [UInt8])
  /// Appends the text of the node's wall time as the node has it: 20 or 24 ASCII bytes.
  func appendWallText(at position: Int, to output: inout [UInt8])
  /// Appends the node's member `data`: RFC 8785.
  ///
  /// - Precondition: the node is not broken.
  func appendData(at position: Int, to output: inout [UInt8])
  /// The bytes of the node's member `data`; 0 for a broken node.
  func dataCount(at position: Int) -> Int
}

extension HistoryLog {
  /// The order of two nodes that are not related; both in this log.
  @inlinable
  package func precedes(_ left: Int, _ right: Int) -> Bool {
    let (first, second) = (lamport(at: left), lamport(at: right))
    if first != second { return first < second }
    let (earlier, later) = (wall(at: left), wall(at: right))
    if earlier != later { return earlier < later }
    return id(at: left) < id(at: right)
  }
}
