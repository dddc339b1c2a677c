// What a server counts, over all accounts together, in the text format of Prometheus (version 0.0.4).

internal import NIOConcurrencyHelpers

/// Counters of a server.
///
/// A class, because all connections count together; everything is behind the lock.
final class Metrics: Sendable {
  private struct Counts {
    var requests: [Int: Int] = [:]
    var bytesReceived = 0
    var bytesSent = 0
    var exchanges = 0
    var exchangeNanoseconds: Int64 = 0
    var running = 0
  }

  private let counts = NIOLockedValueBox(Counts())

  /// How many exchanges run or wait for their turn.
  var running: Int { counts.withLockedValue { $0.running } }

  /// Counts a request that was answered without an exchange.
  func count(status: Int) { counts.withLockedValue { $0.requests[status, default: 0] += 1 } }

  /// Counts an exchange that begins.
  func begin() { counts.withLockedValue { $0.running += 1 } }

  /// Counts an exchange that has ended.
  func end(status: Int, received: Int, sent: Int, nanoseconds: Int64) {
    counts.withLockedValue { counts in
      counts.running -= 1
      counts.requests[status, default: 0] += 1
      counts.exchanges += 1
      counts.bytesReceived += received
      counts.bytesSent += sent
      counts.exchangeNanoseconds += nanoseconds
    }
  }

  /// All of them.
  ///
  /// - Parameter connections: how many there are now.
  /// - Returns: the text.
  func text(connections: Int) -> String {
    let counts = counts.withLockedValue { $0 }
    var text = ""
    func add(_ name: String, _ kind: String, _ help: String, _ values: [(String, String)]) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
      for (label, value) in values { text += "\(name)\(label) \(value)\n" }
    }
    add(
      "redo_requests_total", "counter", "Requests by status.",
      counts.requests.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", "\($0.value)") })
    add(
      "redo_exchange_seconds_total", "counter", "Time that exchanges took.",
      [("", "\(Double(counts.exchangeNanoseconds) / 1e9)")])
    add("redo_exchanges_total", "counter", "Exchanges.", [("", "\(counts.exchanges)")])
    add(
      "redo_received_bytes_total", "counter", "Bytes of exchanges that came.",
      [("", "\(counts.bytesReceived)")])
    add(
      "redo_sent_bytes_total", "counter", "Bytes of exchanges that were sent.",
      [("", "\(counts.bytesSent)")])
    add("redo_exchanges", "gauge", "Exchanges now.", [("", "\(counts.running)")])
    add("redo_connections", "gauge", "Connections now.", [("", "\(connections)")])
    return text
  }
}
