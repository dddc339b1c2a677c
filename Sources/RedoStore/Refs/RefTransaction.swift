// A change of any number of refs, as a value: what shall be true before, and what after.

internal import RedoCrypto
package import RedoObject

/// A change of any number of refs: all of it happens, or nothing.
///
/// The steps are taken in order, and each sees the results of those before it.
package struct RefTransaction: Sendable {
  /// The id of 64 zeros, which as an expected old value says that there must be none.
  package static let zero = ObjectID(digest: .zero)

  enum Step: Sendable {
    case add(RefName, ObjectID)
    case remove(RefName, ObjectID)
    case replace(RefName, [ObjectID], expecting: [ObjectID]?)
  }

  /// Why, for people; kept in the reflog.
  package var message: String
  /// Whether these nodes were written in this store, and not taken in from elsewhere; kept in the reflog.
  package var isWritten = false
  /// Nodes accepted into history by this change, which are noted in the received log.
  package var received: [ObjectID] = []
  /// The bytes of the received log in which the caller has already looked for these nodes; additions by others
  /// since then are searched when the change is made, so that none is noted twice.
  package var receivedChecked: Int?
  /// When some of these nodes were accepted, in milliseconds since 1970, if that is not the time of this
  /// change: in the store of which this one is a copy.
  package var receivedTimes: [ObjectID: Int64] = [:]
  private(set) var steps: [Step] = []

  /// A change without steps.
  package init(message: String) {
    self.message = message
  }

  /// Whether it has neither steps nor received nodes.
  package var isEmpty: Bool { steps.isEmpty && received.isEmpty }

  /// Adds an id to those of a name; one that is there already is no change.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - name: a multi-valued name.
  package mutating func add(_ id: ObjectID, to name: RefName) {
    precondition(name.isMultiValued, "BUG: an id is added to a name that holds only one")
    steps.append(.add(name, id))
  }

  /// Removes an id from those of a name; one that is not there is no change.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - name: a multi-valued name.
  package mutating func remove(_ id: ObjectID, from name: RefName) {
    precondition(name.isMultiValued, "BUG: an id is removed from a name that holds only one")
    steps.append(.remove(name, id))
  }

  /// Makes one id the only one of a name.
  ///
  /// - Parameters:
  ///   - name: the name, of either kind.
  ///   - id: its new value.
  ///   - old: what must be there before, alone; `zero` for nothing, `nil` for anything.
  package mutating func update(_ name: RefName, to id: ObjectID, expecting old: ObjectID? = nil) {
    steps.append(.replace(name, [id], expecting: old.map(Self.values)))
  }

  /// Makes a ref that must not exist yet.
  package mutating func create(_ name: RefName, at id: ObjectID) {
    steps.append(.replace(name, [id], expecting: []))
  }

  /// Removes all ids of a name.
  ///
  /// - Parameters:
  ///   - name: the name, of either kind.
  ///   - old: what must be there before, alone; `nil` for anything, including nothing.
  package mutating func delete(_ name: RefName, expecting old: ObjectID? = nil) {
    steps.append(.replace(name, [], expecting: old.map(Self.values)))
  }

  /// Makes these ids all those of a name, if exactly the given others are there before.
  ///
  /// - Parameters:
  ///   - name: the name; more than one new id only for a multi-valued one.
  ///   - ids: its new values.
  ///   - old: its old values, in any order; `nil` for anything.
  package mutating func replace(
    _ name: RefName, with ids: [ObjectID], expecting old: [ObjectID]? = nil
  ) {
    let ids = Set(ids).sorted()
    precondition(ids.count <= 1 || name.isMultiValued, "BUG: a name gets more ids than it can hold")
    steps.append(.replace(name, ids, expecting: old.map { Set($0).sorted() }))
  }

  /// Requires that a name has exactly these ids, and changes nothing.
  ///
  /// - Parameters:
  ///   - name: the name, of either kind.
  ///   - ids: what must be there, in any order.
  package mutating func verify(_ name: RefName, is ids: [ObjectID]) {
    let ids = Set(ids).sorted()
    steps.append(.replace(name, ids, expecting: ids))
  }

  /// Takes the steps on refs in memory, whatever they expect.
  package func apply(to refs: inout [RefName: Set<ObjectID>]) {
    for step in steps {
      switch step {
      case .add(let name, let id): refs[name, default: []].insert(id)
      case .remove(let name, let id): refs[name]?.remove(id)
      case .replace(let name, let ids, _): refs[name] = Set(ids)
      }
    }
  }

  /// What the received log is to note, the earliest time first.
  ///
  /// - Parameters:
  ///   - ids: nodes.
  ///   - milliseconds: the time of the change.
  /// - Returns: the nodes of each time, in the order given.
  func receivedFrames(
    of ids: [ObjectID], at milliseconds: Int64
  ) -> [(ids: [ObjectID], note: Received.Note)] {
    guard !receivedTimes.isEmpty else { return [(ids, .received(milliseconds))] }
    return Dictionary(grouping: ids) { receivedTimes[$0] ?? milliseconds }
      .sorted { $0.key < $1.key }.map { ($0.value, .received($0.key)) }
  }

  private static func values(_ id: ObjectID) -> [ObjectID] { id == zero ? [] : [id] }
}

/// Why a change was not made: something other than expected was there.
package struct RefConflict: Hashable, Sendable {
  /// The name.
  package let name: RefName
  /// What the change expected, in order; none for a ref that must not exist.
  package let expected: [ObjectID]
  /// What is there, in order.
  package let found: [ObjectID]
}

/// Something noticed on the way that did not keep the change from being made.
package enum RefWarning: Hashable, Sendable {
  /// A crash had left an unfinished record of this many bytes, which has been cut off.
  case tornRecord(file: String, bytes: Int)
  /// The change is made, but `refs` could not be written anew.
  case foldFailed(RefsError)
  /// The change is made, but the received log does not state it.
  case markFailed(RefsError)
}

extension RefWarning: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .tornRecord(let file, let bytes):
      "an unfinished record of \(bytes) bytes was cut off '\(file)'; it was never acknowledged"
    case .foldFailed(let error): "the journal could not be folded: \(error)"
    case .markFailed(let error): "the received log could not be marked: \(error)"
    }
  }
}

/// What a change has done.
package struct RefCommit: Sendable {
  /// The number of the last reflog entry; a change that changes nothing makes none.
  package internal(set) var entry: Int
  /// What is removed.
  package let removals: [Ref]
  /// What is added.
  package let additions: [Ref]
  /// The nodes newly noted in the received log.
  package let received: [ObjectID]
  /// The bytes of the received log that count.
  package internal(set) var receivedBytes: Int
  /// What was noticed on the way.
  package internal(set) var warnings: [RefWarning]
}

/// Whether a change was made.
package enum RefOutcome: Sendable {
  /// It was.
  case committed(RefCommit)
  /// It was not, and nothing has changed.
  case refused([RefConflict])
}
