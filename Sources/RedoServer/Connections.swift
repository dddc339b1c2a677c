// The connections of a server: how many there are, which of them are answering, and their end.

internal import NIOConcurrencyHelpers
internal import NIOCore

/// The open connections.
///
/// A class, because all connections are in it; everything is behind the lock.
final class Connections: Sendable {
  /// Whether a connection is welcome.
  enum Welcome {
    /// It is served.
    case served
    /// The client is asked to come back.
    case toldToReturn
    /// It is closed at once.
    case closed
  }

  private struct State {
    var channels: [ObjectIdentifier: (channel: any Channel, isBusy: Bool)] = [:]
    var isStopping = false
  }

  private let limit: Int
  private let state = NIOLockedValueBox(State())

  /// - Parameter limit: how many are served.
  init(limit: Int) { self.limit = limit }

  /// How many there are.
  var count: Int { state.withLockedValue { $0.channels.count } }
  /// How many of them have a request to answer, or half of one.
  var busyCount: Int { state.withLockedValue { $0.channels.values.count { $0.isBusy } } }
  /// Whether the server stops.
  var isStopping: Bool { state.withLockedValue { $0.isStopping } }

  /// Takes a connection in.
  func add(_ channel: any Channel) -> Welcome {
    state.withLockedValue { state in
      // Some more than the limit are heard, so that they learn the reason.
      guard !state.isStopping, state.channels.count < 2 * limit else { return .closed }
      state.channels[ObjectIdentifier(channel)] = (channel, false)
      return state.channels.count > limit ? .toldToReturn : .served
    }
  }

  /// Forgets a connection that is closed.
  func remove(_ channel: any Channel) {
    state.withLockedValue { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  /// Remembers whether a connection has a request to answer.
  ///
  /// - Returns: whether it is to be closed now, because the server stops.
  func set(_ channel: any Channel, isBusy: Bool) -> Bool {
    state.withLockedValue { state in
      state.channels[ObjectIdentifier(channel)]?.isBusy = isBusy
      return state.isStopping && !isBusy
    }
  }

  /// From now on no connection is accepted, and those without an open request are closed.
  func stop() {
    let idle = state.withLockedValue { state in
      state.isStopping = true
      return state.channels.values.filter { !$0.isBusy }.map(\.channel)
    }
    for channel in idle { channel.close(promise: nil) }
  }

  /// Closes all that are left.
  func cut() {
    let all = state.withLockedValue { $0.channels.values.map(\.channel) }
    for channel in all { channel.close(promise: nil) }
  }
}
