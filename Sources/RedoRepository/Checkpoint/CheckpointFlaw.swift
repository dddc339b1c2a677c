// What can be wrong with one checkpoint: it does not exist, it has the wrong signature, or the history differs from it.

package import RedoCrypto
package import RedoObject

/// Why a checkpoint does not hold.
package enum CheckpointFlaw: Fault {
  /// No object has its ID.
  case absent
  /// The object of its ID is of another kind.
  case kind(ObjectKind)
  /// The object of its ID is damaged; what is wrong with its bytes.
  case damaged(reason: String)
  /// The file that should remember one does not exist.
  case fileAbsent
  /// The bytes are not a signed note of a checkpoint.
  case unreadable(NoteError)
  /// It is not signed with the required key but with this one.
  case otherSigner(PublicKey)
  /// The trust file does not let its signer make checkpoints; the line that says so, if there is one.
  case refusedSigner(PublicKey, Rule, line: Int?)
  /// It belongs to another log; the name of the store here, if it has one.
  case otherLog(origin: String, here: StoreID?)
  /// The history differs; the first wipe since then.
  case diverged(Difference, wipe: Wipe?)
  /// The checkpoint before it counts more than it does.
  case shrunk(before: String, size: Int, entry: Int)

  /// How a history differs from a checkpoint.
  package enum Difference: Sendable {
    /// The number of entries that are counted, and the smaller number that are left.
    case entriesMissing(counted: Int, left: Int)
    /// The counted entries are not the first of the history: the first different one is in this range, counted from 1.
    case otherEntries(counted: Int, firstOther: Int, lastOther: Int)
    /// A change of the refs is missing; the last one that is there.
    case refChangeMissing(entry: Int, last: Int)
    /// The changes of the refs up to this one differ.
    case otherRefChanges(entry: Int)
    /// The refs after this change differed.
    case otherRefs(entry: Int)
  }

  /// A change of the refs that wiped nodes.
  package struct Wipe: Sendable {
    /// The number of the change.
    package let entry: Int
    /// Its time in milliseconds since 1970.
    package let milliseconds: Int64
  }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .absent, .fileAbsent: .missing
    case .kind, .otherSigner, .otherLog: .invalid
    case .damaged, .diverged, .shrunk: .corrupt
    case .unreadable: .malformed
    case .refusedSigner: .denied
    }
  }

  /// The checkpoint is named by the code that found the flaw.
  package var subject: String? { nil }

  /// The rule that it breaks.
  package var rule: Rule {
    switch self {
    case .absent, .kind, .damaged, .fileAbsent, .unreadable: .checkpointForm
    case .otherSigner: .keyUntrusted
    case .refusedSigner(_, let rule, _): rule
    case .otherLog, .diverged, .shrunk: .checkpointDiverged
    }
  }
}
