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
    case .system, .silent: self = .stream(error.description)
    case .interrupted: self = .stopped(error.description)
    case .flooded: self = .unexpected(error.description)
    }
  }

  /// What the other side is told of our own trouble: that it may come again, that it may not, or nothing
  /// but that there is one.
  package init(ending error: any Error, _ effects: Effects) {
    let text = effects.describe(error)
    switch RedoError(error).code {
    case .unavailable: self = .refused(PeerFault(.unavailable, text))
    case .denied: self = .refused(PeerFault(.denied, text))
    case .malformed, .invalid, .corrupt, .missing, .unsupported, .refused, .identity, .system,
      .cancelled:
      self = .stopped(text)
    }
  }
}
