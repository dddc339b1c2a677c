// The history as a whole: what the refs reach, whether every parent is there, whether clocks grow, and whether refs,
// received log and objects agree on the nodes.

internal import RedoHistory
internal import RedoObject
package import RedoStore

/// What the refs of a store reach.
package struct HistoryAudit: Sendable {
  private let table: NodeTable
  private let refs: RefsCheck
  private let received: ReceivedCheck
  private var marks: [Marks]

  private struct Marks: OptionSet {
    let rawValue: UInt8
    /// One of our heads reaches it.
    static let heads = Marks(rawValue: 1)
    /// Some ref reaches it.
    static let any = Marks(rawValue: 2)
  }

  package init(_ table: NodeTable, _ refs: RefsCheck, _ received: ReceivedCheck) {
    self.table = table
    self.refs = refs
    self.received = received
    marks = [Marks](repeating: [], count: table.count)
    let isOwn = { (ref: Ref) in ref.name.isOfOwnHistory }
    walk(from: refs.refs.filter(isOwn), [.heads, .any])
    walk(from: refs.refs.filter { !isOwn($0) }, .any)
  }

  private mutating func walk(from tips: [Ref], _ mark: Marks) {
    var pending: [Int] = []
    func visit(_ id: ObjectID) {
      guard let place = table.place(of: id), !marks[place].isSuperset(of: mark) else { return }
      marks[place].formUnion(mark)
      pending.append(place)
    }
    for tip in tips { visit(tip.id) }
    while let place = pending.popLast() {
      for parent in table.parents(place) { visit(parent) }
    }
  }

  /// Whether our heads reach a node.
  func isOfHeads(_ id: ObjectID) -> Bool {
    table.place(of: id).map { marks[$0].contains(.heads) } ?? false
  }

  /// Whether a node is here that our heads do not reach; the index says nothing of receipts, or of what is gone.
  func isUnreachedNode(_ id: ObjectID) -> Bool {
    guard let place = table.place(of: id) else { return false }
    return table.kind(place) == .node && !marks[place].contains(.heads)
  }

  /// The number of nodes that our heads reach; `nil` when one of them cannot be read, so that it is not known.
  var headsCount: Int? {
    var count = 0
    for place in marks.indices
    where marks[place].contains(.heads) && table.link(place) == nil {
      guard table.kind(place) == .node else { return nil }
      for parent in table.parents(place) where table.place(of: parent) == nil { return nil }
      count += 1
    }
    return count
  }

  /// Everything that is wrong with the history.
  package func findings() -> [StoreFinding] {
    var findings = relatives()
    findings += RefAudit(table, refs.refs).findings()
    findings += receivedOnes()
    if received.isWhole, refs.isWhole {
      findings += unreceived()
      findings += unreached()
    }
    return findings
  }

  /// Parents that are missing, and clocks that do not grow.
  private func relatives() -> [StoreFinding] {
    var findings: [StoreFinding] = []
    var missing: [ObjectID: (child: ObjectID, count: Int, what: String)] = [:]
    for place in 0..<table.count where marks[place].contains(.any) && isOfHistory(place) {
      let child = table.id(place)
      var late: ObjectID?
      var links: [GroupLink] = []
      for parent in table.parents(place) {
        let found = table.place(of: parent)
        let kind = found.map { table.kind($0) } ?? .missing
        switch kind {
        case .missing: missing[parent, default: (child, 0, "missing")].count += 1
        case .blob: missing[parent, default: (child, 0, "a blob")].count += 1
        case .unreadable: break
        case _ where kind != table.kind(place):
          let word = kind.objectKind.map { "a \($0.name)" } ?? ""
          missing[parent, default: (child, 0, word)].count += 1
        case .receipt:
          if let found { findings += chain(place, found) }
        case .schema:
          if let link = found.flatMap({ table.link($0) }) { links.append(link) }
        case .node:
          if let found, table.lamport(found) >= table.lamport(place) { late = late ?? parent }
        }
      }
      if links.count == table.parents(place).count { findings += definition(place, links) }
      if let late, let other = table.place(of: late) {
        findings.append(
          StoreFinding(
            .lamportNotIncreasing, id: child, path: table.path(place),
            detail: "\(table.lamport(place)), and its parent \(late.text) has "
              + "\(table.lamport(other))"))
      }
    }
    for (id, entry) in missing {
      let more = entry.count > 1 ? " and of \(entry.count - 1) more" : ""
      findings.append(
        StoreFinding(
          .parentMissing, id: id,
          detail: "\(entry.what), parent of \(entry.child.text)\(more)",
          repair: StoreRepair.objects))
    }
    return findings
  }

  /// Whether something is of a kind that has a history.
  private func isOfHistory(_ place: Int) -> Bool { table.kind(place).isOfHistory }

  /// What is wrong between a schema and its parents.
  private func definition(_ place: Int, _ parents: [GroupLink]) -> [StoreFinding] {
    guard table.kind(place) == .schema, let link = table.link(place) else { return [] }
    return link.findings(after: parents, received: received.times[table.id(place)]).map { finding in
      StoreFinding(
        finding.rule, id: table.id(place), path: table.path(place), detail: finding.placed,
        isFatal: finding.isFatal)
    }
  }

  /// What is wrong between a receipt and its parent.
  private func chain(_ place: Int, _ parent: Int) -> [StoreFinding] {
    guard let own = table.link(place), let other = table.link(parent) else { return [] }
    func finding(_ rule: Rule, _ here: String, _ there: String) -> StoreFinding {
      StoreFinding(
        rule, id: table.id(place), path: table.path(place),
        detail: "\(here), and its parent \(table.id(parent).text) has \(there)")
    }
    var findings: [StoreFinding] = []
    if case .chain(let root) = own.group, case .chain(let followed) = other.group,
      root != followed
    {
      findings.append(
        finding(
          .receiptRootMismatch, root.cidText(as: .receipt), followed.cidText(as: .receipt)))
    }
    if let did = own.did, let followed = other.did, did != followed {
      findings.append(finding(.receiptAuthorChange, did, followed))
    }
    return findings
  }

  /// IDs that were received but are not here as nodes or receipts.
  private func receivedOnes() -> [StoreFinding] {
    received.times.keys.compactMap { id in
      switch table.place(of: id).map({ table.kind($0) }) ?? .missing {
      case .node, .receipt, .schema, .unreadable: nil
      case .missing:
        StoreFinding(
          .objectMissing, id: id, path: ObjectAudit.path(id), detail: "it was received",
          repair: StoreRepair.objects)
      case .blob:
        StoreFinding(
          .objectCorrupt, id: id, path: ObjectAudit.path(id),
          detail: "it was received as a node, and is kept as a blob",
          repair: StoreRepair.objects)
      }
    }
  }

  /// Nodes that our heads reach but that were not received.
  private func unreceived() -> [StoreFinding] {
    (0..<table.count).compactMap { place in
      guard marks[place].contains(.heads), isOfHistory(place),
        received.times[table.id(place)] == nil
      else { return nil }
      let id = table.id(place)
      return StoreFinding(.nodeUnreceived, id: id, path: table.path(place))
    }
  }

  /// Nodes that were received but that no ref reaches: only the last one of each line of nodes.
  private func unreached() -> [StoreFinding] {
    var lost: [Int] = []
    for id in received.times.keys {
      // Another finding reports what cannot be read.
      guard let place = table.place(of: id), !marks[place].contains(.any), isOfHistory(place)
      else { continue }
      lost.append(place)
    }
    guard !lost.isEmpty else { return [] }
    let isLost = Set(lost)
    var isParent: Set<Int> = []
    func lostParents(_ place: Int) -> [Int] {
      table.parents(place).compactMap { table.place(of: $0) }.filter { isLost.contains($0) }
    }
    for place in lost { isParent.formUnion(lostParents(place)) }
    var counted: Set<Int> = []
    return lost.sorted(on: { table.id($0) }).compactMap { tip in
      guard !isParent.contains(tip) else { return nil }
      var pending = [tip]
      var count = 0
      while let place = pending.popLast() {
        guard counted.insert(place).inserted else { continue }
        count += 1
        pending += lostParents(place)
      }
      let id = table.id(tip)
      return StoreFinding(
        .nodeUnreachable, id: id, path: table.path(tip),
        detail: count > 1 ? "nor are \(count - 1) nodes behind it" : "")
    }
  }
}
