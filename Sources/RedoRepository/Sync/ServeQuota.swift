// How much each account of a server may keep there that is no part of the history: a client that is let write cannot fill
// the disk, or the memory, with what nobody can use.

internal import RedoStore

/// The quotas of each account of a store; 0 for no limit.
package struct ServeQuota: Equatable, Sendable {
  /// The most documents that are no nodes of the history.
  package var documents = 0
  /// The most bytes that these have in the log.
  package var bytes = 0
  /// The most bytes in the quarantine.
  package var quarantine = 0

  /// Their settings.
  package static let documentsKey = "serve.quota.documents"
  package static let bytesKey = "serve.quota.bytes"
  package static let quarantineKey = "serve.quota.quarantine"

  /// No limits.
  package init() {}
}

extension Repository {
  /// The quotas of each account that is served from this store.
  ///
  /// - Returns: the settings, each with its usual value when it is not set.
  /// - Throws: `ConfigError` when one of them is not a number.
  package func serveQuota() throws -> ServeQuota {
    var quota = ServeQuota()
    quota.documents = try store.config.quotaDocuments()
    quota.bytes = try store.config.quotaBytes()
    quota.quarantine = try store.config.quotaQuarantine()
    return quota
  }
}
