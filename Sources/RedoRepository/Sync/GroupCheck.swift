// Which of the receipts or schemas that another store lacks may be sent: each is read again and judged as `redo verify --profile=sync`
// judges it, including its signature and the trust file. A refused one holds back what follows it, and nothing else.

internal import RedoObject
internal import RedoRemote
internal import RedoStore

/// The check of objects before they are sent.
enum GroupCheck {
  /// How many are judged together.
  private static let batchCount = 4096

  /// Checks objects.
  ///
  /// - Parameters:
  ///   - positions: the objects of the source, ascending, with all that they follow as far as the other side lacks it.
  ///   - source: where they are.
  ///   - opened: the store it was made of.
  ///   - effects: where the trust file is found.
  /// - Returns: what may be sent.
  /// - Throws: `TrustError` when the trust file cannot be read, `StoreError` when the store cannot be read at all;
  ///   `Interruption`.
  static func run(
    _ positions: [Range<Int>], of source: GroupSource, _ opened: Repository, _ effects: Effects
  ) throws -> PushCheck.Outcome {
    var judging = try GroupJudging(of: source.kind, opened, .sync, effects)
    var outcome = PushCheck.Outcome()
    var held: [ObjectID: (ancestor: ObjectID, rule: Rule)] = [:]
    var good: [Int] = []
    let order = source.inOrder(positions.joined())
    for start in stride(from: 0, to: order.count, by: batchCount) {
      try effects.checkInterrupt()
      let part = Array(order[start..<min(start + batchCount, order.count)])
      let found = try judging.findings(part.map { source.id(at: $0) })
      for (position, finding) in zip(part, found) {
        let id = source.id(at: position)
        if let finding {
          held[id] = (id, finding.rule)
          outcome.rows.append(
            PushCheck.Row(id: id, rule: finding.rule, detail: finding.detail, ancestor: nil))
        } else if let cause = source.parents(at: position).compactMap({ held[$0] }).first {
          held[id] = cause
          outcome.rows.append(
            PushCheck.Row(id: id, rule: cause.rule, detail: "", ancestor: cause.ancestor))
        } else {
          good.append(position)
        }
      }
    }
    for position in good.sorted() { outcome.take(position) }
    return outcome
  }
}

/// Makes packs of receipts or schemas of a store, in the order in which they are sent.
///
/// A class, because an exchange uses it turn after turn.
final class GroupPacks: PackMaker {
  private let source: GroupSource
  private let opened: Repository
  private let canonicalLimit: Int
  private let tellsWhy: Bool
  private let effects: Effects
  /// The objects that cannot be sent, and for each what cannot be read, itself or what it follows, and the rule.
  private var held: [ObjectID: (cause: ObjectID, rule: String)] = [:]
  private(set) var unsent: [RefusedNode] = []

  /// Creates packs of the objects of a source.
  ///
  /// - Parameters:
  ///   - source: the source that positions refer to.
  ///   - opened: the store it was made of.
  ///   - turnLimit: the most bytes that are sent at once, of which packs take a part; `nil` for no limit.
  ///   - tellsWhy: whether the other side may know what is wrong with an object that cannot be read.
  ///   - effects: describes errors of the store for the exchange; receives a report of objects that cannot be read.
  init(
    _ source: GroupSource, _ opened: Repository, turnLimit: Int?, tellsWhy: Bool,
    _ effects: Effects
  ) {
    self.source = source
    self.opened = opened
    canonicalLimit = min(WirePacks.canonicalLimit, turnLimit.map { $0 / 4 } ?? .max)
    self.tellsWhy = tellsWhy
    self.effects = effects
  }

  func makePacks(
    of positions: [Range<Int>], _ send: (PackPiece) throws(RemoteError) -> Void
  ) throws(RemoteError) {
    var packs = WirePacks(source.kind, canonicalLimit: canonicalLimit)
    let order = source.inOrder(positions.joined())
    var next = 0
    do {
      try HistoryWalk.forEachResult(
        order.map { source.id(at: $0) }, opened.objects, of: source.kind
      ) { object, reader throws in
        guard let entry = PackEntry(object, &reader.places) else {
          throw HistoryFault.invalid(object)
        }
        return entry
      } _: { result throws in
        let position = order[next]
        next += 1
        guard let entry = try sendable(result, at: position) else { return }
        try packs.add(entry, send)
      }
    } catch let error as RemoteError {
      throw error
    } catch {
      throw .stopped(effects.describe(error))
    }
    try packs.end(send)
  }

  /// An object that can be sent; otherwise it is noted why not.
  private func sendable(
    _ result: Result<PackEntry, any Error>, at position: Int
  ) throws -> PackEntry? {
    let id = source.id(at: position)
    switch result {
    case .success(let entry):
      guard let cause = source.parents(at: position).compactMap({ held[$0] }).first else {
        return entry
      }
      held[id] = cause
      unsent.append(RefusedNode(id, rule: cause.rule, following: cause.cause))
    case .failure(let error):
      guard let finding = UnreadableNode.finding(error) else { throw error }
      held[id] = (id, finding.rule.id)
      effects.report(.sync(.unreadable(id, finding)))
      unsent.append(RefusedNode(id, rule: finding.rule.id, tellsWhy ? finding.detail : ""))
    }
    return nil
  }
}
