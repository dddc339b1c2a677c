// A connection to any kind of remote: bytes in both directions, and an end that is reported clearly.

package import RedoRemote
package import RedoStore
internal import Synchronization

/// A connection to a remote.
///
/// A class, because the exchange reads and writes what other code opens and closes.
package final class Connection: ByteStream {
  /// What the remote is asked to do.
  package enum Service: String {
    /// To send nodes.
    case read
    /// To take nodes, too.
    case write
    /// To answer questions without a comparison; only for remotes that can.
    case query
  }

  /// The other end of the connection.
  package enum Peer {
    /// A thread of this process that answers from a store or a bundle.
    case thread(Threads.Started, Answered)
    /// A program; whether its exit status is that of a program on another machine.
    case program(ChildProcess, isRemote: Bool)
  }

  /// What a thread reports when it has ended.
  package final class Answered: Sendable {
    private let error = Mutex<RemoteError?>(nil)

    /// Why it ended early.
    package var outcome: RemoteError? {
      get { error.withLock { $0 } }
      set { error.withLock { $0 = newValue } }
    }
  }

  /// How long a program may take to end, in milliseconds, before it is asked to, and later forced to.
  private static let graceMilliseconds = 10_000
  /// The same after an exchange that ended early.
  private static let shortGraceMilliseconds = 2_000

  private let stream: TwoWayStream
  private let end: StreamEnd
  private let peer: Peer

  /// Creates a connection to a peer.
  package init(_ stream: TwoWayStream, _ peer: Peer) {
    self.stream = stream
    end = StreamEnd(stream)
    self.peer = peer
  }

  deinit { close() }

  package func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    try end.read(atMost: limit)
  }
  package func write(_ bytes: [UInt8]) throws(RemoteError) { try end.write(bytes) }

  /// Tells the other side that nothing more comes; what it still says can be read.
  package func endOutput() { stream.endOutput() }

  /// Closes both directions and waits for the other side if it was started here; calling it again has no effect.
  ///
  /// - Returns: how a program ended that did not end well; `nil` when all is well.
  @discardableResult
  package func close() -> ProgramEnd? { close(graceMilliseconds: Self.graceMilliseconds) }

  private func close(graceMilliseconds: Int) -> ProgramEnd? {
    stream.close()
    switch peer {
    case .thread(let thread, _):
      thread.join()
      return nil
    case .program(let child, _):
      let end = child.wait(graceMilliseconds: graceMilliseconds)
      return end.isGood ? nil : ProgramEnd(program: child.program, end: end)
    }
  }

  /// Closes it after an exchange that ended early.
  ///
  /// - Parameters:
  ///   - error: the error that the exchange knows.
  ///   - effects: describes how a program ended.
  /// - Returns: the same error, or a better reason if the end of the other side gives one.
  package func explain(_ error: RemoteError, _ effects: Effects) -> RemoteError {
    _ = close(graceMilliseconds: Self.shortGraceMilliseconds)
    switch peer {
    case .thread(_, let answered):
      // Faults of a store on this machine are reported as our own.
      if case .peer(let fault) = error, fault.code == .stopped,
        case .stopped(let reason)? = answered.outcome
      {
        return .stopped(reason)
      }
      return error
    case .program(let child, let isRemote):
      switch error {
      case .closed, .stream: break
      case .malformed, .unexpected, .limit, .unsupported, .peer, .refused, .stopped, .unavailable:
        return error
      }
      let end = child.wait(graceMilliseconds: Self.shortGraceMilliseconds)
      var told = ProgramEnd(program: child.program, end: end)
      switch end {
      case .exited(0), .signaled, .exited(255), .exited(Self.temporary):
        // ssh(1) exits with 255 when there is no connection.
        return .stream(effects.describe(told))
      case .exited(let status):
        told.isMissingThere = isRemote && status == Self.notFound
        return .stopped(effects.describe(told))
      case .stopped: return error
      }
    }
  }

  /// The exit status of a shell that does not find a program.
  private static let notFound: Int32 = 127
  /// The exit status of a program of this suite when trying again may help (EX_TEMPFAIL of sysexits.h).
  private static let temporary: Int32 = 75
}
