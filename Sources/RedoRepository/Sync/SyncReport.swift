// The result of an exchange: values from which commands make lines for people and rows for programs.

package import RedoObject
package import RedoStore

/// The result of work with one remote.
package struct SyncReport {
  /// A node that a side did not take.
  package struct Refused {
    package let id: ObjectID
    /// The rule that it breaks.
    package let rule: String
    /// Further details; not escaped.
    package let detail: String
    /// Whether it was this side that refused it.
    package let isHere: Bool
    /// The node because of which it was held back, if the fault was not its own.
    package var because: ObjectID?
    /// Whether it came from the remote; otherwise it was not sent.
    package var isReceived = false
  }

  /// The name of the remote in messages.
  package let remote: String
  /// Its location.
  package let url: String
  /// How often it was tried.
  package var attempts = 1
  package var roundTrips = 0
  package var bytesSent = 0
  package var bytesReceived = 0
  /// How many nodes both had when they were compared, and how many only this store had.
  package var both = 0
  package var onlyHere = 0
  /// How many nodes only the remote had, at least.
  package var onlyThere = 0
  /// Whether there were more.
  package var hasMore = false
  /// The new nodes, oldest first.
  package var fetched: [ObjectID] = []
  /// The tasks that they are about.
  package var fetchedTasks: Set<TaskID?> = []
  /// The nodes that the remote has acknowledged.
  package var pushed: [ObjectID] = []
  package var refused: [Refused] = []
  /// The nodes that arrived and wait for parents.
  package var orphans: [ObjectID] = []
  /// The heads that moved.
  package var moved = MovedNames()
  /// The nodes that a merge made.
  package var merged: [ObjectID] = []
  /// Whether the remote has everything, if that was checked.
  package var isVerified: Bool?

  /// Whether everything was done.
  package var isWhole: Bool {
    refused.isEmpty && orphans.isEmpty && isVerified ?? true
  }

  /// Adds the result of later work with the same remote.
  package mutating func add(_ later: SyncReport) {
    attempts += later.attempts - 1
    roundTrips += later.roundTrips
    bytesSent += later.bytesSent
    bytesReceived += later.bytesReceived
    fetched += later.fetched
    fetchedTasks.formUnion(later.fetchedTasks)
    pushed += later.pushed
    // A node that was refused before is refused again.
    refused += later.refused.filter { row in !refused.contains { $0.id == row.id } }
    orphans = later.orphans
    moved.add(later.moved.all)
    isVerified = later.isVerified ?? isVerified
  }
}

/// The heads of tasks that moved, combined into one move for each task.
package struct MovedNames {
  private var places: [RefName: Int] = [:]
  package private(set) var all: [MovedHeads] = []

  /// Adds later moves.
  package mutating func add(_ moved: some Sequence<MovedHeads>) {
    for heads in moved {
      guard let place = places[heads.name] else {
        places[heads.name] = all.count
        all.append(heads)
        continue
      }
      all[place] = MovedHeads(name: heads.name, before: all[place].before, after: heads.after)
    }
  }
}

/// A head that moved.
package struct HeadRow {
  /// How a head moved.
  package enum Flag: String {
    /// The task is new.
    case new = "*"
    /// It follows the old one.
    case forward = " "
    /// It exists beside the old one.
    case united = "+"
    /// It did not move: the node was refused.
    case refused = "!"
  }

  package let flag: Flag
  /// The ref.
  package let name: String
  package let old: ObjectID?
  package let new: ObjectID

  /// How the heads of a task moved.
  ///
  /// - Parameters:
  ///   - name: the ref.
  ///   - old: its ids before.
  ///   - new: its ids after.
  /// - Returns: a row for each new id, and for each old one that is gone.
  package static func rows(_ name: RefName, old: [ObjectID], new: [ObjectID]) -> [HeadRow] {
    let added = new.filter { !old.contains($0) }.sorted()
    let gone = old.filter { !new.contains($0) }.sorted()
    guard let last = added.last else { return [] }
    var rows: [HeadRow] = []
    for index in 0..<max(added.count, gone.count) {
      let id = index < added.count ? added[index] : last
      if index < gone.count {
        rows.append(HeadRow(flag: .forward, name: name.text, old: gone[index], new: id))
      } else if old.isEmpty {
        rows.append(HeadRow(flag: .new, name: name.text, old: nil, new: id))
      } else {
        rows.append(HeadRow(flag: .united, name: name.text, old: old.min(), new: id))
      }
    }
    return rows
  }
}

extension SyncReport {
  /// The heads that moved.
  package var heads: [HeadRow] {
    moved.all.flatMap { HeadRow.rows($0.name, old: $0.before, new: $0.after) }
  }

  /// The heads that moved, and what came and was not taken.
  package var rows: [HeadRow] {
    let left = refused.filter(\.isReceived).map(\.id) + orphans
    return heads + left.map { HeadRow(flag: .refused, name: "-", old: nil, new: $0) }
  }
}
