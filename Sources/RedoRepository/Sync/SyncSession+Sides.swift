// What only one side of an exchange has, by id: the ids of what is here are known, those of what is there are asked for.

internal import RedoHistory
package import RedoObject
internal import RedoRemote
internal import RedoStore

/// The nodes that only one side has.
package struct SyncSides: Sendable {
  /// A node that the other side lacks.
  package struct Row: Sendable {
    package let id: ObjectID
    /// The rule because of which it is held back, if it is.
    package let rule: String?
  }

  /// Those that are here, by id.
  package fileprivate(set) var here: [Row] = []
  /// Those that are there, by id.
  package fileprivate(set) var there: [Row] = []

  /// Nothing.
  package init() {}
}

extension SyncSession.Options {
  /// The exchanges in which this is done: as many as it takes to name all wanted nodes to a remote that has to be paid for
  /// what it looks at.
  ///
  /// - Parameter remote: the remote.
  /// - Returns: at least one.
  package func parts(for remote: Remote) -> [SyncSession.Options] {
    guard let only, only.count > SyncFilter.nodeLimit, RemoteQuery.isAnswered(by: remote) else {
      return [self]
    }
    let ids = only.sorted()
    return stride(from: 0, to: ids.count, by: SyncFilter.nodeLimit).map { start in
      var part = self
      part.only = Set(ids[start..<min(start + SyncFilter.nodeLimit, ids.count)])
      return part
    }
  }
}

extension SyncSession {
  /// Finds out which nodes only one side has.
  ///
  /// A node that cannot be read counts as absent where it lies, and what is held back as present. A remote that cannot
  /// name nodes sends them instead; they are dropped.
  ///
  /// - Parameters:
  ///   - exchange: the exchange, in which the two have been compared.
  ///   - history: what was compared.
  ///   - difference: the result.
  ///   - unreadable: the nodes here that are known to be unreadable.
  /// - Returns: the nodes.
  /// - Throws: `RemoteError` when the exchange ends early, `ConfigError` when a limit is not a number.
  func sides<Objects: ComparedObjects, Stream: ByteStream>(
    _ exchange: inout ClientExchange<Objects.Source, Stream>, _ history: Objects,
    _ difference: RangeDifference, unreadable: [ObjectID: Finding]
  ) throws -> SyncSides where Objects.Source: ComparedSource {
    let source = try history.source()
    var there: [ObjectID: String?] = [:]
    let taker = IncomingNodes(try Receiver.Limits(opened.store.config)) { node in
      there.updateValue(nil, forKey: node.id)
    }
    let answers = try exchange.transfer(want: difference.want, taker, have: [], NoPacks())
    for row in answers.unsent where row.rule == RefusedNode.named {
      there.updateValue(nil, forKey: row.id)
    }
    let withheld = exchange.server.flatMap { Withheld($0.capabilities) }
    let reasons = Set((withheld?.reasons ?? []).map(\.rule))
    for row in exchange.unfit where reasons.contains(row.rule) && there[row.id] == nil {
      guard row.ancestor != nil || !HeldBack.isUnreadable(row.rule) else { continue }
      there[row.id] = row.rule
    }
    var held: [ObjectID: String] = [:]
    for row in try history.held(limit: nil) {
      guard row.ancestor != nil || !HeldBack.isUnreadable(row.rule) else { continue }
      held[row.id] = row.rule
    }
    var sides = SyncSides()
    for position in difference.have.joined() {
      let id = source.id(at: position)
      if there[id] == nil, unreadable[id] == nil {
        sides.here.append(SyncSides.Row(id: id, rule: nil))
      }
    }
    for (id, rule) in held where there[id] == nil {
      sides.here.append(SyncSides.Row(id: id, rule: rule))
    }
    for (id, rule) in there where held[id] == nil {
      guard source.position(of: id) == nil || unreadable[id] != nil else { continue }
      sides.there.append(SyncSides.Row(id: id, rule: rule))
    }
    sides.here.sort { $0.id < $1.id }
    sides.there.sort { $0.id < $1.id }
    return sides
  }
}
