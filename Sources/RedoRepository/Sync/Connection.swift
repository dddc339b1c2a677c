// The way to a remote, whatever it is: bytes in both directions, and an end that is told clearly.

package import RedoRemote
package import RedoStore
internal import Synchronization

/// A connection to a remote.
///
/// A class, because the exchange reads and writes what others opened and close.
package final class Connection: ByteStream {
  /// What is wanted of the remote.
  package enum Service: String {
    /// Its nodes.
    case read
    /// To give it nodes, too.
    case write
    /// What it has, without a comparison; only of remotes that answer questions.
    case query
  }

  /// Who is at the other end.
  package enum Peer {
    /// A thread of this process that answers from a store or a bundle.
    case thread(Threads.Started, Answered)
    /// A program; whether what it ends with is that of a program on another machine.
    case program(ChildProcess, isRemote: Bool)
  }

  /// What a thread tells when it has ended.
  package final class Answered: Sendable {
    private let error = Mutex<RemoteError?>(nil)

    /// Why it has ended early.
    package var outcome: RemoteError? {
      get { error.withLock { $0 } }
      set { error.withLock { $0 = newValue } }
    }
  }

  /// How long a program may take to end, in milliseconds, before it is asked to, and then made to.
  private static let graceMilliseconds = 10_000
  /// The same after an exchange that has ended early.
  private static let shortGraceMilliseconds = 2_000

  private let stream: TwoWayStream
  private let end: StreamEnd
  private let peer: Peer

  /// A connection to somebody.
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

  /// Ends both directions and waits for the other side where it is ours; again is no change.
  ///
  /// - Returns: what has become of a program that did not end well; `nil` when all is well.
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

  /// Closes it after an exchange that has ended early.
  ///
  /// - Parameters:
  ///   - error: what the exchange knows.
  ///   - effects: whose words tell how a program ended.
  /// - Returns: the same, or why, where the end of the other side tells it.
  package func explain(_ error: RemoteError, _ effects: Effects) -> RemoteError {
    _ = close(graceMilliseconds: Self.shortGraceMilliseconds)
    switch peer {
    case .thread(_, let answered):
      // What is wrong with a store on this machine is our business, too.
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
        // 255 is the answer of ssh(1) when there is no connection.
        return .stream(effects.describe(told))
      case .exited(let status):
        told.isMissingThere = isRemote && status == Self.notFound
        return .stopped(effects.describe(told))
      case .stopped: return error
      }
    }
  }

  /// What a shell ends with that finds no program.
  private static let notFound: Int32 = 127
  /// What a program of this suite ends with where a repetition may help (EX_TEMPFAIL of sysexits.h).
  private static let temporary: Int32 = 75
}
