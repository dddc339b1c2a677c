// What happens while a program waits for a call: events with members, and no sentences.

internal import RedoObject

/// Something that happened on the way.
///
/// Events are handed to the closure of ``Effects/system(workingDirectory:home:settings:isCancelled:onEvent:)`` as they
/// happen, from whichever thread does the work.
public enum RepositoryEvent: Sendable {
  /// Work goes on.
  case progress(Progress)
  /// A node was not taken.
  case nodeRefused(Refusal)
  /// A node cannot be taken, or waits in the quarantine, because a parent is not here; which one, if that is known.
  case parentMissing(NodeID, parent: NodeID?)
  /// The heads under a ref, such as `heads/` and the ID of a task, are others now.
  case headsMoved(ref: String, before: [NodeID], after: [NodeID])
  /// A remote could not be reached, and the call ends with an error whose code is `unavailable`.
  case remoteUnreachable(String)

  /// How far a piece of work has come.
  public struct Progress: Hashable, Sendable {
    /// What is done.
    public enum Work: Hashable, Sendable {
      /// A log is taken in; its steps are nodes.
      case importing
      /// A store is verified; its steps are 256 parts of the objects.
      case verifying
      /// A remote of this name is talked to; its steps are bytes, in both directions.
      case syncing(String)
    }

    /// What is done.
    public let work: Work
    /// How many steps are done.
    public let done: Int
    /// How many there are; `nil` where that is not known.
    public let total: Int?
  }

  /// What an event of this package comes to for others; `nil` for what is only for people.
  init?(_ event: RedoEvent) {
    switch event {
    case .progress(let progress):
      guard let progress = Progress(progress) else { return nil }
      self = .progress(progress)
    default: return nil
    }
  }
}

extension RepositoryEvent.Progress {
  /// A step; `nil` for the end of the work, and for work that no public call does.
  fileprivate init?(_ progress: WorkProgress) {
    switch progress.work {
    case .importing: work = .importing
    case .checkingStore: work = .verifying
    case .talking(let remote): work = .syncing(remote)
    default: return nil
    }
    switch progress.step {
    case .begun: done = 0
    case .done(let count): done = count
    case .moved(let received, let sent): done = received + sent
    case .ended: return nil
    }
    total = progress.total
  }
}

/// A node that was not taken, and the rule that it breaks.
public struct Refusal: Hashable, Sendable {
  /// The node, by the ID that it states or that its bytes have; `nil` where it has neither.
  public let node: NodeID?
  /// Where it came from: the path of a file, or the name of a remote.
  public let source: String
  /// Where it begins in a file, in bytes from 0 (of a packed archive, its number from 1); `nil` for a remote.
  public let offset: Int?
  /// The rule that it breaks, such as `signature-bad`: one of redo-rules(7).
  public let rule: String
  /// What stands there instead, from the node, unescaped; empty when the rule says it all.
  public let detail: String
}

/// Hands events to a closure.
struct EventReporter: Reporter {
  /// What is told.
  let tell: @Sendable (RepositoryEvent) -> Void

  /// Tells what an event comes to.
  package func report(_ event: RedoEvent) {
    if let event = RepositoryEvent(event) { tell(event) }
  }
}

extension Effects {
  /// Tells of something that happened, if events are wanted.
  func tell(_ event: RepositoryEvent) { (reporter as? EventReporter)?.tell(event) }
}
