// What an exchange needs from a store: packs to send, and a place for packs that come.
//
// Classes, because a store, its files and its counters outlive a call.

/// The bytes of packs, one after another.
package enum PackPiece: Equatable, Sendable {
  /// The most bytes of a pack on the wire.
  package static let packLimit = 134_217_728
  /// The most nodes of a pack on the wire.
  package static let nodeLimit = 10_000

  /// The next bytes of a pack.
  case bytes([UInt8])
  /// The end of a pack.
  case end
}

/// Makes packs of what the other side lacks.
package protocol PackMaker: AnyObject {
  /// Makes whole packs (redo-pack(5)) of some nodes, of at most 10,000 nodes and 128 MiB each; parents come
  /// before their children, over all packs.
  ///
  /// - Parameters:
  ///   - positions: which nodes of the source, ascending.
  ///   - send: takes the bytes of the packs.
  /// - Throws: what `send` throws; `stopped` for a problem of its own.
  func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError)

  /// The access lists of some nodes, for a side that keeps them; it gets them before the nodes.
  ///
  /// - Parameter positions: which nodes of the source, ascending.
  /// - Returns: the lists of those that have one.
  /// - Throws: `stopped` for a problem of its own.
  func accessLists(of positions: [Range<Int>]) throws(RemoteError) -> [AccessRow]

  /// The nodes so far that were to be sent and cannot be read, and those that follow them; the packs lack these.
  var unsent: [RefusedNode] { get }
}

extension PackMaker {
  package func accessLists(of positions: [Range<Int>]) throws(RemoteError) -> [AccessRow] { [] }
  package var unsent: [RefusedNode] { [] }
}

/// Takes packs that come.
package protocol PackTaker: AnyObject {
  /// Takes the next bytes of a pack, or its end; keeps them as they come, so that nothing is fetched twice.
  ///
  /// - Parameter piece: the bytes.
  /// - Throws: `stopped` for a problem of its own.
  func take(_ piece: PackPiece) throws(RemoteError)

  /// Takes the access lists of nodes that come afterwards.
  ///
  /// - Parameter rows: the lists.
  /// - Throws: `unexpected` where none are kept; `stopped` for a problem of its own.
  func take(_ rows: [AccessRow]) throws(RemoteError)

  /// Checks and takes in what has come, after the last pack of a turn.
  ///
  /// - Returns: what became of the nodes.
  /// - Throws: `stopped` for a problem of its own.
  func finish() throws(RemoteError) -> Admitted
}

extension PackTaker {
  package func take(_ rows: [AccessRow]) throws(RemoteError) {
    throw .unexpected("access lists at this place")
  }
}

/// What became of nodes that were sent.
package struct Admitted: Equatable, Sendable {
  /// How many nodes are new, or have a better signature.
  package let taken: UInt64
  /// The nodes that were not taken.
  package let refused: [RefusedNode]

  /// What became of nodes.
  ///
  /// - Parameters:
  ///   - taken: how many were taken.
  ///   - refused: the nodes that were not taken.
  package init(taken: UInt64, refused: [RefusedNode]) {
    self.taken = taken
    self.refused = refused
  }
}

/// For a side that has nothing to send, or from which nothing is wanted.
package final class NoPacks: PackMaker, PackTaker {
  /// A maker and taker of nothing.
  package init() {}

  package func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    throw .stopped("nothing is sent here")
  }

  package func take(_ piece: PackPiece) throws(RemoteError) {
    throw .stopped("nothing is taken here")
  }

  package func finish() throws(RemoteError) -> Admitted { Admitted(taken: 0, refused: []) }
}
