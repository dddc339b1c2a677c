// One end of a connection as the exchange wants it, and what its troubles are called there.

package import RedoRemote
package import RedoStore

/// One end of a connection over descriptors.
///
/// A class, as `ByteStream` asks for.
package final class StreamEnd: ByteStream {
  private let stream: TwoWayStream

  /// One end of a connection.
  package init(_ stream: TwoWayStream) { self.stream = stream }

  package func read(atMost limit: Int) throws(RemoteError) -> [UInt8] {
    do throws(StreamError) { return try stream.read(atMost: limit) } catch {
      throw RemoteError(error)
    }
  }

  package func write(_ bytes: [UInt8]) throws(RemoteError) {
    do throws(StreamError) { try stream.write(bytes) } catch { throw RemoteError(error) }
  }
}

extension RemoteError {
  /// What the exchange is told of a connection that does not work.
  package init(_ error: StreamError) {
    switch error {
    case .closed: self = .closed
    case .system(let error): self = .stream(error.description)
    case .interrupted: self = .stopped("a signal has come")
    case .silent(let seconds): self = .stream("nothing was heard for \(seconds) seconds")
    case .flooded: self = .unexpected("the other side sends while it is not its turn")
    }
  }

  /// What the other side is told of our own trouble: that it may come again, that it may not, or nothing
  /// but that there is one.
  package init(ending error: any Error) {
    let error = CommandError(error)
    switch error.kind {
    case .temporary: self = .refused(PeerFault(.unavailable, error.message))
    case .access: self = .refused(PeerFault(.denied, error.message))
    case .refused, .absent, .identity, .fatal, .usage, .signal: self = .stopped(error.message)
    }
  }

  /// What ends a command when the other side says that it is not what it was; `nil` when it does not.
  ///
  /// - Parameter title: what messages call the other side.
  /// - Returns: `identity`.
  package func changed(_ title: String) -> CommandError? {
    guard case .peer(let fault) = self, fault.code == .changed else { return nil }
    return CommandError(
      .identity, "'\(title)' is not what it was: \(fault.reason)",
      hints: [
        "nothing was taken or sent; if that is right, 'redo remote rm \(title)' forgets what was there"
      ])
  }

  /// What ends a command that could not talk to the end.
  ///
  /// - Parameter title: what messages call the other side.
  /// - Returns: `temporary` when a repetition may help, `access` when it is denied, else `fatal`.
  package func ending(_ title: String) -> CommandError {
    let message = "'\(title)': \(description)"
    if case .peer(let fault) = self, fault.code == .denied {
      return CommandError(.access, message)
    }
    if let changed = changed(title) { return changed }
    return isTransient ? CommandError(.temporary, message) : .fatal(message)
  }
}
