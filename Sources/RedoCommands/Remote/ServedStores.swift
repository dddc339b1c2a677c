// Stores that a server of many clients answers from: each exchange opens its store anew, in a thread of
// its own, and sees it as it is at that moment.

package import RedoRemote
internal import RedoStore

/// Answers exchanges from stores.
package struct ServedStores: Sendable {
  private let environment: @Sendable (String) -> String?
  private let clock: @Sendable () -> Int64
  private let random: @Sendable () -> UInt64
  private let repository: RepositoryOptions
  let allowsUnsigned: Bool?

  /// Stores as a command's surroundings show them; its signals are the server's business.
  ///
  /// - Parameters:
  ///   - context: the surroundings.
  ///   - allowsUnsigned: whether nodes without a signature are exchanged; `nil` for what each store's
  ///     settings say.
  package init(_ context: borrowing Context, allowsUnsigned: Bool?) {
    environment = context.environment
    clock = context.clock
    random = context.random
    repository = context.repository
    self.allowsUnsigned = allowsUnsigned
  }

  func surroundings() -> Context {
    var context = Context(environment: environment, clock: clock, random: random)
    context.repository = repository
    return context
  }

  /// Opens a store.
  func open(_ path: String) throws -> OpenRepository {
    let context = surroundings()
    return try context.openOther(StorePlace.find(path, path))
  }

  /// The store of a directory, opened once to see that it can be.
  ///
  /// - Parameter path: a directory with a store in it; `nil` for the store that the command is in.
  /// - Returns: the absolute path of the store.
  /// - Throws: `fatal` when there is none, or it may not be used.
  package func check(_ path: String?) throws -> String {
    var context = surroundings()
    let opened =
      if let path {
        try context.openOther(StorePlace.find(context.resolve(path), path))
      } else {
        try context.openRepository()
      }
    let found = opened.repository.path
    return try CommandError.wrapping(found) { () throws(SystemError) in
      try CurrentProcess.realPath(found)
    }
  }

  /// What came of an exchange.
  package struct Outcome: Sendable {
    /// Why it has ended early; the client has been told as far as it can hear it.
    package let error: RemoteError?
    /// What was said to people, in lines.
    package let messages: String
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
    var context = surroundings()
    var error: RemoteError?
    do {
      let opened = try context.openOther(StorePlace.find(path, path))
      var options = ServeSession.Options()
      options.rights = mayPush ? .write : .read
      options.turnLimit = turnLimit
      options.message = client.isEmpty ? "push" : "push \(client)"
      if !client.isEmpty { options.peer = client }
      options.allowsUnsigned = try opened.servesUnsigned(allowsUnsigned)
      error = ServeSession.run(stream, opened, options, &context).error
    } catch {
      let error = CommandError(error)
      // The client need not know why a store cannot be opened; it may be another time.
      var writer = FrameWriter(stream)
      let fault = PeerFault(.unavailable, "the store cannot be used now")
      try? writer.write(.fault, fault.bytes)
      return Outcome(error: .stopped(error.message), messages: context.errors.text)
    }
    return Outcome(error: error, messages: context.errors.text)
  }
}

extension OpenRepository {
  /// Whether nodes without a signature are exchanged.
  ///
  /// - Parameter given: what the command line says; `nil` for what the settings say.
  /// - Returns: whether they are.
  /// - Throws: `fatal` when the setting is no truth.
  func servesUnsigned(_ given: Bool?) throws -> Bool {
    if let given { return given }
    return try repository.config.bool("serve.allowunsigned") ?? false
  }
}
