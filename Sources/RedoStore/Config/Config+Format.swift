// The settings under `core`, and the format of the store among them.

package import RedoObject

extension Config {
  /// The format of a store that has no other objects with a history than nodes: that of a new one.
  package static let nodesFormat = 1
  /// The format of a store that may have receipts as well.
  package static let groupsFormat = 2

  /// Whether the store may have receipts.
  package var mayHaveGroups: Bool {
    entries.last { $0.key == "core.format" && !$0.origin.isProtected }?.value
      == "\(Self.groupsFormat)"
  }

  /// Makes sure that the store's own file names a format that is known.
  ///
  /// - Parameter file: the path, for messages.
  /// - Throws: `format` when it names another or none.
  func checkFormat(file: String) throws(ConfigError) {
    let own = entries.last { $0.key == "core.format" && !$0.origin.isProtected }
    try Self.checkFormat(own, file: file)
  }

  /// Makes sure that a setting names a format of stores that is known.
  static func checkFormat(_ entry: Config.Entry?, file: String) throws(ConfigError) {
    guard (nodesFormat...groupsFormat).contains(where: { entry?.value == "\($0)" }) else {
      throw .format(file: file, found: entry.map { $0.value ?? "" })
    }
  }

  /// What to sync before a change is acknowledged: `core.fsync`.
  ///
  /// - Returns: `batch` when it is not set.
  /// - Throws: `value`.
  package func syncPolicy() throws(ConfigError) -> SyncPolicy {
    guard let entry = entry("core.fsync") else { return .batch }
    guard let policy = SyncPolicy(rawValue: entry.value ?? "") else {
      throw .value(entry, expected: "none, batch or full")
    }
    return policy
  }

  /// How hard loose objects are compressed, from 0 to 9: `core.compression`.
  ///
  /// - Returns: 1 when it is not set.
  /// - Throws: `value`.
  package func compression() throws(ConfigError) -> Int {
    try int("core.compression", in: 0...9) ?? 1
  }

  /// The most bytes of decoded packs that a command keeps: `core.packCacheLimit`.
  ///
  /// - Returns: 96 MiB when it is not set.
  /// - Throws: `value`.
  package func packCacheLimit() throws(ConfigError) -> Int {
    try int("core.packcachelimit", in: 0...KnownKey.bytesLimit) ?? FrameCache.usualLimitBytes
  }

  /// How many nodes are written as loose objects, before more of them become a pack:
  /// `core.bulkLimit`.
  ///
  /// - Returns: 1000 when it is not set.
  /// - Throws: `value`.
  package func bulkLimit() throws(ConfigError) -> Int {
    try int("core.bulklimit", in: 0...KnownKey.countLimit) ?? ObjectStore.usualBulkLimit
  }

  /// The most bytes of packs that one exchange with another store may bring: `transfer.maxBytes`.
  ///
  /// - Returns: 16 GiB when it is not set.
  /// - Throws: `value`.
  package func transferBytes() throws(ConfigError) -> Int {
    try int("transfer.maxbytes", in: 1...KnownKey.bytesLimit) ?? 16 << 30
  }

  /// The most nodes that one exchange with another store may bring: `transfer.maxNodes`.
  ///
  /// - Returns: ten millions when it is not set.
  /// - Throws: `value`.
  package func transferNodes() throws(ConfigError) -> Int {
    try int("transfer.maxnodes", in: 1...KnownKey.countLimit) ?? 10_000_000
  }

  /// What becomes of objects from outside that the trust file speaks against: `transfer.trust`.
  ///
  /// - Returns: `off` when it is not set.
  /// - Throws: `value`.
  package func transferTrust() throws(ConfigError) -> TransferTrust {
    guard let entry = entry("transfer.trust") else { return .off }
    guard let trust = TransferTrust(rawValue: entry.value ?? "") else {
      throw .value(entry, expected: "off, warn or enforce")
    }
    return trust
  }

  /// The most documents of one account that are no nodes of the history: `serve.quota.documents`.
  ///
  /// - Returns: 100,000 when it is not set; 0 for no limit.
  /// - Throws: `value`.
  package func quotaDocuments() throws(ConfigError) -> Int {
    try int("serve.quota.documents", in: 0...KnownKey.countLimit) ?? 100_000
  }

  /// The most bytes of these documents in the log: `serve.quota.bytes`.
  ///
  /// - Returns: 256 MiB when it is not set; 0 for no limit.
  /// - Throws: `value`.
  package func quotaBytes() throws(ConfigError) -> Int {
    try int("serve.quota.bytes", in: 0...KnownKey.bytesLimit) ?? 256 << 20
  }

  /// The most bytes of one account in the quarantine: `serve.quota.quarantine`.
  ///
  /// - Returns: 4 GiB when it is not set, four requests of the usual limit; 0 for no limit.
  /// - Throws: `value`.
  package func quotaQuarantine() throws(ConfigError) -> Int {
    try int("serve.quota.quarantine", in: 0...KnownKey.bytesLimit) ?? 4 << 30
  }

  /// How refs are written: `core.fsync` and `core.lockTimeout`.
  ///
  /// - Returns: the options, each with its usual value when it is not set.
  /// - Throws: `value`.
  package func refsOptions() throws(ConfigError) -> RefsOptions {
    var options = RefsOptions(sync: try syncPolicy())
    if let timeout = try int("core.locktimeout", in: 0...86_400_000) {
      options.lockTimeoutMilliseconds = timeout
    }
    return options
  }
}
