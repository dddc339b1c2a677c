// Serving one client from a store: the same for a path, for `redo serve --stdio` and for a server.

internal import RedoCrypto
internal import RedoObject
package import RedoRemote
internal import RedoStore

/// Serves a client.
package enum ServeSession {
  /// What a client may do.
  package enum Rights: Sendable {
    /// Fetch.
    case read
    /// Fetch and push.
    case write
  }

  /// How a client is served.
  package struct Options: Sendable {
    /// What it may do.
    package var rights = Rights.read
    /// Whether nodes without a signature may be exchanged if the client asks for it.
    package var allowsUnsigned = false
    /// The message in the reflog for pushed nodes.
    package var message = "push"
    /// The name of the client in messages.
    package var peer = "client"
    /// The most bytes in one turn of the client, if there is such a limit.
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

  /// The result of an exchange, for logs.
  package struct Outcome: Sendable {
    /// The number of turns that were answered.
    package var turnCount = 0
    /// The number of bytes that were sent.
    package var sentByteCount = 0
    /// The number of bytes that were received.
    package var receivedByteCount = 0
    /// Why it ended early; `nil` when the client ended it.
    package var error: RemoteError?
  }

  /// Words in every greeting: the supported filters.
  private static let words = SyncWord.filters

  /// Serves a client until it ends the connection.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - opened: the store.
  ///   - options: how it is served.
  ///   - effects: the clock; receives events.
  /// - Returns: the result; the client has been told of an error if it can still be reached.
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

  /// Prepares what a client may see and do.
  ///
  /// - Throws: the error when the store cannot be used.
  private static func begin<Stream: ByteStream>(
    _ server: inout ServerExchange<HistorySource, Stream>, _ hello: ClientHello,
    _ opened: Repository, _ options: Options, _ effects: Effects
  ) throws {
    let asked = Set(hello.capabilities.words)
    let isUnsigned = options.allowsUnsigned && asked.contains(SyncWord.unsigned)
    var words = Self.words
    if isUnsigned { words.append(SyncWord.unsigned) }
    if let limit = options.turnLimit { words.append("\(SyncWord.body)\(limit)") }
    // A filter that cannot be understood is not repeated in the answer, so the client notices.
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
      // The leftovers of an interrupted push are taken in before anything is compared.
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
    // A history that does not continue this store's own checkpoint proves nothing.
    guard let path, roots[checkpoint.size] == checkpoint.root else {
      return (signed.note.bytes, [])
    }
    return (signed.note.bytes, GrowthWords.words(path))
  }
}

/// Refuses everything that is sent to a read-only side.
///
/// A class, as `PackTaker` requires.
package final class NothingTaken: PackTaker {
  /// Creates a taker that refuses everything.
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
  /// A server that caches data from elsewhere reads all of it again.
  package static let anew = "looks-anew"
  /// The prefix of the number of nodes that are compared.
  package static let nodes = WireCapabilities.nodes

  /// The supported filters.
  package static let filters = ["filter-since", "filter-task"]

  /// The prefix of the most bytes in a turn.
  package static let body = "body-"

  /// The most bytes that a server accepts in one turn, if it says so.
  package static func turnLimit(_ capabilities: WireCapabilities) -> Int? {
    capabilities.words.lazy.filter { $0.hasPrefix(body) }
      .compactMap { Int($0.dropFirst(body.utf8.count)) }.first { $0 > 0 }
  }

  /// The number of nodes that a server compares, if it says so.
  package static func nodeCount(_ capabilities: WireCapabilities) -> Int? {
    capabilities.words.lazy.filter { $0.hasPrefix(nodes) }
      .compactMap { Int($0.dropFirst(nodes.utf8.count)) }.first
  }
}
