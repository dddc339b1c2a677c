// What a history of receipts comes to (receipts, sections 1.5 and 1.7): of each chain the receipt that is shown, and
// whether it was deleted. Pure, and the same for the same receipts, in whatever order they came.

package import RedoObject

/// A receipt of a history, and what decides what it does to others.
package struct ChainMember: Sendable {
  /// What a receipt does to others than itself.
  package enum Effect: Equatable, Sendable {
    /// Nothing but to follow its parent.
    case none
    /// It deletes the chain that it is in.
    case deletesChain
    /// It deletes the chain of this receipt.
    case deletes(ObjectID)
  }

  /// The receipt.
  package let id: ObjectID
  /// What it follows.
  package let parent: ObjectID?
  /// The first one of its chain.
  package let root: ObjectID
  /// Its author.
  package let did: String
  /// The device that made it.
  package let deviceID: String?
  /// Whether it tells of a session, and can be shown for one.
  package let isSession: Bool
  /// What it does to others.
  package let effect: Effect
  /// Whether its signature holds.
  package let isGood: Bool
  /// Whether nobody else can have signed it: its author's name holds the beginning of the key, or the key of its device is
  /// pinned.
  package let isBound: Bool

  /// A member of all its parts.
  package init(
    id: ObjectID, parent: ObjectID?, root: ObjectID, did: String, deviceID: String?,
    isSession: Bool, effect: Effect, isGood: Bool, isBound: Bool
  ) {
    self.id = id
    self.parent = parent
    self.root = root
    self.did = did
    self.deviceID = deviceID
    self.isSession = isSession
    self.effect = effect
    self.isGood = isGood
    self.isBound = isBound
  }

  /// A receipt as a member.
  ///
  /// - Parameters:
  ///   - receipt: the receipt.
  ///   - isGood: whether its signature holds.
  ///   - isBound: whether its author's name holds the key, or the key of its device is pinned.
  package init(_ receipt: Receipt, isGood: Bool, isBound: Bool) {
    self.init(
      id: receipt.id, parent: receipt.parent, root: receipt.root, did: receipt.did.text,
      deviceID: receipt.deviceID, isSession: receipt.isSession,
      effect: receipt.deletesItsChain
        ? .deletesChain : receipt.deleted.map { .deletes($0) } ?? .none,
      isGood: isGood, isBound: isBound)
  }

  /// Whether it speaks for another receipt of its author: then it can change or delete it.
  func speaks(for other: ChainMember) -> Bool { speaks(for: other.did, other.deviceID) }

  /// Whether it speaks for what a device of an author makes.
  package func speaks(for did: String, _ deviceID: String?) -> Bool {
    self.did == did && isGood && (isBound || self.deviceID != nil && self.deviceID == deviceID)
  }
}

/// What the chains of a history come to.
package struct ChainView: Sendable {
  /// A chain.
  package struct Chain: Equatable, Sendable {
    /// The first receipt.
    package let root: ObjectID
    /// The receipts that nothing follows, in order.
    package let heads: [ObjectID]
    /// The one that is shown.
    package let shown: ObjectID
    /// How far the shown one is from the first.
    package let depth: Int
    /// The receipt that deleted the chain.
    package var tombstone: ObjectID?
  }

  /// The chains, by their first receipts.
  package private(set) var chains: [ObjectID: Chain] = [:]
  /// What has no effect, because it does not speak for what it would change, or is somebody else's; in order.
  package private(set) var findings: [(id: ObjectID, finding: Finding)] = []

  /// Works out what some receipts come to.
  ///
  /// - Parameter members: all receipts of a history, each once, in any order.
  /// - Complexity: O(*n* log *n*).
  package init(_ members: [ChainMember]) {
    var byID: [ObjectID: ChainMember] = [:]
    var children: [ObjectID: [ObjectID]] = [:]
    for member in members {
      byID[member.id] = member
      if let parent = member.parent { children[parent, default: []].append(member.id) }
    }
    var depths: [ObjectID: Int] = [:]
    for member in members where member.parent == nil {
      add(member, byID, children, &depths)
    }
    for member in members {
      guard case .deletes(let target) = member.effect, let deleted = byID[target] else { continue }
      guard member.did == deleted.did else {
        note(member.id, .tombstoneForeign, deleted.did)
        continue
      }
      // What does not count in its chain is no way to delete it.
      guard depths[target] != nil, member.speaks(for: deleted) else {
        note(member.id, .receiptUnpinned, target.cidText(as: .receipt))
        continue
      }
      delete(deleted.root, by: member.id)
    }
    findings.sort { $0.id < $1.id }
  }

  private mutating func note(_ id: ObjectID, _ rule: Rule, _ detail: String) {
    findings.append((id, Finding(rule, at: .pointer(""), detail: detail)))
  }

  private mutating func delete(_ root: ObjectID, by id: ObjectID) {
    guard let known = chains[root]?.tombstone, known < id else {
      chains[root]?.tombstone = id
      return
    }
  }

  /// Adds the chain of a first receipt.
  private mutating func add(
    _ root: ChainMember, _ byID: [ObjectID: ChainMember], _ children: [ObjectID: [ObjectID]],
    _ depths: inout [ObjectID: Int]
  ) {
    var shown = (depth: 0, id: root.id)
    var heads: [ObjectID] = []
    var tombstones: [ObjectID] = []
    depths[root.id] = 0
    var pending = [root]
    while let member = pending.popLast() {
      let followers = children[member.id] ?? []
      if followers.isEmpty { heads.append(member.id) }
      for id in followers {
        guard let child = byID[id] else { continue }
        pending.append(child)
        guard let depth = depths[member.id] else { continue }
        guard child.did == member.did else {
          if child.effect == .deletesChain { note(id, .tombstoneForeign, member.did) }
          continue
        }
        guard child.speaks(for: member) else {
          note(id, .receiptUnpinned, member.id.cidText(as: .receipt))
          continue
        }
        depths[id] = depth + 1
        if child.effect == .deletesChain { tombstones.append(id) }
        guard !root.isSession || child.isSession else { continue }
        if (shown.depth, shown.id) < (depth + 1, id) { shown = (depth + 1, id) }
      }
    }
    chains[root.id] = Chain(
      root: root.id, heads: heads.sorted(), shown: shown.id, depth: shown.depth,
      tombstone: tombstones.min())
  }
}
