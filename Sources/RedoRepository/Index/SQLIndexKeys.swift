// Which state of a store an index has (receipts, section 3.5): a few texts that are committed with its rows, and what follows
// from them for the store as it is now. Pure.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// What an index was made of.
package struct SQLIndexKeys: Equatable, Sendable {
  /// How rows are derived in this release; with another one they are derived again.
  private static let format = "2"

  /// What is done about an index.
  package enum Step: Equatable, Sendable {
    /// It has this state of the store.
    case none
    /// What has come since is added.
    case update
    /// It is built anew.
    case rebuild
  }

  /// How far the parts of a store go on from where they were.
  package struct Fit: Sendable {
    /// Whether the received log begins with what it had.
    package var received = true
    /// Whether local rows do.
    package var local = true
    /// Whether the heads have only moved on: `false` also where that is not known.
    package var refs = true

    /// Everything fits.
    package init() {}
  }

  /// The store, `core.id`; empty where it has none.
  package var store = ""
  /// The bytes of the received log, and the last 32 of them as hex digits.
  package var received = 0
  package var receivedEnd = ""
  /// The number of the last change of refs, and the hash over all.
  package var entry = 0
  package var chain = ""
  /// Where the log of changes ended then, without what was in the journal, and the hash over all in it.
  package var log = 0
  package var logChain = ""
  /// How far local rows go.
  package var local = LocalRows.Mark(bytes: 0, check: [])
  /// What changes when another signature of an object counts.
  package var signatures = ""
  /// The hash of the trust file; empty without one.
  package var trust = ""
  /// The hash over all schemas by which records are read; empty without any.
  package var schemas = ""
  /// The cards by which signatures of receipts were checked.
  package var cards: [ObjectID] = []
  /// The tasks that other nodes than their own may change.
  package var open: [TaskID] = []
  /// Whether every object that was received is in the history.
  package var isWhole = false
  /// Whether the key of a node was looked for in others.
  package var hasKeyless = false

  /// The keys of nothing.
  package init() {}

  /// The moment of refs that it has.
  package var moment: RefsMoment? {
    guard let chain = ObjectID(hex: Array(chain.utf8).span),
      let logChain = ObjectID(hex: Array(logChain.utf8).span)
    else { return nil }
    return RefsMoment(
      chain: chain.digest, receivedBytes: received, logBytes: log, logChain: logChain.digest)
  }

  /// The texts that are committed.
  package var values: [String: String] {
    [
      "format": Self.format, "store": store, "received": "\(received)",
      "received_end": receivedEnd, "refs": "\(entry)", "refs_chain": chain, "log": "\(log)",
      "log_chain": logChain,
      "local": "\(local.bytes)", "local_end": Hex.text(local.check.span),
      "signatures": signatures, "trust": trust, "schemas": schemas,
      "cards": cards.map { $0.cidText(as: .receipt) }.joined(separator: " "),
      "open": open.map(\.text).joined(separator: " "), "whole": isWhole ? "1" : "0",
      "keyless": hasKeyless ? "1" : "0",
    ]
  }

  /// Reads texts that were committed.
  ///
  /// - Returns: `nil` when another release has committed them, or somebody else.
  package init?(_ values: [String: String]) {
    guard values["format"] == Self.format, let received = values["received"].flatMap({ Int($0) }),
      let entry = values["refs"].flatMap({ Int($0) }),
      let log = values["log"].flatMap({ Int($0) }),
      let localBytes = values["local"].flatMap({ Int($0) }), received >= 0, log >= 0,
      localBytes >= 0,
      let check = Self.bytes(values["local_end"] ?? "")
    else { return nil }
    self.received = received
    self.entry = entry
    self.log = log
    logChain = values["log_chain"] ?? ""
    local = LocalRows.Mark(bytes: localBytes, check: check)
    store = values["store"] ?? ""
    receivedEnd = values["received_end"] ?? ""
    chain = values["refs_chain"] ?? ""
    signatures = values["signatures"] ?? ""
    trust = values["trust"] ?? ""
    schemas = values["schemas"] ?? ""
    isWhole = values["whole"] == "1"
    hasKeyless = values["keyless"] != "0"
    for text in (values["cards"] ?? "").split(separator: " ") {
      guard let id = ObjectID(name: Array(text.utf8).span) else { return nil }
      cards.append(id)
    }
    for text in (values["open"] ?? "").split(separator: " ") {
      guard let task = TaskID(Array(text.utf8).span) else { return nil }
      open.append(task)
    }
  }

  /// Bytes as hex digits.
  static func hex(_ bytes: [UInt8]) -> String { Hex.text(bytes.span) }

  private static func bytes(_ hex: String) -> [UInt8]? {
    guard !hex.isEmpty else { return [] }
    var bytes: [UInt8] = []
    guard let id = ObjectID(hex: Array(hex.utf8).span) else { return nil }
    id.appendRaw(to: &bytes)
    return bytes
  }

  /// What is done about an index of these keys.
  ///
  /// - Parameters:
  ///   - now: the keys of the store as it is; what was found out while rows were made does not count.
  ///   - fit: how far the store goes on from where it was.
  /// - Returns: the step.
  package func step(to now: SQLIndexKeys, _ fit: Fit) -> Step {
    guard store == now.store, signatures == now.signatures, trust == now.trust,
      schemas == now.schemas, fit.received, fit.local
    else { return .rebuild }
    let isSameHistory = received == now.received && chain == now.chain && entry == now.entry
    if isSameHistory { return local == now.local ? .none : .update }
    guard isWhole, fit.refs, !hasKeyless || received == now.received else { return .rebuild }
    return .update
  }
}
