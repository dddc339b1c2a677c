// Revoking a key. Which nodes stay good follows from the graph and not from clocks: a thief of the key can write any
// time into a node, but nobody can put a new node among the ancestors of an existing one.

internal import RedoCrypto
internal import RedoHistory
package import RedoObject

/// A signer who is no longer to be trusted.
package struct TrustRevocation {
  /// The signer.
  package let signer: Signer
  /// The nodes that stay good with everything that they reach.
  package let tips: [ObjectID]
  /// The comment after the first line.
  package let comment: [UInt8]?
  /// Whether the file is left as it is.
  package let isDryRun: Bool

  /// Creates a value with these members.
  package init(of signer: Signer, keeping tips: [ObjectID], comment: [UInt8]?, isDryRun: Bool) {
    self.signer = signer
    self.tips = tips
    self.comment = comment
    self.isDryRun = isDryRun
  }

  /// The result of a revocation.
  package struct Outcome {
    /// The change of the file.
    package let change: TrustChange
    /// How many of the signer's nodes stay good.
    package let keptCount: Int
    /// How many of them there are in the history and among those that stay good together.
    package let allCount: Int
  }

  /// The number of nodes on one line of the file.
  private static let lineCount = 8

  /// The lines that revoke the signer, except for some nodes.
  private func lines(_ ids: [ObjectID]) -> [TrustLine] {
    var line = TrustLine(signer)
    line.isRevoked = true
    line.comment = comment
    guard !ids.isEmpty else { return [line] }
    return stride(from: 0, to: ids.count, by: Self.lineCount).map { start in
      line.validThrough = Array(ids[start..<min(start + Self.lineCount, ids.count)])
      defer { line.comment = nil }
      return line
    }
  }

  /// The lines that are not yet in the file.
  ///
  /// - Throws: `notListed`, `trustedByUser` or `revokedOtherwise`.
  private func missing(
    _ lines: [TrustLine], _ list: TrustList
  ) throws(TrustEditFault) -> [TrustLine] {
    guard let entry = list.entry(of: signer) else {
      if let key = signer.key, let user = list.entry(of: key) {
        throw .trustedByUser(signer, user: user.signer, line: user.line)
      }
      throw .notListed(signer)
    }
    guard let revoked = entry.revokedLine else { return lines }
    let ids = Set(lines.flatMap(\.validThrough))
    if ids == Set(entry.validThrough) { return [] }
    throw .revokedOtherwise(signer, line: revoked)
  }

  /// Which nodes of the signer some nodes reach.
  private struct Reach {
    /// How many of the signer's nodes they reach.
    let keptCount: Int
    /// How many of them there are in the history and among those reached together.
    let allCount: Int
    /// The last of those that they reach.
    let last: [ObjectID]

    init(_ signer: Signer, _ tips: [ObjectID], _ opened: Repository) throws {
      let heads = try HistoryLoad.heads(opened)
      // This reads the objects themselves: a thief could have changed an index as well.
      let graph = try HistoryGraph.reaching(
        heads + tips, opened, usesCache: false, [.ids, .labels])
      let isOwn = graph.authors.map { author in
        guard author.userID == signer.userID else { return false }
        guard let key = signer.key, let carried = author.publicKey else { return true }
        return Hex.text(key.bytes.span) == Hex.text(carried.span)
      }
      func reach(_ ids: [ObjectID]) -> AuthorReach {
        AuthorReach(from: ids.compactMap { graph.position(of: $0) }, in: graph) {
          isOwn[graph.authorNumber(at: $0)]
        }
      }
      let kept = reach(tips)
      keptCount = kept.count
      last = kept.last.map { graph.id(at: $0) }
      allCount = reach(heads + tips).count
    }
  }

  /// Revokes the signer.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: where the trust file is looked for.
  /// - Returns: what was added to the file, and its consequences.
  /// - Throws: `TrustEditFault`; the error when the history cannot be read.
  package func make(_ opened: Repository, _ effects: Effects) throws -> Outcome {
    let reach = try Reach(signer, tips, opened)
    let lines = lines(reach.last)
    let change = try TrustChange.make(opened, isDryRun: isDryRun, effects) { list throws in
      try missing(lines, list)
    }
    return Outcome(change: change, keptCount: reach.keptCount, allCount: reach.allCount)
  }
}
