// The events: each says with its members what happened, and contains no sentence.

package import RedoRemote
package import RedoStore

/// Something that happened during the work.
package enum RedoEvent: Sendable {
  /// Work has started, continues, or has ended.
  case progress(WorkProgress)
  /// A remote has nodes that it does not offer, each with the rule that it breaks.
  case notOffered([RefusedNode], remote: String)
  /// A directory was left by an interrupted recovery.
  case recoveryLeftOver(path: String)
  /// Refs were changed, and something about their files was odd.
  case refs(RefWarning)
  /// Something is odd about a store that is being opened, or about incoming data.
  case opening(OpenEvent)
  /// Something happened while stores were talking to each other, or while incoming nodes were taken in.
  case sync(SyncEvent)
  /// Something happened to nodes on their way into a store.
  case writing(WriteEvent)
  /// Something is odd about an input.
  case importing(ImportEvent)
  /// A repair cannot find something out.
  case repairing(RepairEvent)
  /// A setting gives a severity to a rule that does not exist: the name of the rule, the setting, and where it was set.
  case unknownRule(String, key: String, place: String)
  /// A new passphrase is taken, although something speaks against it.
  case weakPassphrase(PassphraseWeakness)
  /// Something happened to archives, or to nodes that are archived.
  case archive(ArchiveEvent)
  /// A point in time was used.
  case point(UsedPoint)
  /// A node is not replayed.
  case replay(ReplayEvent)
  /// Something about the index in tables.
  case index(SQLIndexEvent)
}

/// How far a piece of work has come.
package struct WorkProgress: Sendable {
  /// The kind of work.
  package enum Work: Hashable, Sendable {
    /// Changes are taken in.
    case importing
    /// A whole store is checked.
    case checkingStore
    /// The other copy of a store is read.
    case readingCopy
    /// The nodes of a store are read before anything is done with them.
    case readingNodes
    /// Nodes are written into a pack, or into an archive.
    case packing
    /// Nodes are written for other programs.
    case exporting
    /// Bytes go to and come from the remote of this name.
    case talking(remote: String)
  }

  /// The stage of the work.
  package enum Step: Hashable, Sendable {
    /// It starts now.
    case begun
    /// This many steps are done.
    case done(Int)
    /// This many bytes were received and sent.
    case moved(received: Int, sent: Int)
    /// It has ended; the last step said how far it came.
    case ended
  }

  /// The kind of work.
  package let work: Work
  /// The number of steps, if known.
  package let total: Int?
  /// The stage of the work.
  package let step: Step
}
