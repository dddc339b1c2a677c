// One end of a connection in the form that the exchange needs, with errors in its terms.

package import RedoRemote
package import RedoStore

/// One end of a connection over descriptors.
///
/// A class, as `ByteStream` requires.
package final class StreamEnd: ByteStream {
  private let stream: TwoWayStream

  /// Creates one end of a connection.
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
  /// The error that the exchange receives for a connection that does not work.
  package init(_ error: StreamError) {
    switch error {
    case .closed: self = .closed
    case .system, .silent: self = .stream(error.description)
    case .interrupted: self = .stopped(error.description)
    case .flooded: self = .unexpected(error.description)
    }
  }

  /// The error that the other side receives for our own: that it may try again, that it may not, or only that there is
  /// one.
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
