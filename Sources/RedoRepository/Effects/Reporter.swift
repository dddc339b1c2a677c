// Typed events, reported as they happen; only the outermost layer turns them into words.

internal import Synchronization

/// A receiver of the events that happen during work.
///
/// It may be called from several threads.
package protocol Reporter: Sendable {
  /// Receives an event.
  func report(_ event: RedoEvent)
}

/// A reporter that ignores all events.
package struct SilentReporter: Reporter {
  /// Creates the reporter.
  package init() {}

  /// Ignores the event.
  package func report(_ event: RedoEvent) {}
}

/// A reporter that keeps the events it receives.
///
/// A class, because the caller who reads the events afterwards shares it with the work.
package final class EventLog: Reporter {
  private let kept = Mutex<[RedoEvent]>([])

  /// Creates a reporter without events.
  package init() {}

  /// Keeps the event.
  package func report(_ event: RedoEvent) { kept.withLock { $0.append(event) } }

  /// The events, in the order in which they happened.
  package var events: [RedoEvent] { kept.withLock { $0 } }
}
