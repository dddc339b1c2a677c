// What happens while stores talk to each other, and while nodes that came are taken in.

package import RedoObject
package import RedoRemote

/// Something that happened during an exchange.
package enum SyncEvent: Sendable {
  /// A remote cannot be reached, and is tried again: as which attempt of how many, after how long.
  case unreachable(
    remote: String, RemoteError, attempt: Int, limit: Int, delayMilliseconds: Int64)
  /// The program that spoke for a remote did not end well, after an exchange that did.
  case programEnded(ProgramEnd)
  /// A remote lacks the heads of tasks that it had; whether they are about to be sent to it.
  case lost(remote: String, taskCount: Int, isSent: Bool)
  /// A node that came breaks rules; who sent it, empty where nobody is named.
  case nodeRefused(ObjectID, [Finding], peer: String)
  /// A node that came was not asked for; who sent it, empty where nobody is named.
  case nodeUnasked(RefusedNode, peer: String)
  /// A node names a parent that is not here.
  case parentMissing(OrphanNode)
  /// More nodes were refused than were told.
  case refusedInAll(count: Int)
  /// Nodes wait in the quarantine for their parents.
  case waiting(count: Int)
  /// The hook `pre-receive` refuses everything that came; what it ended with.
  case hookRefused(status: Int32)
  /// The hook `post-receive` did not end well; what it ended with.
  case hookFailed(status: Int32)
  /// A hook is passed over because it is not executable.
  case hookPassedOver(name: String)
  /// The hook `post-receive` could not be told of what came.
  case hookUntold(any Error)
}
