// One client, answered from a store: the same for a path, for `redo serve --stdio` and for a server.

internal import RedoCrypto
internal import RedoObject
package import RedoRemote
internal import RedoStore

/// Answers a client.
package enum ServeSession {
  /// What a client may do.
  package enum Rights: Sendable {
    /// Fetch.
    case read
    /// Fetch and push.
    case write
  }

  /// How a client is answered.
  package struct Options: Sendable {
    /// What it may do.
    package var rights = Rights.read
    /// Whether nodes without a signature may be exchanged, where the client asks for it.
    package var allowsUnsigned = false
    /// For the reflog of what is pushed.
    package var message = "push"
    /// What messages call the client.
    package var peer = "client"
    /// The most bytes of a turn of the client, where there is such a limit.
    package var turnLimit: Int?

    /// Creates a value with these members.
    package init(
      rights: Rights = Rights.read, allowsUnsigned: Bool = false, message: String = "push",
      peer: String = "client", turnLimit: Int? = nil
    ) {
      self.rights = rights
      self.allowsUnsigned = allowsUnsigned
      self.message = message
      self.peer = peer
      self.turnLimit = turnLimit
    }
  }

  /// What an exchange has come to, for logs.
  package struct Outcome: Sendable {
    /// How many turns were answered.
    package var turnCount = 0
    /// The bytes that went out.
    package var sentByteCount = 0
    /// The bytes that came.
    package var receivedByteCount = 0
    /// Why it has ended early; `nil` when the client has ended it.
    package var error: RemoteError?
  }

  /// Words of every greeting: filters that are honoured.
  private static let words = SyncWord.filters

  /// Answers until the client ends the connection.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - opened: the store.
  ///   - options: how.
  ///   - effects: the clock, and who learns what happens.
  /// - Returns: what it has come to; the client has been told as far as it can hear it.
  package static func run<Stream: ByteStream>(
    _ stream: Stream, _ opened: Repository, _ options: Options, _ effects: Effects
  ) -> Outcome {
    var server = ServerExchange<HistorySource, Stream>(stream)
    var outcome = Outcome()
    do throws(RemoteError) {
      if let hello = try server.hello() {
        do {
          try begin(&server, hello, opened, options, effects)
        } catch {
          let remote = RemoteError(ending: error, effects)
          server.tell(remote)
          throw remote
        }
        try server.run()
      }
    } catch {
      outcome.error = error
    }
    outcome.turnCount = server.turnCount
    outcome.sentByteCount = server.sentByteCount
    outcome.receivedByteCount = server.receivedByteCount
    return outcome
  }

  /// Gives a client what it may see and do.
  ///
  /// - Throws: what keeps the store from being used.
  private static func begin<Stream: ByteStream>(
    _ server: inout ServerExchange<HistorySource, Stream>, _ hello: ClientHello,
    _ opened: Repository, _ options: Options, _ effects: Effects
  ) throws {
    let asked = Set(hello.capabilities.words)
    let isUnsigned = options.allowsUnsigned && asked.contains(SyncWord.unsigned)
    var words = Self.words
    if isUnsigned { words.append(SyncWord.unsigned) }
    if let limit = options.turnLimit { words.append("\(SyncWord.body)\(limit)") }
    // What asks for nothing that is known is not repeated, and the client sees that.
    let filter = SyncFilter(words: hello.capabilities.words) ?? .all
    words += filter.words
    let taker: any PackTaker
    switch options.rights {
    case .read:
      words.append(SyncWord.readOnly)
      taker = NothingTaken()
    case .write:
      var receiving = Receiver.Options()
      receiving.message = options.message
      receiving.peer = options.peer
      receiving.allowsUnsigned = isUnsigned
      receiving.isAlone = false
      let made = try Receiver(opened, receiving, effects)
      // What an interrupted push has left is taken in before anything is compared.
      try made.recover()
      taker = made
    }
    let source = try HistorySource(
      opened, filter: filter, allowsUnsigned: isUnsigned, effects)
    words.append("\(SyncWord.nodes)\(source.count)")
    let remembered = GrowthWords.size(in: hello.capabilities.words)
    let stated = try checkpoint(opened, remembered: remembered, effects)
    words += stated.words
    server.begin(
      .init(
        source: source,
        greeting: .init(
          store: try opened.storeID().map { id in (0..<16).map { id.bytes[$0] } },
          capabilities: WireCapabilities(words) ?? .none, checkpoint: stated.note),
        maker: HistoryPacks(source, opened, effects), taker: taker))
  }

  /// The last checkpoint of a store, if it has one that can be sent.
  ///
  /// - Returns: its note, and the words that show that it continues the one that the client remembers.
  private static func checkpoint(
    _ opened: Repository, remembered size: Int?, _ effects: Effects
  ) throws -> (note: [UInt8]?, words: [String]) {
    var snapshot = try opened.snapshot()
    let shelf = CheckpointShelf(opened)
    guard let id = try shelf.latestID(&snapshot), let signed = try shelf.stored(id).signed,
      signed.note.bytes.count <= ServerHello.checkpointLimit
    else { return (nil, []) }
    let checkpoint = signed.checkpoint
    guard let size, size > 0, size < checkpoint.size else { return (signed.note.bytes, []) }
    let (path, roots) = try ReceivedTree(opened, snapshot).prove(
      .consistency(from: size, to: checkpoint.size), rootsAt: [checkpoint.size], effects)
    // What does not continue this store's own checkpoint proves nothing.
    guard let path, roots[checkpoint.size] == checkpoint.root else {
      return (signed.note.bytes, [])
    }
    return (signed.note.bytes, GrowthWords.words(path))
  }
}

/// Refuses what is sent to somebody who only lets read.
///
/// A class, as `PackTaker` asks for.
package final class NothingTaken: PackTaker {
  /// A taker of nothing.
  package init() {}

  package func take(_ piece: PackPiece) throws(RemoteError) {
    throw .refused(PeerFault(.denied, "nothing may be pushed here"))
  }

  package func finish() throws(RemoteError) -> Admitted { Admitted(taken: 0, refused: []) }
}

/// The words of greetings that both sides know.
package enum SyncWord {
  /// Nodes without a signature are compared, too.
  package static let unsigned = "unsigned"
  /// Nothing may be pushed.
  package static let readOnly = "read-only"
  /// A server that remembers what it has of elsewhere looks at all of it again.
  package static let anew = "looks-anew"
  /// What stands before the number of nodes that are compared.
  package static let nodes = WireCapabilities.nodes

  /// Filters that are honoured.
  package static let filters = ["filter-since", "filter-task"]

  /// What stands before the most bytes of a turn.
  package static let body = "body-"

  /// The most bytes that a server takes in one turn, if it tells.
  package static func turnLimit(_ capabilities: WireCapabilities) -> Int? {
    capabilities.words.lazy.filter { $0.hasPrefix(body) }
      .compactMap { Int($0.dropFirst(body.utf8.count)) }.first { $0 > 0 }
  }

  /// The number of nodes that a server compares, if it tells.
  package static func nodeCount(_ capabilities: WireCapabilities) -> Int? {
    capabilities.words.lazy.filter { $0.hasPrefix(nodes) }
      .compactMap { Int($0.dropFirst(nodes.utf8.count)) }.first
  }
}
