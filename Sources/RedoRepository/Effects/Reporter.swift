// What happens on the way, told as it happens: typed events, which only the rim turns into words.

internal import Synchronization

/// Somebody who is told what happens while work is under way.
///
/// It may be told from several threads.
package protocol Reporter: Sendable {
  /// Takes note of an event.
  func report(_ event: RedoEvent)
}

/// Nobody.
package struct SilentReporter: Reporter {
  /// A reporter to whom nothing matters.
  package init() {}

  /// Passes over the event.
  package func report(_ event: RedoEvent) {}
}

/// A reporter that keeps what it is told.
///
/// A class, because whoever asks it afterwards shares it with the work.
package final class EventLog: Reporter {
  private let kept = Mutex<[RedoEvent]>([])

  /// A reporter that was told nothing yet.
  package init() {}

  /// Keeps the event.
  package func report(_ event: RedoEvent) { kept.withLock { $0.append(event) } }

  /// What it was told, in the order in which it happened.
  package var events: [RedoEvent] { kept.withLock { $0 } }
}
