// When this store received nodes, according to its received log.

internal import RedoObject
internal import RedoStore

/// When this store received nodes.
struct ReceivedTimes {
  private var times: [ObjectID: Int64] = [:]
  /// The present.
  let now: Int64

  /// - Throws: when the received log cannot be read.
  init(_ opened: Repository, now: Int64) throws {
    self.now = now
    var latest = Int64.min
    var times: [ObjectID: Int64] = [:]
    let end = try opened.store.refs.snapshot().receivedBytes
    try opened.store.received.forEach(to: end) { id, note in
      switch note {
      case .received(let time):
        // The log grows at its end, whatever the clock of this machine showed.
        latest = max(latest, time)
        if times[id] == nil { times[id] = latest }
      case .forgotten: times[id] = nil
      }
      return true
    }
    self.times = times
  }

  /// When a node was received; `nil` when it was not.
  func time(of id: ObjectID) -> Int64? { times[id] }
}
