// Serving a client from a bundle.

package import RedoRemote

/// Serves a client from a bundle.
package enum BundleSession {
  /// Serves a client until it ends the connection.
  ///
  /// - Parameters:
  ///   - stream: the connection.
  ///   - bundle: the file.
  /// - Returns: why it ended early; the client has been told if it can still be reached.
  package static func run<Stream: ByteStream>(_ stream: Stream, _ bundle: Bundle) -> RemoteError? {
    var server = ServerExchange<BundleSource, Stream>(stream)
    do throws(RemoteError) {
      guard let hello = try server.hello() else { return nil }
      let isUnsigned = hello.capabilities.words.contains(SyncWord.unsigned)
      let source: BundleSource
      do throws(RemoteError) {
        source = try BundleSource(bundle, allowsUnsigned: isUnsigned)
      } catch {
        server.tell(error)
        throw error
      }
      var words = [SyncWord.readOnly, "\(SyncWord.nodes)\(source.count)"]
      if isUnsigned { words.append(SyncWord.unsigned) }
      words += Withheld(rows: source.unfit).words
      let tells = hello.capabilities.words.contains(WireCapabilities.unfitWord)
      if tells, !source.unfit.isEmpty { words.append(WireCapabilities.unfitWord) }
      server.begin(
        .init(
          source: source,
          greeting: .init(store: nil, capabilities: WireCapabilities(words) ?? .none),
          maker: BundlePacks(bundle, source), taker: NothingTaken(), unfit: source.unfit))
      try server.run()
      return nil
    } catch {
      return error
    }
  }
}
