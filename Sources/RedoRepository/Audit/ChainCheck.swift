// What the relations of receipts forbid, among those of one input: an archive or a file, which need not have everything.

internal import RedoHistory
internal import RedoObject

/// Judges receipts by what they follow.
struct ChainCheck {
  private let profile: Profile
  private var chains = ChainAdmission()
  /// For each parent what it has to be, by what one of those that follow it says.
  private var stated: [ObjectID: ChainLink] = [:]

  init(_ profile: Profile) { self.profile = profile }

  /// Adds a receipt, in whatever order.
  mutating func add(_ receipt: Receipt) {
    chains.add(receipt)
    if let parent = receipt.parent {
      stated[parent] = stated[parent] ?? ChainLink(receipt, isInHistory: true)
    }
  }

  /// The broken rules of each; that a parent is missing only if the profile asks for parents.
  func findings() -> [ObjectID: [Finding]] {
    var chains = chains
    var findings: [ObjectID: [Finding]] = [:]
    for problem in chains.resolve({ id in profile.checksParents ? nil : stated[id] }) {
      findings[problem.id, default: []].append(problem.finding)
    }
    return findings
  }
}
