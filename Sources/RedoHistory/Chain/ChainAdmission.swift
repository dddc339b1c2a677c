// Taking receipts into a history (receipts, section 1.7): are the parents there, are they of the same chain and author, and
// which heads does each chain have afterwards? Pure: a closure looks up receipts outside of the set.

package import RedoObject

/// What a chain knows about a receipt.
package struct ChainLink: Sendable {
  /// The receipt that it changes.
  package let parent: ObjectID?
  /// The first receipt of its chain.
  package let root: ObjectID
  /// Its author.
  package let did: String
  /// Whether a head of the history reaches it, rather than its merely being in the store.
  package let isInHistory: Bool

  /// What is known of a receipt.
  package init(_ receipt: Receipt, isInHistory: Bool) {
    parent = receipt.parent
    root = receipt.root
    did = receipt.did.text
    self.isInHistory = isInHistory
  }
}

/// How the heads of one chain change.
package struct ChainChange: Sendable {
  /// The first receipt of the chain.
  package let root: ObjectID
  /// The heads before the change, in order.
  package let before: [ObjectID]
  /// The heads after it, in order.
  package let after: [ObjectID]
}

/// Receipts that are to enter a history together, in whatever order they come.
package struct ChainAdmission: Sendable {
  /// A broken rule of one of the receipts.
  package struct Problem: Sendable {
    /// The receipt.
    package let id: ObjectID
    /// What is wrong.
    package let finding: Finding
  }

  /// The receipts, in the order in which they came.
  package private(set) var ids: [ObjectID] = []
  private var links: [ObjectID: ChainLink] = [:]

  /// A set without receipts.
  package init() {}

  /// Adds a receipt; one that is there already is skipped.
  ///
  /// - Returns: whether it was not there.
  @discardableResult
  package mutating func add(_ receipt: Receipt) -> Bool {
    add(receipt.id, ChainLink(receipt, isInHistory: false))
  }

  private mutating func add(_ id: ObjectID, _ link: ChainLink) -> Bool {
    guard links.updateValue(link, forKey: id) == nil else { return false }
    ids.append(id)
    return true
  }

  /// The first receipt of the chain of a receipt of the set.
  package func root(of id: ObjectID) -> ObjectID? { links[id]?.root }

  /// Finds every parent and judges whether it is one.
  ///
  /// Parents that are in the store but outside of its history join the set, with their own parents, so that the history stays
  /// closed.
  ///
  /// - Parameter lookUp: what is known of a receipt outside of the set; `nil` if it does not exist.
  /// - Returns: every broken rule, in the order of the receipts, warnings included; a receipt whose parent is refused for its
  ///   own parent is named too.
  /// - Throws: what `lookUp` throws.
  /// - Complexity: O(*n*) in the receipts and those that join them.
  package mutating func resolve<Failure: Error>(
    _ lookUp: (ObjectID) throws(Failure) -> ChainLink?
  ) throws(Failure) -> [Problem] {
    var problems: [Problem] = []
    var children: [ObjectID: [ObjectID]] = [:]
    var lost: [ObjectID] = []
    var next = 0
    while next < ids.count {
      let id = ids[next]
      next += 1
      guard let link = links[id], let parent = link.parent else { continue }
      let found: ChainLink?
      if let known = links[parent] { found = known } else { found = try lookUp(parent) }
      guard let found else {
        lost.append(id)
        problems.append(
          Problem(
            id: id,
            finding: Finding(.parentMissing, at: .pointer("/parentCID"), detail: parent.text)))
        continue
      }
      if !found.isInHistory { _ = add(parent, found) }
      children[parent, default: []].append(id)
      if found.root != link.root {
        lost.append(id)
        problems.append(
          Problem(
            id: id,
            finding: Finding(
              .receiptRootMismatch, at: .pointer("/rootCID"), detail: found.root.text)))
      }
      if found.did != link.did {
        problems.append(
          Problem(
            id: id, finding: Finding(.receiptAuthorChange, at: .pointer("/did"), detail: found.did)
          ))
      }
    }
    return problems + Self.descendants(of: lost, children)
  }

  private static func descendants(
    of lost: [ObjectID], _ children: [ObjectID: [ObjectID]]
  ) -> [Problem] {
    var problems: [Problem] = []
    var gone = Set(lost)
    var pending = lost
    while let parent = pending.popLast() {
      for child in children[parent] ?? [] where gone.insert(child).inserted {
        pending.append(child)
        problems.append(
          Problem(
            id: child,
            finding: Finding(.parentRefused, at: .pointer("/parentCID"), detail: parent.text)))
      }
    }
    return problems
  }

  /// The chains whose heads change: a head is a receipt without one that follows it.
  ///
  /// Nothing that is in the history follows a receipt of the set: it would be there with its parents.
  ///
  /// - Parameter heads: the present heads of a chain, by its first receipt.
  /// - Returns: the changes, by chain.
  /// - Throws: what the closure throws.
  package func changes<Failure: Error>(
    heads: (ObjectID) throws(Failure) -> [ObjectID]
  ) throws(Failure) -> [ChainChange] {
    var chains: [ObjectID: [ObjectID]] = [:]
    for id in ids { if let link = links[id] { chains[link.root, default: []].append(id) } }
    var changes: [ChainChange] = []
    for (root, members) in chains {
      let before = try heads(root)
      var after = Set(before).union(members)
      for id in members { if let parent = links[id]?.parent { after.remove(parent) } }
      let sorted = after.sorted()
      if sorted != before.sorted() {
        changes.append(ChainChange(root: root, before: before.sorted(), after: sorted))
      }
    }
    return changes.sorted { $0.root < $1.root }
  }

  /// The same set without some of its receipts.
  package func excluding(_ others: Set<ObjectID>) -> ChainAdmission {
    var kept = ChainAdmission()
    for id in ids where !others.contains(id) { if let link = links[id] { _ = kept.add(id, link) } }
    return kept
  }
}
