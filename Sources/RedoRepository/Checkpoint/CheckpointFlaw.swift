// What can be wrong with one checkpoint: that there is none, whose signature it has, and where the history is
// another than it says.

package import RedoCrypto
package import RedoObject

/// Why a checkpoint does not hold.
package enum CheckpointFlaw: Fault {
  /// No object has its ID.
  case absent
  /// The object of its ID is a node.
  case node
  /// The object of its ID is damaged; what is wrong with its bytes.
  case damaged(reason: String)
  /// There is no file where one remembers it.
  case fileAbsent
  /// The bytes are no signed note of a checkpoint.
  case unreadable(NoteError)
  /// The key that is asked for has not signed it; the one that has.
  case otherSigner(PublicKey)
  /// The trust file does not let its signer make checkpoints; the line that says so, if there is one.
  case refusedSigner(PublicKey, Rule, line: Int?)
  /// It is of another log; the name of the store here, if it has one.
  case otherLog(origin: String, here: StoreID?)
  /// The history is another, and the first wipe since then.
  case diverged(Difference, wipe: Wipe?)
  /// The checkpoint before it counts more than it does.
  case shrunk(before: String, size: Int, entry: Int)

  /// What of a history is another than a checkpoint says.
  package enum Difference: Sendable {
    /// So many entries are counted, and so many are left.
    case entriesMissing(counted: Int, left: Int)
    /// So many entries are counted, and they are not the first of the history: the first other one is within
    /// these, counted from 1.
    case otherEntries(counted: Int, firstOther: Int, lastOther: Int)
    /// A change of the refs is missing; the last one that is there.
    case refChangeMissing(entry: Int, last: Int)
    /// The changes of the refs up to one are others.
    case otherRefChanges(entry: Int)
    /// The refs after a change were others.
    case otherRefs(entry: Int)
  }

  /// A change of the refs by which nodes were wiped.
  package struct Wipe: Sendable {
    /// The number of the change.
    package let entry: Int
    /// When it was, in milliseconds since 1970.
    package let milliseconds: Int64
  }

  /// What kind of end it is.
  package var code: RedoError.Code {
    switch self {
    case .absent, .fileAbsent: .missing
    case .node, .otherSigner, .otherLog: .invalid
    case .damaged, .diverged, .shrunk: .corrupt
    case .unreadable: .malformed
    case .refusedSigner: .denied
    }
  }

  /// The checkpoint is named by what found the flaw.
  package var subject: String? { nil }

  /// The rule that it breaks.
  package var rule: Rule {
    switch self {
    case .absent, .node, .damaged, .fileAbsent, .unreadable: .checkpointForm
    case .otherSigner: .keyUntrusted
    case .refusedSigner(_, let rule, _): rule
    case .otherLog, .diverged, .shrunk: .checkpointDiverged
    }
  }
}
