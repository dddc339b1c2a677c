// Bringing two stores to the same history.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// The direction in which nodes are transferred.
public enum SyncDirection: Sendable {
  /// From the remote to this store.
  case fetch
  /// From this store to the remote.
  case push
  /// In both directions.
  case both

  fileprivate var kind: SyncSession.Kind {
    switch self {
    case .fetch: .fetch
    case .push: .push
    case .both: .sync
    }
  }
}

/// The result of a synchronisation.
public struct SyncSummary: Hashable, Sendable {
  /// The name of the remote in the settings, or its location.
  public let remote: String
  /// The nodes that are new here, parents before their children.
  public let fetched: [NodeID]
  /// The nodes that are new there, as acknowledged by the remote.
  public let pushed: [NodeID]
  /// The nodes that one side did not take, or did not offer.
  public let refusals: [Refusal]
  /// The nodes that arrived, and wait in the quarantine for their parents.
  public let waiting: [NodeID]
  /// The number of round trips.
  public let roundTrips: Int
  /// The number of bytes that were sent.
  public let bytesSent: Int
  /// The number of bytes that were received.
  public let bytesReceived: Int

  /// Whether all nodes that were to be transferred have arrived.
  public var isWhole: Bool { refusals.isEmpty && waiting.isEmpty }

  /// Creates a summary without the members that only commands print.
  fileprivate init(_ report: SyncReport) {
    remote = report.remote
    fetched = report.fetched.map { NodeID($0) }
    pushed = report.pushed.map { NodeID($0) }
    let left = report.refused.map { ($0.id, $0.rule, $0.detail) }
    refusals = (left + report.held.map { ($0.id, $0.rule, $0.detail) }).map { id, rule, detail in
      Refusal(node: NodeID(id), source: report.remote, offset: nil, rule: rule, detail: detail)
    }
    waiting = report.orphans.map { NodeID($0.id) }
    roundTrips = report.roundTrips
    bytesSent = report.bytesSent
    bytesReceived = report.bytesReceived
  }
}

extension Repository {
  /// Brings this store and a remote to the same history.
  ///
  /// Only what one of them lacks is transferred. Every incoming node is hashed and verified in a quarantine before any
  /// of it is visible here; what could not be taken is reported as an event when the exchange ends, and is in the
  /// result. A remote that cannot be reached is tried up to five times, for half a minute.
  ///
  /// - Parameters:
  ///   - remote: the path of another store or of a bundle, a URL (redo-sync(1)), or the name of a remote in the
  ///     settings.
  ///   - direction: the direction in which nodes are transferred.
  /// - Returns: what was done.
  /// - Throws: `missing` when there is no such remote, `unavailable` when it cannot be reached, `identity` when it is
  ///   not the one it was before, `denied` when it denies access or a push, `malformed` or `refused` because of what it
  ///   says, `cancelled`, `system`. Nodes that have arrived by then are kept, and the next call continues from there.
  @discardableResult
  public func sync(
    with remote: String, _ direction: SyncDirection = .both
  ) throws(RedoError) -> SyncSummary {
    do {
      let remote = try Remote.named(remote, store, effects)
      var session = SyncSession(self, remote, direction.kind, SyncSession.Options())
      try session.run(effects)
      let summary = SyncSummary(session.report)
      for heads in session.report.moved.all { effects.tell(RepositoryEvent(heads)) }
      for refusal in summary.refusals { effects.tell(.nodeRefused(refusal)) }
      for node in summary.waiting { effects.tell(.parentMissing(node, parent: nil)) }
      if session.isDenied { throw LibraryFault.pushDenied(remote: remote.title) }
      return summary
    } catch {
      let error = RedoError(error)
      if error.code == .unavailable { effects.tell(.remoteUnreachable(remote)) }
      throw error
    }
  }
}
