// Two stores that come to the same history.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// Which way nodes go.
public enum SyncDirection: Sendable {
  /// What the remote has comes here.
  case fetch
  /// What is here goes to the remote.
  case push
  /// Both.
  case both

  fileprivate var kind: SyncSession.Kind {
    switch self {
    case .fetch: .fetch
    case .push: .push
    case .both: .sync
    }
  }
}

/// What a synchronisation has done.
public struct SyncSummary: Hashable, Sendable {
  /// What the remote is called: its name in the settings, or where it is.
  public let remote: String
  /// The nodes that are new here, parents before their children.
  public let fetched: [NodeID]
  /// The nodes that are new there, as the remote has acknowledged them.
  public let pushed: [NodeID]
  /// The nodes that one side did not take, or did not offer.
  public let refusals: [Refusal]
  /// The nodes that came, and wait in the quarantine for their parents.
  public let waiting: [NodeID]
  /// How often a question went there and its answer came back.
  public let roundTrips: Int
  /// How many bytes went there.
  public let bytesSent: Int
  /// How many bytes came.
  public let bytesReceived: Int

  /// Whether all nodes that were to go have arrived.
  public var isWhole: Bool { refusals.isEmpty && waiting.isEmpty }

  /// What was done, without the members that only commands print.
  fileprivate init(_ report: SyncReport) {
    remote = report.remote
    fetched = report.fetched.map { NodeID($0) }
    pushed = report.pushed.map { NodeID($0) }
    refusals = report.refused.map { row in
      Refusal(
        node: NodeID(row.id), source: report.remote, offset: nil, rule: row.rule,
        detail: row.detail)
    }
    waiting = report.orphans.map { NodeID($0) }
    roundTrips = report.roundTrips
    bytesSent = report.bytesSent
    bytesReceived = report.bytesReceived
  }
}

extension Repository {
  /// Brings this store and a remote to the same history.
  ///
  /// Only what one of them lacks travels. Every node that comes is hashed and verified in a quarantine before any of it
  /// is visible here; what could not be taken is told of as an event when the exchange ends, and is in the answer. A remote
  /// that cannot be reached is tried up to five times, for half a minute.
  ///
  /// - Parameters:
  ///   - remote: the path of another store or of a bundle, a URL (redo-sync(1)), or the name of a remote in the settings.
  ///   - direction: which way nodes go.
  /// - Returns: what was done.
  /// - Throws: `missing` where there is no such remote, `unavailable` when it cannot be reached, `identity` when it is
  ///   not the one it was, `denied` when it allows no access or no push, `malformed` or `refused` for what it says,
  ///   `cancelled`, `system`. What has come by then is kept, and the next call goes on from there.
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
