// What a side has and does not exchange, by reason.

package import RedoObject
package import RedoRemote

/// The nodes that one rule keeps from an exchange.
package struct HeldBack: Equatable, Sendable {
  /// The most nodes that are named.
  package static let namedLimit = 3

  /// The rule that is broken, or a word in its place.
  package let rule: String
  /// How many nodes break it.
  package var count: Int
  /// How many nodes break no rule themselves, and follow one that breaks this one.
  package var below: Int
  /// Nodes that break it, and after all of these some that follow; as many as are known.
  package var ids: [ObjectID] = []
  /// Which nodes these are, as in `Withheld`.
  package var digest: UInt64 = 0
  /// Whether the user has accepted that these nodes are not exchanged.
  package var isAccepted = false

  /// How many nodes it is about.
  package var total: Int { count + below }
  /// The word in place of a rule for receipts that somebody else has shared, which are not passed on.
  package static let shared = "shared"
  /// Whether it is about what is private, and stays where it is unless its owner says otherwise: that is no fault.
  package var isPrivate: Bool { Self.isPrivate(rule) }

  /// Whether a rule is about what is private.
  static func isPrivate(_ rule: String) -> Bool { [Rule.receiptPrecise.id, shared].contains(rule) }
  /// Whether it is about nodes that cannot be read.
  package var isUnreadable: Bool { Self.isUnreadable(rule) }

  /// Whether a rule is about nodes that cannot be read.
  static func isUnreadable(_ rule: String) -> Bool {
    [Rule.objectCorrupt, .objectMissing, .archiveOffline].contains { $0.id == rule }
  }

  /// What a remote says.
  ///
  /// - Parameters:
  ///   - withheld: how many nodes it withholds.
  ///   - rows: some of them.
  ///   - limit: how many are named.
  /// - Returns: the reasons.
  package static func said(
    _ withheld: Withheld, _ rows: [RefusedNode], limit: Int = namedLimit
  ) -> [HeldBack] {
    withheld.reasons.filter { $0.total > 0 }.map { reason in
      // Those that cannot be read are all known, so that it is clear when they have been sent again.
      let most = isUnreadable(reason.rule) ? Int.max : limit
      let own = rows.lazy.filter { $0.rule == reason.rule && $0.ancestor == nil }.prefix(most)
      return HeldBack(
        rule: reason.rule, count: reason.count, below: reason.below, ids: own.map(\.id),
        digest: reason.digest)
    }
  }

  /// What a side holds back.
  ///
  /// - Parameters:
  ///   - rows: the nodes, ancestors before descendants, each with its rule, and whether an ancestor breaks it.
  ///   - limit: how many are named.
  /// - Returns: the reasons.
  package static func counted(
    _ rows: some Sequence<(id: ObjectID, rule: String, isBelow: Bool)>, limit: Int = namedLimit
  ) -> [HeldBack] {
    var count = WithheldCount()
    var named: [String: (own: [ObjectID], below: [ObjectID])] = [:]
    for row in rows {
      count.add(row.id, row.rule, isBelow: row.isBelow)
      let path = row.isBelow ? \(own: [ObjectID], below: [ObjectID]).below : \.own
      if named[row.rule, default: ([], [])][keyPath: path].count < limit {
        named[row.rule, default: ([], [])][keyPath: path].append(row.id)
      }
    }
    return count.withheld.reasons.map { reason in
      let ids = named[reason.rule].map { $0.own + $0.below } ?? []
      return HeldBack(
        rule: reason.rule, count: reason.count, below: reason.below,
        ids: Array(ids.prefix(limit)), digest: reason.digest)
    }
  }

  /// Which nodes these are, as one word.
  var mark: String { "\(count)-\(below)-\(Withheld.hex(digest))" }
}

extension Withheld {
  /// What is withheld, row by row.
  ///
  /// - Parameter rows: the nodes, in the order of nodes.
  package init(rows: [RefusedNode]) {
    var count = WithheldCount()
    for row in rows { count.add(row.id, row.rule, isBelow: row.ancestor != nil) }
    self = count.withheld
  }
}

/// Chooses the nodes that a client is told of: so many of each rule, but all that cannot be read, and none that follow
/// others; all without a limit.
struct NamedRows {
  let limit: Int?
  private var counts: [String: Int] = [:]

  init(limit: Int?) { self.limit = limit }

  /// Whether a node is named.
  mutating func names(_ rule: String, isBelow: Bool) -> Bool {
    guard let limit else { return true }
    guard !isBelow, counts[rule, default: 0] < limit || HeldBack.isUnreadable(rule) else {
      return false
    }
    counts[rule, default: 0] += 1
    return true
  }
}

extension UnfitNodes {
  /// How many nodes are not compared, and why.
  package var withheld: Withheld {
    var count = WithheldCount()
    forEach { count.add($0.id, $0.rule.id, isBelow: $0.ancestor != nil) }
    return count.withheld
  }

  /// The nodes that are not compared, as a client is told of them.
  ///
  /// - Parameter limit: how many nodes of each rule are named, but for those that cannot be read, and no nodes that follow
  ///   others; all when `nil`.
  /// - Returns: the rows, in the order of the nodes.
  package func rows(limit: Int?) -> [RefusedNode] {
    var named = NamedRows(limit: limit)
    var rows: [RefusedNode] = []
    forEach { entry in
      guard named.names(entry.rule.id, isBelow: entry.ancestor != nil) else { return }
      rows.append(
        entry.ancestor.map { RefusedNode(entry.id, rule: entry.rule.id, following: $0) }
          ?? RefusedNode(entry.id, rule: entry.rule.id, finding(of: entry.id)?.detail ?? ""))
    }
    return rows
  }
}
