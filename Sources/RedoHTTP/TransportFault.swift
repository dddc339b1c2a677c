// Why a connection did not come about or broke, as a fault that the side at the pipe understands.

internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
package import RedoRemote
internal import RedoStore

/// Faults of connections.
package enum TransportFault {
  /// What an error of the client or its connection means.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - endpoint: whom it was about.
  /// - Returns: `unavailable` where a repetition may help.
  package static func fault(of error: any Error, _ endpoint: HTTPEndpoint) -> PeerFault {
    switch error {
    case let error as HTTPClientError: fault(of: error, endpoint)
    case let error as NIOConnectionError: fault(of: error, endpoint)
    case let error as IOError:
      PeerFault(.unavailable, "no connection to '\(endpoint.host)': \(reason(error))")
    case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection:
      PeerFault(.unavailable, "'\(endpoint.host)' has closed the connection")
    case is HTTPParserError: PeerFault(.malformed, "'\(endpoint.host)' does not answer in HTTP")
    case is NIOSSLExtraError:
      untrusted(endpoint, "it is not for this host")
    case NIOSSLError.handshakeFailed(let why): handshake(why, endpoint)
    case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate:
      untrusted(endpoint, "it cannot be verified")
    case is NIOSSLError, is BoringSSLError:
      PeerFault(.unavailable, "the connection to '\(endpoint.host)' broke within TLS")
    default:
      PeerFault(.unavailable, "no connection to '\(endpoint.host)': \(shown(error))")
    }
  }

  private static func fault(of error: HTTPClientError, _ endpoint: HTTPEndpoint) -> PeerFault {
    switch error {
    case .readTimeout, .writeTimeout, .deadlineExceeded:
      PeerFault(.unavailable, "no answer in time from '\(endpoint.host)'")
    case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout:
      PeerFault(.unavailable, "'\(endpoint.host)' does not answer")
    case .remoteConnectionClosed, .uncleanShutdown:
      PeerFault(.unavailable, "'\(endpoint.host)' has closed the connection")
    case .invalidURL, .emptyHost, .emptyScheme:
      PeerFault(.stopped, "not an address of a store: '\(endpoint.url)'")
    default:
      PeerFault(.unavailable, "the request to '\(endpoint.host)' ended: \(error.shortDescription)")
    }
  }

  private static func fault(of error: NIOConnectionError, _ endpoint: HTTPEndpoint) -> PeerFault {
    if error.connectionErrors.isEmpty {
      return PeerFault(.unavailable, "the host '\(endpoint.host)' is not known")
    }
    let reasons = error.connectionErrors.map { single in
      (single.error as? IOError).map(reason) ?? "no answer"
    }
    return PeerFault(
      .unavailable,
      "no connection to '\(endpoint.host)' at port \(error.port): \(reasons.last ?? "")")
  }

  private static func handshake(_ error: BoringSSLError, _ endpoint: HTTPEndpoint) -> PeerFault {
    let text = "\(error)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return untrusted(endpoint, "no authority that is trusted here has signed it")
    }
    // What a server answers, and what is found in its answer, when it has older versions only.
    if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
      return PeerFault(
        .stopped,
        "'\(endpoint.host)' has no TLS 1.3; the setting 'tls' of the remote allows 1.2")
    }
    return PeerFault(.stopped, "no TLS with '\(endpoint.host)': \(shown(error))")
  }

  private static func untrusted(_ endpoint: HTTPEndpoint, _ why: String) -> PeerFault {
    PeerFault(
      .stopped,
      "the certificate of '\(endpoint.host)' is not good: \(why); the setting 'caFile' of the "
        + "remote names certificates to trust")
  }

  private static func reason(_ error: IOError) -> String {
    SystemError(code: error.errnoCode, operation: "", path: "").reason
  }

  private static func shown(_ error: any Error) -> String {
    String("\(error)".unicodeScalars.prefix(200))
  }
}
