// A place in the total order (redo-protocol(7)): that of a node, or one between two.
//
// A bound that separates two neighbours has the clocks of the second, and of its id only as many bytes
// as are needed; the other bytes are 0. So a bound is a point like any other, and ends of ranges are
// compared as nodes are.

package import RedoObject

internal import RedoCrypto

/// A place in the total order: lamport, wall, id.
package struct RangeBound: Hashable, Comparable, Sendable {
  /// The lamport: 1 to 2^48, 0 before all nodes, more after them.
  package let lamport: UInt64
  /// The wall, in milliseconds since 1970.
  package let wall: Int64
  /// The id; its last bytes are 0 where fewer separate it from the node before.
  package let id: ObjectID

  /// The walls there are: years 0001 to 9999.
  static let walls = -62_135_596_800_000...WallTime.latest.milliseconds

  private static let zero = ObjectID(words: (0, 0, 0, 0))

  /// The place before every node.
  package static let start = RangeBound(lamport: 0, wall: 0, id: zero)
  /// The place after every node.
  package static let end = RangeBound(lamport: .max, wall: 0, id: zero)

  /// The place of a node.
  ///
  /// - Parameters:
  ///   - lamport: its logical time.
  ///   - wall: its wall time.
  ///   - id: its id.
  package init(lamport: Lamport, wall: WallTime, id: ObjectID) {
    self.init(lamport: lamport.value, wall: wall.milliseconds, id: id)
  }

  init(lamport: UInt64, wall: Int64, id: ObjectID) {
    self.lamport = lamport
    self.wall = wall
    self.id = id
  }

  /// The place between two neighbours that takes the fewest bytes.
  ///
  /// - Parameters:
  ///   - one: a node.
  ///   - next: the one after it.
  package init(between one: RangeBound, and next: RangeBound) {
    precondition(one < next, "BUG: neighbours that do not ascend")
    guard one.lamport == next.lamport, one.wall == next.wall else {
      self.init(lamport: next.lamport, wall: next.wall, id: Self.zero)
      return
    }
    var place = 0
    while one.id[place] == next.id[place] { place += 1 }
    let id = ObjectID(digest: Digest(bytes: InlineArray { $0 <= place ? next.id[$0] : 0 }))
    self.init(lamport: next.lamport, wall: next.wall, id: id)
  }

  package static func < (left: RangeBound, right: RangeBound) -> Bool {
    if left.lamport != right.lamport { return left.lamport < right.lamport }
    if left.wall != right.wall { return left.wall < right.wall }
    return left.id < right.id
  }

  // MARK: Bytes

  /// What marks the end, in place of a number of bytes.
  private static let endMark: UInt8 = 0xFF
  /// The most bytes of a bound: two marks, two varints, an id.
  static let byteLimit = 1 + 10 + 10 + Digest.byteCount

  /// Appends the bound, relative to the one before it.
  ///
  /// - Parameters:
  ///   - output: where to.
  ///   - last: the bound before.
  func append(to output: inout [UInt8], after last: RangeBound) {
    precondition(last < self, "BUG: bounds that do not ascend")
    guard self != .end else {
      output.append(Self.endMark)
      return
    }
    var count = Digest.byteCount
    while count > 0, id[count - 1] == 0 { count -= 1 }
    output.append(UInt8(count))
    output.append(varint: lamport - last.lamport)
    output.append(zigzag: wall - last.wall)
    for place in 0..<count { output.append(id[place]) }
  }

  /// Reads a bound.
  ///
  /// - Parameters:
  ///   - reader: the bytes.
  ///   - last: the bound before.
  /// - Throws: `malformed` when there is no bound, or it does not come after the last one.
  init(from reader: inout WireReader, after last: RangeBound) throws(RemoteError) {
    let count = Int(try reader.byte())
    guard count != Int(Self.endMark) else {
      guard last != .end else { throw reader.malformed("a bound behind the end") }
      self = .end
      return
    }
    guard count <= Digest.byteCount else { throw reader.malformed("an id of \(count) bytes") }
    let lamport = last.lamport.addingReportingOverflow(try reader.varint())
    let wall = last.wall.addingReportingOverflow(try reader.zigzag())
    guard !lamport.overflow, (1...Lamport.limit).contains(lamport.partialValue) else {
      throw reader.malformed("a lamport out of its limits")
    }
    guard !wall.overflow, Self.walls.contains(wall.partialValue) else {
      throw reader.malformed("a wall out of its limits")
    }
    let bytes = try reader.take(count)
    guard bytes.last != 0 else { throw reader.malformed("an id that ends with 0") }
    let id = ObjectID(digest: Digest(bytes: InlineArray { $0 < count ? bytes[$0] : 0 }))
    self.init(lamport: lamport.partialValue, wall: wall.partialValue, id: id)
    guard last < self else { throw reader.malformed("bounds that do not ascend") }
  }
}
