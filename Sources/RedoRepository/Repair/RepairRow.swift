// What a repair has done, would do, or could not do: one row each.

package import RedoObject
package import RedoStore

/// A row of a repair.
package struct RepairRow {
  /// The result.
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
  /// How it is repaired, or why it cannot be.
  package var remarks: [RepairRemark] = []
  /// Where the old content is kept, below `.redo`.
  package var kept: String?
}

/// What is wrong with an object, a pack or a file.
package enum RepairDamage: Sendable {
  /// What the reader of the file says about its bytes.
  case bytes(reason: String)
  /// What the reader of a pack says about its bytes, and how many of its nodes have better copies elsewhere.
  case pack(reasons: [String], worse: Int)
  /// An object of another name is in its place.
  case holds(ObjectID)
  /// A node is stored as a blob.
  case blob
  /// The frame that it is in cannot be read.
  case frame
  /// This many nodes were received, but were not in the history.
  case unreachable(Int)
  /// This many heads are ancestors of other heads.
  case staleHeads(Int)
  /// This many nodes of the history were not in the received log.
  case unreceived(Int)
}

/// How damage is repaired, or why it cannot be.
package enum RepairRemark: Sendable {
  /// The source does not have it.
  case absent
  /// The source has it, but damaged.
  case damaged(CopyDamage)
  /// The source has another kind of object under its name.
  case kind(ObjectKind)
  /// The copy breaks a rule.
  case invalid(Finding)
  /// The copy is not better; what is wrong with its signature, if known.
  case noBetter(Finding?)
  /// Nothing names it.
  case unnamed
  /// The pack cannot be rewritten.
  case pack(PackError)
  /// This many nodes of the pack are nowhere else.
  case nowhereElse(Int)
  /// This many nodes of the pack are kept.
  case kept(Int)
  /// This many nodes of the pack are lost.
  case lost(Int)
}

/// What is wrong with the copy that a source has.
package enum CopyDamage: Sendable {
  /// Its bytes do not match its ID; what its reader says.
  case corrupt(reason: String)
  /// It cannot be read.
  case unreadable(SystemError)
  /// It is in an archive that is away.
  case offline
  /// It breaks a rule.
  case invalid(Finding)
  /// The remote has it and does not offer it; the rule that it breaks, and what else the remote says.
  case heldBack(rule: String, detail: String)
}
