// What keeps something from being proved.

package import RedoObject

/// The errors of making a proof.
package enum ProofFault: Fault {
  /// The store has no checkpoint to base a proof on.
  case noCheckpoint
  /// The last checkpoint cannot be used.
  case broken(ObjectID, CheckpointFlaw)
  /// A checkpoint belongs to another log.
  case foreign(ObjectID, log: String)
  /// The history does not continue a checkpoint.
  case diverged(ObjectID)
  /// A node or receipt is not in the history.
  case notReceived(ObjectID)
  /// A node or receipt was received after the checkpoint.
  case receivedLater(ObjectID, checkpoint: ObjectID)
  /// The received log has become shorter in the meantime.
  case shortened
  /// An object is missing, or is not a node.
  case notANode(ObjectID)
  /// A receipt tells a precise place.
  case precise(ObjectID)
  /// A receipt is somebody else's, who has shared it.
  case sharedByOthers(ObjectID)
  /// A checkpoint has fewer entries than the earlier one.
  case smaller(ObjectID, size: Int, earlier: Int)

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .noCheckpoint, .notReceived, .notANode: .missing
    case .broken, .shortened: .corrupt
    case .foreign, .diverged, .receivedLater, .smaller, .precise, .sharedByOthers: .refused
    }
  }

  /// The node, the receipt or the checkpoint that it is about.
  package var subject: String? {
    switch self {
    case .noCheckpoint, .shortened: nil
    case .broken(let id, _), .foreign(let id, _), .diverged(let id), .notReceived(let id),
      .receivedLater(let id, _), .notANode(let id), .smaller(let id, _, _):
      id.text
    case .precise(let id), .sharedByOthers(let id):
      id.cidText(as: .receipt)
    }
  }
}
