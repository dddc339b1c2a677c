// How much an account may have in the quarantine: packs that come, or have come before a push broke off, and changes that
// wait for their parents. What waits has half of it at most, so that their parents can always come.

internal import RedoObject
package import RedoRemote
package import RedoStore

/// The quota of an account in the quarantine.
package struct QuarantineQuota: Equatable, Sendable {
  /// The account.
  package let account: String
  /// The most bytes; 0 for no limit.
  package let limit: Int

  /// Whether packs that come count as well; they do not where requests are small.
  package let coversComing: Bool

  /// - Parameters:
  ///   - account: its name; empty for whoever reaches a server without accounts.
  ///   - limit: the most bytes; 0 for no limit.
  ///   - coversComing: whether packs that come count as well.
  package init(account: String, limit: Int, coversComing: Bool = true) {
    self.account = account
    self.limit = limit
    self.coversComing = coversComing
  }

  /// How the quarantine knows the account.
  package var owner: QuarantineOwner { QuarantineOwner(account: account) }

  /// The most bytes of what waits; all there are without a limit.
  package var waitingLimit: Int { limit == 0 ? .max : limit / 2 }

  /// Why more does not come.
  ///
  /// - Parameters:
  ///   - used: how many bytes are there.
  ///   - more: how many would come.
  /// - Returns: `nil` when there is room.
  package func fault(used: Int, more: Int) -> RemoteError? {
    guard limit > 0, used + more > limit else { return nil }
    return .limit(
      "the quota '\(ServeQuota.quarantineKey)'\(name) is \(limit) bytes:"
        + " \(used) are in use, and \(more) more came")
  }

  /// What follows the reason why a change does not wait.
  package var isUsedUp: String { "the quota '\(ServeQuota.quarantineKey)'\(name) is used up" }

  private var name: String { account.isEmpty ? "" : " of '\(account)'" }
}
