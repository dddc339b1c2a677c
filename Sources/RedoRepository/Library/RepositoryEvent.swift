// Events during a call: values with members, and no sentences.

internal import RedoObject

/// Something that happened during a call.
///
/// Events are passed to the closure of ``Effects/system(workingDirectory:home:settings:isCancelled:onEvent:)`` as they
/// happen, on whichever thread does the work.
public enum RepositoryEvent: Sendable {
  /// Work has made progress.
  case progress(Progress)
  /// A node was not taken.
  case nodeRefused(Refusal)
  /// A node cannot be taken, or waits in the quarantine, because a parent is not here; which one, if known.
  case parentMissing(NodeID, parent: NodeID?)
  /// The heads of a ref, such as `heads/` and the ID of a task, have changed.
  case headsMoved(ref: String, before: [NodeID], after: [NodeID])
  /// A remote could not be reached, and the call ends with an error whose code is `unavailable`.
  case remoteUnreachable(String)

  /// How far a piece of work has come.
  public struct Progress: Hashable, Sendable {
    /// The kind of work.
    public enum Work: Hashable, Sendable {
      /// A log is imported; its steps are nodes.
      case importing
      /// A store is verified; its steps are 256 parts of the objects, then the frames of packs.
      case verifying
      /// A remote of this name is being synchronised; its steps are bytes, in both directions.
      case syncing(String)
    }

    /// The kind of work.
    public let work: Work
    /// How many steps are done.
    public let done: Int
    /// The total number of steps; `nil` when unknown.
    public let total: Int?
  }

  /// Creates the public form of an event; `nil` for one that is only for people.
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
  /// Creates the public form of a step; `nil` for the end of the work, and for work that no public call does.
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
  /// The node, by the ID that it states or that its bytes have; `nil` when it has neither.
  public let node: NodeID?
  /// Where it came from: the path of a file, or the name of a remote.
  public let source: String
  /// Where it begins in a file, in bytes from 0 (in a packed archive, its number from 1); `nil` for a remote.
  public let offset: Int?
  /// The rule that it breaks, such as `signature-bad`: one of redo-rules(7).
  public let rule: String
  /// What was found instead, from the node, unescaped; empty when the rule says everything.
  public let detail: String
}

/// Passes events to a closure.
struct EventReporter: Reporter {
  /// Receives the events.
  let tell: @Sendable (RepositoryEvent) -> Void

  /// Passes on the public form of an event.
  package func report(_ event: RedoEvent) {
    if let event = RepositoryEvent(event) { tell(event) }
  }
}

extension Effects {
  /// Reports an event, if events are wanted.
  func tell(_ event: RepositoryEvent) { (reporter as? EventReporter)?.tell(event) }
}
