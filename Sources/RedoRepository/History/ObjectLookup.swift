// What is known about some objects: they are read, judged, and looked up in the history.

package import RedoHistory
package import RedoObject
package import RedoStore

/// What is known about an object in addition to its bytes.
package struct ObjectFacts: Sendable {
  /// A parent.
  package struct Parent: Sendable {
    package let id: ObjectID
    /// Its action, unescaped, or why there is none.
    package let action: Result<[UInt8], Absence>
  }

  /// Why an object cannot be shown.
  package enum Absence: String, Error {
    case missing
    case corrupt
    case noNode = "no node"
    case ambiguous
  }

  /// The node, if the object is one.
  package var node: Node?
  /// The receipt, if the object is one.
  package var receipt: Receipt?
  /// The schema, if the object is one.
  package var schema: Schema?
  /// The verdict on its signature, if one was asked for.
  package var verdict: VerdictRow?
  /// When it was taken into the history, in milliseconds since 1970; `nil` when it is not part of it.
  package var received: Int64?
  /// When a remote first had it, according to the remote; `nil` when no remote says so.
  package var created: WallTime?
  /// Which accounts may see it, where a list says so; `nil` when none does.
  package var access: AccessList?
  /// What its members are called for people, if it writes to a record.
  package var names: RecordNames?
  /// Its parents, in the order of the node.
  package var parents: [Parent] = []
}

/// Looks objects up, a batch at a time.
package struct ObjectLookup: ~Copyable {
  /// What is asked for.
  package struct Request {
    /// Whether more than the nodes themselves is looked up.
    package var wantsFacts = true
    /// Whether signatures are verified, if facts are wanted.
    package var verifies = true
    /// Whether the names of members for people are looked up.
    package var wantsNames = false
    /// Whether many objects are asked for, so that the lists of times are read once.
    package var isLong = false

    /// All facts about a few objects.
    package init() {}
  }

  private let opened: Repository
  private let request: Request
  private var reader = NodeReader()
  private var verdicts: VerifyStored
  private var names: NodeNames?
  private let receivedBytes: Int
  /// When all nodes were received, if many objects are asked for.
  private let times: [ObjectID: Int64]?
  /// When remotes first had any node, if many objects are asked for.
  private let createdTimes: [ObjectID: WallTime]?
  /// The access lists of all nodes, if many objects are asked for.
  private let accessLists: AccessNotes.Found?

  /// Prepares to look objects up.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - request: what is asked for.
  ///   - trust: the trust file, if there is one.
  ///   - effects: receives warnings.
  /// - Throws: when the refs or the received log cannot be read.
  package init(
    _ opened: Repository, _ request: Request, _ trust: NodeTrust?, _ effects: Effects
  ) throws {
    let names = request.wantsNames ? try NodeNames(opened, effects) : nil
    let bytes = request.wantsFacts ? try opened.snapshot().receivedBytes : 0
    let readsTimes = request.wantsFacts && request.isLong
    times = readsTimes ? try HistoryLoad.received(opened, to: bytes) : nil
    createdTimes = readsTimes ? opened.store.created.read().times : nil
    accessLists = readsTimes ? opened.store.access.read() : nil
    receivedBytes = bytes
    self.opened = opened
    self.request = request
    self.names = names
    verdicts = VerifyStored(.v1, opened, trust, saysKeys: true)
  }

  /// Reads an object; `nil` when there is none.
  ///
  /// - Throws: when it is corrupt, or the store cannot be read.
  package mutating func read(_ id: ObjectID) throws(StoreError) -> StoredObject? {
    try opened.objects.read(id, &reader.workspace)
  }

  /// The facts about objects, in their order.
  ///
  /// - Throws: when the store cannot be read.
  package mutating func facts(about objects: [StoredObject]) throws -> [ObjectFacts] {
    var facts = objects.map { _ in ObjectFacts() }
    let nodes = objects.indices.filter { objects[$0].kind.hasHistory }
    for index in nodes {
      facts[index].node = reader.decode(objects[index])
      let grouped = reader.places.grouped(objects[index])
      facts[index].receipt = grouped?.receipt
      facts[index].schema = grouped?.schema
      if let node = facts[index].node { facts[index].names = names?.names(for: node) }
    }
    guard request.wantsFacts else { return facts }
    let ids = nodes.map { objects[$0].id }
    let times = try self.times ?? HistoryLoad.received(opened, of: Set(ids), to: receivedBytes)
    var created = createdTimes ?? [:]
    if createdTimes == nil, !ids.isEmpty {
      created = opened.store.created.read(of: Set(ids)).times
    }
    let access = accessLists ?? (ids.isEmpty ? .init() : opened.store.access.read(of: Set(ids)))
    let rows = request.verifies ? try verdicts.judge(ids) : []
    for (place, index) in nodes.enumerated() {
      facts[index].received = times[ids[place]]
      facts[index].created = created[ids[place]]
      // An account may be off a list by a row that cannot be read.
      if access.damage == nil { facts[index].access = access[ids[place]] }
      if request.verifies { facts[index].verdict = rows[place] }
      for parent in facts[index].node?.parents ?? [] {
        facts[index].parents.append(
          ObjectFacts.Parent(id: parent, action: try action(of: parent)))
      }
    }
    return facts
  }

  private mutating func action(
    of id: ObjectID
  ) throws -> Result<[UInt8], ObjectFacts.Absence> {
    do throws(StoreError) {
      guard let object = try read(id) else { return .failure(.missing) }
      guard let node = reader.decode(object),
        let action = node.escapedText(.action)
      else { return .failure(.noNode) }
      return .success(Array(action))
    } catch {
      guard case .corrupt = error else { throw error }
      return .failure(.corrupt)
    }
  }
}
