// A client at the pipe, answered from a collection: new documents are listed, both sides are compared, and each gets
// what it lacks (redo-wire(5)).

internal import FirestoreModel
internal import RedoRepository
internal import RedoCrypto
internal import RedoHTTP
package import RedoObject
package import RedoRemote
package import RedoStore

/// Answers a client from a collection.
package struct FirestoreExchange<Stream: ByteStream> {
  /// What is needed to answer.
  package struct Parts {
    /// Talks to the database.
    package let client: FirestoreClient
    /// What is remembered of it.
    package let mirror: Mirror
    /// Keeps documents that are not nodes; `nil` to drop them.
    package let quarantine: QuarantinedDocuments?
    /// Notes what documents say besides their nodes; `nil` for nowhere.
    package let notes: RemoteNotes?
    /// Where files without names are made.
    package let directory: String
    /// The user id of the person whose store it is; `nil` without a key.
    package let person: String?
    /// Whether nodes may be pushed.
    package let mayWrite: Bool
    /// Whether the client's store has a node, whose ancestors need not be read then.
    package let isHere: (ObjectID) -> Bool
    /// Milliseconds since 1970.
    package let clock: () -> Int64

    /// What is needed to answer.
    ///
    /// - Parameters:
    ///   - client: talks to the database.
    ///   - mirror: what is remembered of it.
    ///   - quarantine: keeps documents that are not nodes.
    ///   - notes: notes what documents say besides their nodes.
    ///   - directory: where files without names are made.
    ///   - person: the user id of the person whose store it is.
    ///   - mayWrite: whether nodes may be pushed.
    ///   - isHere: whether the client's store has a node.
    ///   - clock: milliseconds since 1970.
    package init(
      client: FirestoreClient, mirror: Mirror, quarantine: QuarantinedDocuments?,
      notes: RemoteNotes?, directory: String, person: String?, mayWrite: Bool,
      isHere: @escaping (ObjectID) -> Bool, clock: @escaping () -> Int64
    ) {
      self.client = client
      self.mirror = mirror
      self.quarantine = quarantine
      self.notes = notes
      self.directory = directory
      self.person = person
      self.mayWrite = mayWrite
      self.isHere = isHere
      self.clock = clock
    }
  }

  /// More bytes of bodies than this are not kept for the next run.
  private static var keptBytes: Int { 256 << 20 }

  private let parts: Parts
  private var server: ServerExchange<MirrorSource, Stream>
  private var packs: MirrorPacks?
  private var commits: CollectionWriter?
  /// Whether the client wants to know what the exchange costs.
  private var tellsCost = false
  /// Whether all nodes are compared.
  private var isWholeHistory = false

  /// An exchange.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - parts: what is needed to answer.
  package init(_ stream: Stream, _ parts: Parts) {
    self.parts = parts
    server = ServerExchange(stream)
  }

  /// Answers until the client ends the connection.
  ///
  /// - Returns: warnings for people.
  package mutating func run() -> [String] {
    var isWhole = false
    do throws(RemoteError) {
      if let hello = try server.hello() {
        do throws(RemoteError) {
          try begin(hello)
        } catch {
          server.tell(error.own)
          throw error
        }
        try server.run()
        isWhole = true
      }
    } catch {}
    var warnings: [String] = []
    if let commits, let warning = settle(commits, isWhole: isWhole) { warnings.append(warning) }
    if isWhole, tellsCost {
      var cost = parts.client.cost
      cost.lost = parts.mirror.lost.count
      server.tell(cost)
    }
    // Who has sent everything has been told of what is left.
    if isWhole, commits != nil, isWholeHistory { try? parts.mirror.settle() }
    if isWhole && packs?.isUsed == true { parts.notes?.note(at: .handingOver) }
    if let fault = parts.notes?.timesFault {
      warnings.append("when the service first had some of the nodes is not noted: \(fault)")
    }
    if let fault = parts.notes?.listsFault {
      warnings.append("which accounts may see some of the nodes is not noted: \(fault)")
    }
    // What was handed over need not be kept; the rest is there for the next run.
    let bodies = parts.mirror.bodies
    if isWhole && packs?.isUsed == true || bodies.size > Self.keptBytes { try? bodies.clear() }
    return warnings
  }

  /// Names what was written in the account's document, also what an earlier run has written.
  ///
  /// - Returns: a warning.
  private func settle(_ commits: CollectionWriter, isWhole: Bool) -> String? {
    let mirror = parts.mirror
    let there = mirror.owed.filter { mirror.nodes[$0] != nil }
    // After a run that was broken off, the next one shows which of its nodes exist.
    let rest = isWhole ? [] : mirror.owed.filter { mirror.nodes[$0] == nil }
    guard !there.isEmpty else {
      try? mirror.pay(but: rest)
      return nil
    }
    let user = UserDocument(commits.collection, of: parts.person, total: mirror.expected.count)
    let outcome = user.add(there, written: commits.written)
    if outcome.isDone { try? mirror.pay(but: rest) }
    return outcome.warning
  }

  /// Gives the client what it may see and do.
  private mutating func begin(_ hello: ClientHello) throws(RemoteError) {
    let asked = Set(hello.capabilities.words)
    let collection = NodeCollection(parts.client)
    let reading = DocumentReading(
      parts.mirror, parts.quarantine, of: parts.client.settings.account, parts.notes)
    let listing = CollectionListing(collection, parts.mirror, reading, clock: parts.clock)
    // A word that asks for nothing known is not repeated, and the client sees that.
    let filter = SyncFilter(words: hello.capabilities.words) ?? .all
    var ready: [ObjectID: PackEntry] = [:]
    if !parts.mayWrite, filter.isBare {
      ready = try listing.read(filter.nodes)
    } else if !parts.mayWrite, !filter.nodes.isEmpty, !asked.contains(SyncWord.anew) {
      try listing.find(Set(filter.nodes), parts.isHere)
    } else {
      try listing.run(anew: asked.contains(SyncWord.anew))
    }
    let isUnsigned = asked.contains(SyncWord.unsigned)
    tellsCost = asked.contains(TransportCost.word)
    isWholeHistory = filter == .all
    let source = MirrorSource(parts.mirror, filter, allowsUnsigned: isUnsigned)
    var words = SyncWord.filters + filter.words + ["\(SyncWord.nodes)\(source.count)"]
    if isUnsigned { words.append(SyncWord.unsigned) }
    if asked.contains(WireCapabilities.unfitWord) { words.append(WireCapabilities.unfitWord) }
    words += Withheld(rows: source.held).words
    if asked.contains(SyncWord.anew) { words.append(SyncWord.anew) }
    if tellsCost { words.append(TransportCost.word) }
    if !parts.mirror.isListed {
      words.append("\(TransportCost.sinceWord)\(parts.mirror.listed ?? 0)")
    }
    if !parts.mirror.lost.isEmpty {
      words.append("\(TransportCost.lostWord)\(parts.mirror.lost.count)")
    }
    let taker: any PackTaker
    if parts.mayWrite {
      let run = CollectionWriter(collection, parts.mirror, reading, listing)
      commits = run
      do throws(SystemError) {
        taker = try PushTaker(in: parts.directory, run)
      } catch {
        throw .refused(PeerFault(.stopped, "there is no place for what is sent: \(error)"))
      }
    } else {
      words.append(SyncWord.readOnly)
      taker = NothingTaken()
    }
    let maker: any PackMaker
    if NamedNodes.areAsked(asked) {
      words.append(WireCapabilities.namesWord)
      maker = NamedNodes(source.id)
    } else {
      let made = MirrorPacks(source, parts.mirror, collection, reading, listing, ready: ready)
      packs = made
      maker = made
    }
    server.begin(
      .init(
        source: source,
        greeting: .init(
          store: parts.client.settings.storeID,
          capabilities: WireCapabilities(words) ?? .none),
        maker: maker, taker: taker, unfit: source.unfit + source.held))
  }
}

extension FirestoreSettings {
  /// Takes the place of a store's id for the database: it is always the same.
  var storeID: [UInt8] {
    let text = "redo-firestore-1\n\(database.text)\n"
    let digest = SHA256.digest(of: Array(text.utf8).span)
    return (0..<16).map { digest.bytes[$0] }
  }
}
