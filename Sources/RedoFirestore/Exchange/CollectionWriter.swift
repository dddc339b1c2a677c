// Writes nodes to the collection: commits of at most 500 documents and 9 MiB, each all or nothing, and none of which
// replaces anything. The service does not say which write of a refused commit is to blame, so its halves are tried.
//
// A refused node holds back its descendants. A commit of unknown fate is looked for before it is repeated.

internal import CanonicalJSON
internal import FirestoreModel
internal import RedoRepository
internal import RedoHTTP
package import RedoObject
package import RedoRemote
internal import RedoStore

/// Writes nodes.
///
/// A class, because it is fed node by node.
package final class CollectionWriter {
  /// A node that waits for its commit.
  private struct Waiting {
    let node: Node
    let write: FirestoreWrite
    let byteCount: Int
  }

  /// The rule for what the service refuses, as for a hook of a store.
  private static let declined = "declined"

  /// After so many documents of other accounts, and nothing that was written, no more are tried.
  private static let foreignLimit = 30

  let collection: NodeCollection
  private let mirror: Mirror
  private let reading: DocumentReading
  private let listing: CollectionListing
  private var settings: FirestoreSettings { collection.client.settings }

  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  private var refused: [RefusedNode] = []
  private var refusedIDs: Set<ObjectID> = []
  private var deniedCount = 0
  /// How many documents are in the way that the account may not read.
  private var foreignCount = 0
  /// What the service said when it denied a node.
  private var denial: CallFailure?
  /// The nodes that the collection has now.
  private var taken: [Node] = []
  /// All that this run has written or found there.
  private(set) var written: [Node] = []

  /// Writes nodes.
  ///
  /// - Parameters:
  ///   - collection: where.
  ///   - mirror: remembers them.
  ///   - reading: takes in documents that exist already.
  ///   - listing: looks for what is new.
  package init(
    _ collection: NodeCollection, _ mirror: Mirror, _ reading: DocumentReading,
    _ listing: CollectionListing
  ) {
    self.collection = collection
    self.mirror = mirror
    self.reading = reading
    self.listing = listing
  }

  // MARK: In

  /// Takes a node; parents come before their children.
  ///
  /// - Parameters:
  ///   - object: the node; its id is the hash of its body.
  ///   - decoder: judges it.
  /// - Throws: why nothing more can be written.
  package func add(_ object: StoredObject, _ decoder: inout NodeDecoder) throws(RemoteError) {
    guard let node = decoder.decode(object) else {
      refuse(RefusedNode(object.id, decoder.findings.first ?? Finding(.nodeType)))
      return
    }
    let fields: FirestoreFields
    do throws(NodeDocument.Refusal) {
      fields = try NodeDocument.fields(
        of: node.body, id: node.id, signature: node.signature,
        accessList: [settings.account] + settings.accessList)
    } catch {
      refuse(
        RefusedNode(
          node.id, rule: Self.declined, "Firestore cannot carry it: \(error.message)"))
      return
    }
    let write = FirestoreWrite(
      .update(FirestoreDocument(name: settings.nodeName(node.id.text), fields: fields)),
      transforms: [.init(FieldPath(NodeDocument.createdAtField), .requestTime)],
      precondition: .exists(false))
    var bytes: [UInt8] = []
    write.appendJSON(to: &bytes)
    if waiting.count == CommitLimit.writes || waitingBytes + bytes.count > CommitLimit.bytes {
      try flush()
    }
    waiting.append(Waiting(node: node, write: write, byteCount: bytes.count))
    waitingBytes += bytes.count + 1
  }

  /// Writes what waits.
  ///
  /// - Returns: what became of all nodes.
  /// - Throws: why they could not be written.
  package func finish() throws(RemoteError) -> Admitted {
    try flush()
    if taken.isEmpty, deniedCount > 1, let denial {
      throw denial.told("writing any of \(deniedCount) nodes", by: settings.account)
    }
    defer {
      taken = []
      refused = []
    }
    return Admitted(taken: UInt64(taken.count), refused: refused)
  }

  private func flush() throws(RemoteError) {
    let batch = waiting
    waiting = []
    waitingBytes = 0
    try commit(batch, isFresh: true)
  }

  // MARK: Commits

  /// Writes some nodes.
  ///
  /// - Parameters:
  ///   - batch: nodes in their order.
  ///   - isFresh: whether the list of new nodes has not been read since some were found to exist.
  /// - Throws: why nothing more can be written.
  private func commit(_ batch: [Waiting], isFresh: Bool) throws(RemoteError) {
    let batch = batch.filter { isFree($0.node) }
    guard !batch.isEmpty else { return }
    var created: FirestoreTimestamp?
    try DocumentReading.keeping { () throws(SystemError) in
      try mirror.owe(batch.map(\.node.id))
    }
    do throws(CallFailure) {
      let answer = try collection.client.commit(
        FirestoreCommit(batch.map(\.write)), as: "commit")
      created = answer.results.first?.transformResults.first?.timestamp
      reading.note(
        written: batch.map(\.node.id), at: created,
        readers: ([settings.account] + settings.accessList).map(\.text))
    } catch {
      guard case .status(let said, _) = error else {
        throw error.told("writing \(batch.count) nodes", by: settings.account)
      }
      switch said.status {
      case .alreadyExists: try commitRest(of: batch, said, isFresh: isFresh)
      case .permissionDenied, .invalidArgument, .failedPrecondition:
        guard batch.count > 1 else {
          deny(batch[0].node, error)
          return
        }
        let middle = batch.count / 2
        try commit(Array(batch[..<middle]), isFresh: isFresh)
        try commit(Array(batch[middle...]), isFresh: isFresh)
      default: throw error.told("writing \(batch.count) nodes", by: settings.account)
      }
      return
    }
    try note(batch.map(\.node))
    // What we have written ourselves is not looked for.
    guard let created, let cursor = mirror.cursor, created.microseconds > cursor else { return }
    try DocumentReading.keeping { () throws(SystemError) in
      try mirror.advance(to: created.microseconds)
    }
  }

  /// Some of the nodes exist: an earlier run, or somebody else, has written them.
  private func commitRest(
    of batch: [Waiting], _ said: FirestoreError, isFresh: Bool
  ) throws(RemoteError) {
    if isFresh {
      try listing.run(anew: false)
      let rest = batch.filter { mirror.nodes[$0.node.id] == nil }
      // What was read under its id has its hash.
      try note(batch.map(\.node).filter { mirror.nodes[$0.id] != nil })
      try commit(rest, isFresh: false)
      return
    }
    let named = batch.first { said.message.contains($0.node.id.text) } ?? batch[0]
    if batch.count == 1 || said.message.contains(named.node.id.text) {
      try settle(named.node)
      try commit(batch.filter { $0.node.id != named.node.id }, isFresh: false)
    } else {
      let middle = batch.count / 2
      try commit(Array(batch[..<middle]), isFresh: false)
      try commit(Array(batch[middle...]), isFresh: false)
    }
  }

  /// Reads back a node that exists.
  private func settle(_ node: Node) throws(RemoteError) {
    var isThere = false
    try collection.documents([node.id.text]) { documents throws(RemoteError) in
      isThere = try !reading.take(documents).isEmpty
    }
    if isThere {
      try note([node])
    } else if let row = mirror.unfit[node.id.text]?.rows.first {
      refuse(
        RefusedNode(
          node.id, rule: row.rule, "the document that is there is another one: \(row.detail)"))
    } else {
      foreignCount += 1
      refuse(
        RefusedNode(
          node.id, rule: RefusedNode.otherAccount,
          "a document of this id is there that the account '\(settings.account.text)' may not read"
        ))
      guard foreignCount < Self.foreignLimit || !isForeign else { throw foreign }
    }
  }

  /// Whether there are documents of other accounts, and none that this one may read or could write.
  private var isForeign: Bool { foreignCount > 0 && written.isEmpty && mirror.nodes.isEmpty }

  /// The report when all that is to be written belongs to other accounts: a new account in an old project.
  private var foreign: RemoteError {
    .refused(
      PeerFault(
        .denied,
        "FIREBASE_001: the documents of these changes are there, and the account "
          + "'\(settings.account.text)' may not read them: they are of other accounts, and the rules "
          + "forbid everybody to change them; use another project for this account, or go on with "
          + "the one that has written them"))
  }

  // MARK: What became of nodes

  /// Whether nothing holds a node back; if something does, it is refused.
  private func isFree(_ node: Node) -> Bool {
    guard let parent = node.parents.first(where: { refusedIDs.contains($0) }) else { return true }
    refuse(
      RefusedNode(
        node.id, rule: Rule.parentRefused.id, "held back: its parent \(parent.text) is refused"))
    return false
  }

  private func refuse(_ row: RefusedNode) {
    refused.append(row)
    refusedIDs.insert(row.id)
  }

  private func deny(_ node: Node, _ failure: CallFailure) {
    deniedCount += 1
    denial = denial ?? failure
    let told = failure.told("the node", by: settings.account)
    refuse(RefusedNode(node.id, rule: Self.declined, told.faultToTell.text))
  }

  /// Remembers nodes that exist.
  private func note(_ nodes: [Node]) throws(RemoteError) {
    try DocumentReading.keeping { () throws(SystemError) in
      try mirror.add(written: nodes.map { MirrorNode($0) })
    }
    taken += nodes
    written += nodes
  }
}
