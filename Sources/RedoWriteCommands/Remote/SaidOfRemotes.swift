// What a command has said of remotes and need not say again: what stays as it is from one exchange to the next until
// somebody does something about it.

internal import RedoRepository

/// What was said of remotes.
struct SaidOfRemotes {
  private struct Standing: Equatable {
    let heldHere: [HeldBack]
    let heldThere: [HeldBack]
    let isSilent: Bool
    let waiting: Int
    let waitingThere: Int
    let privateHere: [HeldBack]
    let keptThere: Int
  }

  private var last: [String: Standing] = [:]

  /// Notes what stands after an exchange.
  ///
  /// - Parameter report: the result of the exchange.
  /// - Returns: whether something has changed since the last one with the same remote.
  mutating func isNews(_ report: SyncReport) -> Bool {
    let now = Standing(
      heldHere: report.toldHere, heldThere: report.toldThere,
      isSilent: report.heldThere == nil && !report.showsPart, waiting: report.waiting,
      waitingThere: report.waitingThere, privateHere: report.privateHere,
      keptThere: report.keptThere)
    return last.updateValue(now, forKey: "\(report.objects) \(report.remote)") != now
  }
}
