// What a write would exceed, and what is said about it.

internal import FirestoreModel
internal import RedoRepository

/// A quota that a write would exceed.
struct ExceededQuota: Equatable, Sendable {
  /// The setting that has the limit.
  let key: String
  /// The limit.
  let limit: Int
  /// How much is used.
  let used: Int
  /// How much would be used.
  let wanted: Int

  /// What the client is told.
  ///
  /// - Parameter account: its account.
  /// - Returns: the error of Google's service for that.
  func error(of account: String) -> FirestoreError {
    FirestoreError(
      .resourceExhausted,
      "the quota '\(key)' of '\(account)' is \(limit): \(used) are in use,"
        + " and there would be \(wanted) (documents that are no nodes of the history)")
  }
}

extension ServeQuota {
  /// The quota that a change would exceed.
  ///
  /// - Parameters:
  ///   - old: how much an account uses.
  ///   - new: how much it would use.
  /// - Returns: `nil` when it may: what makes less of it always may.
  func exceeded(_ old: DocumentUse, _ new: DocumentUse) -> ExceededQuota? {
    if documents > 0, new.documents > documents, new.documents > old.documents {
      return ExceededQuota(
        key: Self.documentsKey, limit: documents, used: old.documents, wanted: new.documents)
    }
    if bytes > 0, new.bytes > bytes, new.bytes > old.bytes {
      return ExceededQuota(key: Self.bytesKey, limit: bytes, used: old.bytes, wanted: new.bytes)
    }
    return nil
  }
}
