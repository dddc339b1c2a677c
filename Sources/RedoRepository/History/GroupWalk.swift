// The receipts or schemas that some tips follow, in their order, and which of them may leave a store without a special word:
// receipts that say precisely where somebody was may not (receipts, section 5.4).

package import RedoHistory
package import RedoObject
package import RedoStore
internal import Synchronization

/// The objects of one kind of a history, or of a part of it.
package struct GroupWalk: Sendable {
  /// Why an object does not leave the store.
  package enum Exclusion: Sendable {
    /// It, or what it follows, tells a precise place.
    case precise
    /// Somebody else has shared it, or what it follows.
    case shared
  }

  /// An object of the walk.
  package struct Member: Sendable {
    /// The object.
    package let id: ObjectID
    /// Where it stands.
    package let place: HistoryPlace
    /// Whether it tells the keys of a device.
    package let isCard: Bool
    /// Why it is left out; `nil` when it is not.
    package let exclusion: Exclusion?
    /// The object as it was read, if it was to be kept; its signature has not been looked at.
    let kept: JudgedObject?
  }

  /// Their kind.
  package let kind: ObjectKind
  /// All of them, parents before children, then by lamport, wall time and id.
  package let members: [Member]

  /// Those that are not left out, in the same order.
  package var ids: [ObjectID] { members.lazy.filter { $0.exclusion == nil }.map(\.id) }
  /// How many were left out: those that tell a precise place, and all that follow them.
  package var leftOut: Int { members.count { $0.exclusion == .precise } }
  /// How many were left out because somebody else shared them, and what follows these.
  package var leftShared: Int { members.count { $0.exclusion == .shared } }

  private struct Entry: Sendable {
    let id: ObjectID
    let place: HistoryPlace
    let isCard: Bool
    let isPrecise: Bool
    let kept: JudgedObject?
  }

  /// Walks from tips to the first objects of their groups.
  ///
  /// - Parameters:
  ///   - kind: the kind of the objects.
  ///   - tips: where the walk starts.
  ///   - store: where the objects are.
  ///   - includesPrecise: whether receipts that tell a precise place are among them.
  ///   - shared: receipts that somebody else has shared, which are not to be among them.
  ///   - keptBytes: how many bytes of objects are kept, so that they need not be read again.
  ///   - progress: receives how many were read.
  /// - Throws: `HistoryFault` or `StoreError` when an object is missing or corrupt, or a tip is none.
  package init(
    of kind: ObjectKind, from tips: [ObjectID], _ store: ObjectStore, includesPrecise: Bool = true,
    without shared: Set<ObjectID> = [], keeping keptBytes: Int = 0, progress: Progress? = nil
  ) throws {
    let taken = Atomic<Int>(0)
    let entries = try HistoryWalk.reach(
      from: tips, store, of: kind, parents: \.place.parents, progress: progress
    ) { object, reader throws -> Entry in
      let judged = GroupIntake.judge(object, &reader.places)
      guard let decoded = judged.object else { throw HistoryFault.invalid(object) }
      let size = object.canonical.count
      let isKept = keptBytes > 0 && taken.add(size, ordering: .relaxed).newValue <= keptBytes
      return Entry(
        id: decoded.id, place: decoded.place, isCard: decoded.receipt?.card != nil,
        isPrecise: judged.findings.contains { $0.rule == .receiptPrecise },
        kept: isKept ? judged : nil)
    }
    self.kind = kind
    var excluded: [ObjectID: Exclusion] = [:]
    var members: [Member] = []
    members.reserveCapacity(entries.count)
    let order = entries.map { entry in
      OrderEntry(
        id: entry.id, parents: entry.place.parents, lamport: entry.place.lamport,
        wall: entry.place.wall)
    }
    for position in TotalOrder.positions(of: order) {
      let entry = entries[position]
      let above = entry.place.parents.lazy.compactMap { excluded[$0] }
      var exclusion: Exclusion?
      if shared.contains(entry.id) || above.contains(.shared) {
        exclusion = .shared
      } else if !includesPrecise, entry.isPrecise || above.contains(.precise) {
        exclusion = .precise
      }
      if let exclusion { excluded[entry.id] = exclusion }
      members.append(
        Member(
          id: entry.id, place: entry.place, isCard: entry.isCard, exclusion: exclusion,
          kept: entry.kept))
    }
    self.members = members
  }
}

extension GroupWalk {
  /// The objects of the walk as a graph, in which only their places count: each is without a task, an action and an author.
  ///
  /// - Parameter times: when they were received, in milliseconds since 1970.
  /// - Returns: the graph, in which each has all that it follows.
  package func graph(received times: [ObjectID: Int64]) -> Graph {
    var builder = GraphBuilder()
    builder.reserve(members.count)
    for member in members { builder.add(member.id, member.place, received: times[member.id] ?? 0) }
    guard let graph = GraphIndex.passing(builder) else {
      preconditionFailure("BUG: groups that were walked to their ends have no graph")
    }
    return graph
  }
}
