// What a repair has done, would do, or could not do: a row each.

package import RedoObject
package import RedoStore

/// A row of a repair.
package struct RepairRow {
  /// What became of it.
  package enum Result: String {
    case repaired
    case wouldRepair = "would-repair"
    case unrepaired
  }

  package let result: Result
  package let id: ObjectID?
  /// The file that it is about, below `.redo`.
  package let path: String
  /// The rule that was broken.
  package let rule: Rule
  /// What was wrong.
  package let damage: RepairDamage?
  /// What is done about it, or keeps it from being done.
  package var remarks: [RepairRemark] = []
  /// Where what stood there is kept, below `.redo`.
  package var kept: String?
}

/// What is wrong with an object, a pack or a file.
package enum RepairDamage: Sendable {
  /// What the reader of the file says of its bytes.
  case bytes(reason: String)
  /// What the reader of a pack says of its bytes, and of how many of its nodes there are better copies.
  case pack(reasons: [String], worse: Int)
  /// An object of another name stands in its place.
  case holds(ObjectID)
  /// A node is kept as a blob.
  case blob
  /// The frame that it is in cannot be read.
  case frame
  /// So many nodes were received, and were in the history no longer.
  case unreachable(Int)
  /// So many heads are ancestors of others.
  case staleHeads(Int)
  /// So many nodes of the history were not in the received log.
  case unreceived(Int)
}

/// What is done about a damage, or keeps it from being repaired.
package enum RepairRemark: Sendable {
  /// The source does not have it.
  case absent
  /// The source has it, damaged.
  case damaged(CopyDamage)
  /// The source has another kind of object under its name.
  case kind(ObjectKind)
  /// The copy breaks a rule.
  case invalid(Finding)
  /// The copy is no better; what is wrong with its signature, if that is known.
  case noBetter(Finding?)
  /// Nothing names it.
  case unnamed
  /// The pack cannot be written anew.
  case pack(PackError)
  /// So many nodes of the pack are nowhere else.
  case nowhereElse(Int)
  /// So many nodes of the pack are kept.
  case kept(Int)
  /// So many nodes of the pack are lost.
  case lost(Int)
}

/// What is wrong with the copy that a source has.
package enum CopyDamage: Sendable {
  /// Its bytes are not those of its ID; what its reader says.
  case corrupt(reason: String)
  /// It cannot be read.
  case unreadable(SystemError)
  /// It is in an archive that is not there.
  case offline
  /// It breaks a rule.
  case invalid(Finding)
}
