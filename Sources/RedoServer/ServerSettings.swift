// What an operator sets for a server, each with a default.

/// The limits of a server.
package struct ServerSettings: Sendable {
  /// The most bytes of one request.
  package var bodyLimit = 1 << 30
  /// The most connections; further ones are asked to come back.
  package var connectionLimit = 256
  /// How many requests of one account are worked on at a time.
  package var runningLimit = 8
  /// How many requests a second an account may make in the long run; 0 for no limit.
  package var ratePerSecond = 50
  /// How many seconds to wait for a client.
  package var timeoutSeconds = 60
  /// How many seconds running exchanges get to end when the server stops.
  package var graceSeconds = 10
  /// Whether `GET /metrics` is answered.
  package var hasMetrics = false
  /// Whether it tells accounts apart.
  package var metersAccounts = false

  /// The default limits.
  package init() {}

  /// How many exchanges run at a time; the others wait for their turn.
  var workerCount: Int { min(connectionLimit, 32) }
  /// How many requests of one account may be open: never all connections.
  var openLimit: Int { max(1, connectionLimit - max(1, connectionLimit / 8)) }
  /// How many bytes of the requests of one account may wait for a thread.
  var waitingByteLimit: Int { 32 << 20 }
  /// How long a client may move nothing while the server stops.
  var stallNanoseconds: Int64 { Int64(max(graceSeconds, 1)) * 200_000_000 }
}
