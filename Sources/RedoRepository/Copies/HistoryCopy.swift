// The nodes and receipts of a copy of a history, wherever it is: which there are, with which signatures, and which they name
// that are not among them. About 200 bytes are kept for each.

package import RedoCrypto
package import RedoObject
internal import RedoStore

/// The nodes and receipts of a store, or of what redo import reads.
package struct HistoryCopy: Sendable {
  /// A node or receipt that something names and that is not there.
  package struct Missing: Equatable, Sendable {
    /// Its id.
    package let id: ObjectID
    /// What it was, if that can be told: the received log alone does not, where there are objects of several kinds.
    package var kind: ObjectKind?
    /// What names it as a parent, in ascending order.
    package var children: [ObjectID]
    /// What else names it: refs, and `received`.
    package var names: [String]
  }

  /// The kinds of what is looked for.
  package let kinds: [ObjectKind]
  /// The first of them, which is the only one where somebody asks for it.
  package var kind: ObjectKind { kinds[0] }
  /// What stands for the received log among the names of something.
  package static let receivedName = "received"

  /// The signature of each node; of several the first.
  package private(set) var signatures: [ObjectID: Signature?] = [:]
  /// The nodes that are there more than once, and not always with the same signature.
  package private(set) var ambiguous: Set<ObjectID> = []
  /// What is there by its name, and cannot be read, so that what it names is not known.
  package private(set) var unreadable: Set<ObjectID> = []
  /// Of the copy of a remote: what cannot be read in the store that it was compared with, so that neither whether it
  /// is there is known, nor what it names.
  package private(set) var uncompared: Set<ObjectID> = []
  /// How many values were not nodes, or not those that they say.
  package private(set) var unfitCount = 0
  /// Whether it may have more than it shows.
  package var showsPart = false
  private var ids: [ObjectID] = []
  private var idKinds: [ObjectKind] = []
  private var parents: [ObjectID] = []
  private var ends: [Int] = []
  /// What names nodes from outside: refs, the received log.
  private var names: [(name: String, id: ObjectID)] = []
  private let keepsParents: Bool
  /// The kind of everything that a name alone is known of; `nil` where there may be several.
  var onlyKind: ObjectKind? = .node

  /// A copy of which nothing is known yet.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of what is looked for, which have a history.
  ///   - keepsParents: whether it can be asked for heads and what is missing.
  package init(of kinds: [ObjectKind] = ObjectKind.packed, keepsParents: Bool = true) {
    self.kinds = kinds
    self.keepsParents = keepsParents
  }

  /// The number of nodes.
  package var count: Int { signatures.count }

  /// Whether a node is there, and can be read.
  package func contains(_ id: ObjectID) -> Bool { signatures[id] != nil }

  /// Adds a node; of several copies of one the first counts, and that another one has another signature.
  mutating func add(
    _ id: ObjectID, _ signature: Signature?, parents more: [ObjectID], of kind: ObjectKind = .node
  ) {
    if let first = signatures[id] {
      if first != signature { ambiguous.insert(id) }
      return
    }
    signatures.updateValue(signature, forKey: id)
    guard keepsParents else { return }
    ids.append(id)
    idKinds.append(kind)
    parents += more
    ends.append(parents.count)
  }

  /// Adds the nodes of another copy that knows their parents, except some; what cannot be read of it was not compared.
  mutating func add(_ other: HistoryCopy, except left: Set<ObjectID>) {
    for (place, id) in other.ids.enumerated() where !left.contains(id) {
      let start = place == 0 ? 0 : other.ends[place - 1]
      add(
        id, other.signatures[id].flatMap(\.self),
        parents: Array(other.parents[start..<other.ends[place]]), of: other.idKinds[place])
    }
    uncompared.formUnion(other.unreadable)
  }

  mutating func add(name: String, _ id: ObjectID) { names.append((name, id)) }

  mutating func add(unreadable id: ObjectID) { unreadable.insert(id) }

  /// Counts a value that is not a node.
  mutating func addUnfit() { unfitCount += 1 }

  /// The nodes that no other one names as a parent, in ascending order.
  package var heads: [ObjectID] {
    let named = Set(parents)
    return ids.filter { !named.contains($0) }.sorted()
  }

  /// All ids, in ascending order.
  package var sortedIDs: [ObjectID] { signatures.keys.sorted() }

  /// What is named and is not there, in ascending order.
  package func missing() -> [Missing] {
    func isThere(_ id: ObjectID) -> Bool { contains(id) || unreadable.contains(id) }
    var found: [ObjectID: Missing] = [:]
    for (place, id) in ids.enumerated() {
      for parent in parents[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
      where !isThere(parent) {
        var entry = found[parent] ?? Missing(id: parent, children: [], names: [])
        entry.children.append(id)
        entry.kind = idKinds[place]
        found[parent] = entry
      }
    }
    for (name, id) in names where !isThere(id) {
      var entry = found[id] ?? Missing(id: id, children: [], names: [])
      entry.names.append(name)
      entry.kind = entry.kind ?? RefName(name)?.kind ?? onlyKind
      found[id] = entry
    }
    return found.values.map { entry in
      var entry = entry
      entry.children.sort()
      entry.names.sort()
      return entry
    }.sorted(on: \.id)
  }
}
