// Events while stores talk to each other, and while incoming nodes are taken in.

package import RedoHistory
package import RedoObject
package import RedoRemote

/// Something that happened during an exchange.
package enum SyncEvent: Sendable {
  /// A remote cannot be reached, and is tried again: the number of the attempt, their total, and the delay.
  case unreachable(
    remote: String, RemoteError, attempt: Int, limit: Int, delayMilliseconds: Int64)
  /// The program that spoke for a remote did not end well, after an exchange that did.
  case programEnded(ProgramEnd)
  /// A remote lacks heads of tasks, or of chains of receipts, that it had; whether they are about to be sent to it.
  case lost(remote: String, count: Int, of: ObjectKind, isSent: Bool)
  /// A remote lacks nodes that it had; whether they are about to be sent to it, as far as they are here.
  case nodesLost(remote: String, count: Int, isSent: Bool)
  /// An incoming node breaks rules; the sender, empty when nobody is named.
  case nodeRefused(ObjectID, [Finding], peer: String)
  /// A node of the history cannot be read, and what is wrong with it.
  case unreadable(ObjectID, Finding)
  /// An incoming node was not asked for; the sender, empty when nobody is named.
  case nodeUnasked(RefusedNode, peer: String)
  /// A node names a parent that is not here.
  case parentMissing(OrphanNode)
  /// More nodes were refused than were reported.
  case refusedInAll(count: Int)
  /// Nodes wait in the quarantine for their parents.
  case waiting(count: Int)
  /// A node from outside waits because of the trust file; the sender, empty when nobody is named.
  case untrusted(UntrustedObject, peer: String)
  /// How many nodes wait for that reason.
  case untrustedInAll(UntrustedCount)
  /// How many nodes are taken although the trust file speaks against them.
  case untrustedTaken(UntrustedCount)
  /// A hook refuses what arrived, or what arrived for one ref; its exit status.
  case hookRefused(name: String, ref: String?, status: Int32)
  /// A hook that is only told did not end well; its exit status.
  case hookFailed(name: String, status: Int32)
  /// A hook is skipped because it is not executable.
  case hookPassedOver(name: String)
  /// The hook `post-receive` could not be informed about what arrived.
  case hookUntold(any Error)
}
