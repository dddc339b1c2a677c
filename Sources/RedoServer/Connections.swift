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

  private struct Entry {
    let channel: any Channel
    /// Whether it has a request to answer, or half of one.
    var isBusy = false
    /// Whether an account has asked over it.
    var isKnown = false
    /// Its place in the order in which connections became idle.
    var turn: Int
  }

  private struct State {
    var channels: [ObjectIdentifier: Entry] = [:]
    var isStopping = false
    var turn = 0

    mutating func nextTurn() -> Int {
      turn += 1
      return turn
    }

    /// The idle connection that is missed least: one over which no account has asked, if there is any, and of these the one
    /// that has been idle for the longest time.
    var leastMissed: ObjectIdentifier? {
      channels.filter { !$0.value.isBusy }.min { one, other in
        one.value.isKnown != other.value.isKnown
          ? other.value.isKnown : one.value.turn < other.value.turn
      }?.key
    }
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
  /// Whether another one would be served.
  var hasRoom: Bool {
    state.withLockedValue { state in
      state.channels.count < limit || state.channels.values.contains { !$0.isBusy }
    }
  }

  /// Takes a connection in; where there is no room, an idle one has to go.
  func add(_ channel: any Channel) -> Welcome {
    let (welcome, leaving) = state.withLockedValue { state -> (Welcome, (any Channel)?) in
      guard !state.isStopping else { return (.closed, nil) }
      var leaving: (any Channel)?
      if state.channels.count >= limit, let idle = state.leastMissed {
        leaving = state.channels.removeValue(forKey: idle)?.channel
      }
      // Some more than the limit are heard, so that they learn the reason.
      guard state.channels.count < 2 * limit else { return (.closed, leaving) }
      state.channels[ObjectIdentifier(channel)] = Entry(channel: channel, turn: state.nextTurn())
      return (state.channels.count > limit ? .toldToReturn : .served, leaving)
    }
    leaving?.close(promise: nil)
    return welcome
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
      let turn = state.nextTurn()
      state.channels[ObjectIdentifier(channel)]?.isBusy = isBusy
      state.channels[ObjectIdentifier(channel)]?.turn = turn
      return state.isStopping && !isBusy
    }
  }

  /// Remembers that an account has asked over a connection.
  func noteKnown(_ channel: any Channel) {
    state.withLockedValue { $0.channels[ObjectIdentifier(channel)]?.isKnown = true }
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
  ///
  /// - Parameter kept: those that may go on.
  /// - Returns: how many are closed.
  @discardableResult
  func cut(except kept: Set<ObjectIdentifier> = []) -> Int {
    let all = state.withLockedValue { state in
      state.channels.filter { !kept.contains($0.key) }.map(\.value.channel)
    }
    for channel in all { channel.close(promise: nil) }
    return all.count
  }
}
