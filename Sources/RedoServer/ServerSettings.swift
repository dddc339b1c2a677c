// What an operator sets for a server, each with a default.

/// The limits of a server.
package struct ServerSettings: Sendable {
  /// The most bytes of one request.
  package var bodyLimit = 1 << 30
  /// The most connections; further ones are asked to come back.
  package var connectionLimit = 256
  /// How many requests a second an account may make in the long run; 0 for no limit.
  package var ratePerSecond = 50
  /// How many seconds to wait for a client.
  package var timeoutSeconds = 60
  /// How many seconds running exchanges get to end when the server stops.
  package var graceSeconds = 10
  /// Whether `GET /metrics` is answered.
  package var hasMetrics = false

  /// The default limits.
  package init() {}

  /// How many exchanges run at a time; the others wait for their turn.
  var workerCount: Int { min(connectionLimit, 32) }
}
