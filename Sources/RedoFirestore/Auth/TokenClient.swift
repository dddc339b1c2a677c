// Posts forms to token endpoints over HTTP.

package import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import RedoHTTP
internal import RedoRemote

/// Asks token endpoints.
package enum TokenClient {
  /// The most bytes of an answer.
  private static let answerLimit = 65_536
  /// How long an answer may take, in seconds.
  private static let waitSeconds: Int64 = 30
  /// The longest that an endpoint may ask to wait, in seconds.
  private static let retryLimit = 3600

  /// A function that posts to token endpoints, one request after another; the thread waits.
  ///
  /// - Parameter client: makes the requests; redirects must not be followed.
  /// - Returns: the function.
  package static func post(with client: HTTPClient) -> FirestoreToken.Post {
    { (request: TokenRequest) throws(RemoteError) -> TokenAnswer in
      try post(request, client)
    }
  }

  private static func post(
    _ token: TokenRequest, _ client: HTTPClient
  ) throws(RemoteError) -> TokenAnswer {
    let headers = HTTPHeaders([
      ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
      ("Accept-Encoding", "identity"), ("User-Agent", "redo"),
    ])
    let host = host(token.url)
    do {
      let request = try HTTPClient.Request(
        url: token.url, method: .POST, headers: headers, body: .bytes(token.body))
      let collecting = ResponseAccumulator(request: request, maxBodySize: answerLimit)
      let response = try client.execute(
        request: request, delegate: collecting, deadline: .now() + .seconds(waitSeconds)
      ).wait()
      return TokenAnswer(
        status: Int(response.status.code),
        retryAfterSeconds: response.headers.first(name: "retry-after").flatMap(seconds),
        body: response.body.map { Array($0.readableBytesView) } ?? [])
    } catch {
      // The error could contain the address, and so a key: it is reported in our own words.
      throw TokenFault.unavailable("no answer of the token endpoint at '\(host)': \(reason(error))")
    }
  }

  /// Why there is no answer.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError:
      switch error {
      case .deadlineExceeded, .connectTimeout, .readTimeout: "it takes too long"
      default: error.shortDescription
      }
    case is ResponseAccumulator.ResponseTooBigError: "it is too large"
    case is HTTPParserError: "it is not in HTTP"
    default: "there is no connection"
    }
  }

  private static func host(_ url: String) -> String {
    (try? HTTPEndpoint(String(url.prefix { $0 != "?" })))?.host ?? ""
  }

  private static func seconds(_ text: String) -> Int? {
    guard (1...9).contains(text.utf8.count), let seconds = Int(text), seconds >= 0 else {
      return nil
    }
    return min(seconds, retryLimit)
  }
}
