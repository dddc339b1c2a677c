// Stores that a server of many clients answers from: each exchange opens its store anew, in a thread of
// its own, and sees it as it is at that moment.

package import RedoRemote
internal import RedoStore

/// Answers exchanges from stores.
package struct ServedStores: Sendable {
  package let effects: Effects
  package let allowsUnsigned: Bool?

  /// Stores as some surroundings show them.
  ///
  /// - Parameters:
  ///   - effects: the surroundings; cancelling an exchange is the server's business.
  ///   - allowsUnsigned: whether nodes without a signature are exchanged; `nil` for what each store's
  ///     settings say.
  package init(_ effects: Effects, allowsUnsigned: Bool?) {
    self.effects = effects.uncancelled().untraced()
    self.allowsUnsigned = allowsUnsigned
  }

  /// Opens a store.
  package func open(_ path: String) throws -> Repository {
    try effects.openOther(StorePlace.find(path, path))
  }

  /// The store of a directory, opened once to see that it can be.
  ///
  /// - Parameter path: a directory with a store in it; `nil` for the store that the command is in.
  /// - Returns: the absolute path of the store.
  /// - Throws: `RemoteFault` or `StoreDirectoryError` when there is none, or it may not be used.
  package func check(_ path: String?) throws -> String {
    let opened =
      if let path {
        try effects.openOther(StorePlace.find(effects.resolve(path), path))
      } else {
        try effects.openRepository()
      }
    let found = opened.store.path
    return try SystemError.naming(found) {
      try CurrentProcess.realPath(found)
    }
  }

  /// What came of an exchange.
  package struct Outcome: Sendable {
    /// Why it has ended early; the client has been told as far as it can hear it.
    package let error: RemoteError?
    /// What happened on the way.
    package let events: [RedoEvent]
  }

  /// Answers one client.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - path: the absolute path of the store.
  ///   - mayPush: whether the client may push.
  ///   - client: what messages and the reflog call it; may be empty.
  ///   - turnLimit: the most bytes that it may send at once.
  /// - Returns: what came of it.
  package func answer<Stream: ByteStream>(
    _ stream: Stream, from path: String, mayPush: Bool, client: String, turnLimit: Int? = nil
  ) -> Outcome {
    let log = EventLog()
    let effects = effects.telling(log)
    var error: RemoteError?
    do {
      let opened = try effects.openOther(StorePlace.find(path, path))
      var options = ServeSession.Options()
      options.rights = mayPush ? .write : .read
      options.turnLimit = turnLimit
      options.message = client.isEmpty ? "push" : "push \(client)"
      if !client.isEmpty { options.peer = client }
      options.allowsUnsigned = try opened.servesUnsigned(allowsUnsigned)
      error = ServeSession.run(stream, opened, options, effects).error
    } catch {
      // The client need not know why a store cannot be opened; it may be another time.
      var writer = FrameWriter(stream)
      let fault = PeerFault(.unavailable, "the store cannot be used now")
      try? writer.write(.fault, fault.bytes)
      return Outcome(error: .stopped(effects.describe(error)), events: log.events)
    }
    return Outcome(error: error, events: log.events)
  }
}

extension Repository {
  /// Whether nodes without a signature are exchanged.
  ///
  /// - Parameter given: what the command line says; `nil` for what the settings say.
  /// - Returns: whether they are.
  /// - Throws: `ConfigError` when the setting is no truth.
  package func servesUnsigned(_ given: Bool?) throws -> Bool {
    if let given { return given }
    return try store.config.bool("serve.allowunsigned") ?? false
  }
}
