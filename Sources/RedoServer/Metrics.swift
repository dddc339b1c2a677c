// What a server counts, in the text format of Prometheus (version 0.0.4): over all accounts together, and for each where the operator
// wants that.

internal import NIOConcurrencyHelpers

/// Counters of a server.
///
/// A class, because all connections count together; everything is behind the lock.
final class Metrics: Sendable {
  /// An exchange, or a request for documents, that has ended.
  struct Exchange {
    let account: String
    let status: Int
    let received: Int
    let sent: Int
    let nanoseconds: Int64
  }

  /// What is known at the moment.
  struct Gauges {
    let connections: Int
    let waiting: Int
    let droppedLines: Int
  }

  /// How many exchanges took how long.
  private struct Latencies {
    /// The upper bounds in milliseconds; what takes longer than the last is only in the sum.
    static let bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 60_000]

    private(set) var counts = [Int](repeating: 0, count: bounds.count)
    private(set) var count = 0
    private(set) var nanoseconds: Int64 = 0

    mutating func add(_ value: Int64) {
      count += 1
      nanoseconds += value
      for (index, bound) in Self.bounds.enumerated() where value <= Int64(bound) * 1_000_000 {
        counts[index] += 1
      }
    }
  }

  private struct Account {
    var exchanges = 0
    var received = 0
    var sent = 0
    var nanoseconds: Int64 = 0
  }

  private struct Counts {
    var requests: [Int: Int] = [:]
    var refusals: [String: Int] = [:]
    var bytesReceived = 0
    var bytesSent = 0
    var latencies = Latencies()
    var running = 0
    var accounts: [String: Account] = [:]
  }

  /// How many accounts are told apart.
  private static let accountLimit = 1_000

  private let counts = NIOLockedValueBox(Counts())

  /// How many exchanges run or wait for their turn.
  var running: Int { counts.withLockedValue { $0.running } }

  /// Counts a request that was answered without an exchange.
  ///
  /// - Parameters:
  ///   - status: the answer.
  ///   - refusal: why it was refused, if it was.
  func count(status: Int, _ refusal: Refusal?) {
    counts.withLockedValue { counts in
      counts.requests[status, default: 0] += 1
      if let refusal { counts.refusals[refusal.rawValue, default: 0] += 1 }
    }
  }

  /// Counts an exchange that begins.
  func begin() { counts.withLockedValue { $0.running += 1 } }

  /// Counts an exchange that has ended.
  func end(_ exchange: Exchange) {
    counts.withLockedValue { counts in
      counts.running -= 1
      counts.requests[exchange.status, default: 0] += 1
      counts.bytesReceived += exchange.received
      counts.bytesSent += exchange.sent
      counts.latencies.add(exchange.nanoseconds)
      // With an emulator anybody makes up names: beyond the limit they count as one.
      let isNew = counts.accounts[exchange.account] == nil
      let name = isNew && counts.accounts.count >= Self.accountLimit ? "" : exchange.account
      counts.accounts[name, default: Account()].exchanges += 1
      counts.accounts[name]?.received += exchange.received
      counts.accounts[name]?.sent += exchange.sent
      counts.accounts[name]?.nanoseconds += exchange.nanoseconds
    }
  }

  /// All of them.
  ///
  /// - Parameters:
  ///   - gauges: what is known at the moment.
  ///   - byAccount: whether accounts are named.
  /// - Returns: the text.
  func text(_ gauges: Gauges, byAccount: Bool) -> String {
    let counts = counts.withLockedValue { $0 }
    var text = MetricsText()
    text.add(
      "redo_requests_total", "counter", "Requests by status.",
      counts.requests.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", "\($0.value)") })
    text.add(
      "redo_refusals_total", "counter", "Requests that were refused, by reason.",
      counts.refusals.sorted { $0.key < $1.key }.map { ("{reason=\"\($0.key)\"}", "\($0.value)") })
    let latencies = counts.latencies
    text.add(
      "redo_exchange_duration_seconds", "histogram",
      "How long exchanges took, their wait for a thread included.",
      zip(Latencies.bounds, latencies.counts).map { bound, count in
        ("_bucket{le=\"\(Double(bound) / 1e3)\"}", "\(count)")
      } + [
        ("_bucket{le=\"+Inf\"}", "\(latencies.count)"),
        ("_sum", "\(Double(latencies.nanoseconds) / 1e9)"), ("_count", "\(latencies.count)"),
      ])
    text.add(
      "redo_exchange_seconds_total", "counter", "Time that exchanges took.",
      Double(latencies.nanoseconds) / 1e9)
    text.add("redo_exchanges_total", "counter", "Exchanges.", latencies.count)
    text.add(
      "redo_received_bytes_total", "counter", "Bytes of exchanges that came.", counts.bytesReceived)
    text.add(
      "redo_sent_bytes_total", "counter", "Bytes of exchanges that were sent.", counts.bytesSent)
    text.add(
      "redo_log_lines_dropped_total", "counter", "Lines of the log for which there was no room.",
      gauges.droppedLines)
    text.add("redo_exchanges", "gauge", "Exchanges now.", counts.running)
    text.add("redo_exchanges_waiting", "gauge", "Exchanges that wait for a thread.", gauges.waiting)
    text.add("redo_connections", "gauge", "Connections now.", gauges.connections)
    if byAccount { Self.add(counts.accounts, to: &text) }
    return text.text
  }

  private static func add(_ accounts: [String: Account], to text: inout MetricsText) {
    let rows = accounts.sorted { $0.key < $1.key }
    func add(_ name: String, _ help: String, _ value: (Account) -> String) {
      text.add(
        name, "counter", help,
        rows.map { ("{account=\"\(MetricsText.escaped($0.key))\"}", value($0.value)) })
    }
    add("redo_account_exchanges_total", "Exchanges, by account.") { "\($0.exchanges)" }
    add("redo_account_received_bytes_total", "Bytes that came, by account.") { "\($0.received)" }
    add("redo_account_sent_bytes_total", "Bytes that were sent, by account.") { "\($0.sent)" }
    add("redo_account_seconds_total", "Time that exchanges took, by account.") {
      "\(Double($0.nanoseconds) / 1e9)"
    }
  }
}

/// The text format of Prometheus.
private struct MetricsText {
  private(set) var text = ""

  /// The value of a label.
  static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Adds a metric of several values.
  mutating func add(
    _ name: String, _ kind: String, _ help: String, _ values: [(label: String, value: String)]
  ) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    for (label, value) in values { text += "\(name)\(label) \(value)\n" }
  }

  /// Adds a metric of one value.
  mutating func add(_ name: String, _ kind: String, _ help: String, _ value: some Numeric) {
    add(name, kind, help, [("", "\(value)")])
  }
}
