// The events: each says with its members what happened, and holds no sentence.

package import RedoRemote
package import RedoStore

/// Something that happened on the way.
package enum RedoEvent: Sendable {
  /// Work has begun, goes on, or has ended.
  case progress(WorkProgress)
  /// A remote has nodes that it does not offer, each with the rule that it breaks.
  case notOffered([RefusedNode], remote: String)
  /// A directory was left by an interrupted recovery.
  case recoveryLeftOver(path: String)
  /// Refs were changed, and something about their files was odd.
  case refs(RefWarning)
  /// Something is odd about a store that is opened, or about what comes to it.
  case opening(OpenEvent)
  /// Something has happened while stores talk to each other, or while nodes that came are taken in.
  case sync(SyncEvent)
  /// Something happened to nodes on their way into a store.
  case writing(WriteEvent)
  /// Something is odd about an input.
  case importing(ImportEvent)
  /// Something cannot be known in a repair.
  case repairing(RepairEvent)
  /// A setting weighs findings of a rule that there is not: its name, the setting, and where it stands.
  case unknownRule(String, key: String, place: String)
  /// Something happened to archives, or to nodes that are archived.
  case archive(ArchiveEvent)
  /// A point in time was used.
  case point(UsedPoint)
  /// A node is not replayed.
  case replay(ReplayEvent)
}

/// How far a piece of work has come.
package struct WorkProgress: Sendable {
  /// What is done.
  package enum Work: Hashable, Sendable {
    /// Changes are taken in.
    case importing
    /// All of a store is looked at.
    case checkingStore
    /// The other copy of a store is read.
    case readingCopy
    /// Bytes go to and come from a remote of this name.
    case talking(remote: String)
  }

  /// Where it stands.
  package enum Step: Hashable, Sendable {
    /// It begins now.
    case begun
    /// So many steps are done.
    case done(Int)
    /// So many bytes have come and gone.
    case moved(received: Int, sent: Int)
    /// It has ended, after what the last step said.
    case ended
  }

  /// What is done.
  package let work: Work
  /// How many steps there are, if that is known.
  package let total: Int?
  /// Where it stands.
  package let step: Step
}
