// The token that a request shows: given by a file or a command, made for an emulator, or asked for with
// credentials and kept until it expires.

internal import RedoRepository
internal import RedoCrypto
internal import RedoHTTP
package import RedoRemote
package import RedoStore

/// Where the tokens of a remote come from.
///
/// A class, because all requests of a run share one token. It belongs to one thread at a time.
package final class FirestoreToken {
  /// What is to be known of a remote.
  package struct Surroundings {
    /// Its name; `-` for a remote without one, for which nothing is set or remembered.
    package var remote: String
    /// The settings.
    package var config: Config
    /// The directory that `~` means.
    package var home: String?
    /// The directory of the store; `nil` where nothing can be kept.
    package var store: String?
    /// The project.
    package var project: String
    /// The OAuth id of the user.
    package var account: String
    /// Whether Firestore is an emulator that the environment names; it gets no secrets.
    package var isEmulator: Bool
    /// The server of Firestore, which gets the tokens.
    package var origin: WebOrigin

    /// Surroundings.
    ///
    /// - Parameters:
    ///   - remote: its name, or `-`.
    ///   - config: the settings.
    ///   - home: the directory that `~` means.
    ///   - store: the directory of the store.
    ///   - project: the project.
    ///   - account: the OAuth id of the user.
    ///   - isEmulator: whether the environment names an emulator.
    ///   - origin: the server of Firestore.
    package init(
      remote: String, config: Config, home: String?, store: String?, project: String,
      account: String, isEmulator: Bool, origin: WebOrigin
    ) {
      self.remote = remote
      self.config = config
      self.home = home
      self.store = store
      self.project = project
      self.account = account
      self.isEmulator = isEmulator
      self.origin = origin
    }
  }

  /// Posts a form to a token endpoint.
  package typealias Post = (TokenRequest) throws(RemoteError) -> TokenAnswer

  private enum Source {
    case unsigned
    case given
    case credentials(path: String, endpoint: String?)
    case none
  }

  /// How long before it expires a token is replaced, in milliseconds.
  static let earlyMilliseconds: Int64 = 300_000

  private let surroundings: Surroundings
  private let source: Source
  private let clock: () -> Int64
  private let post: Post
  /// The token of this run.
  private var current: TokenSlot.Contents?

  /// Finds out where tokens come from; nothing is read or asked yet.
  ///
  /// - Parameters:
  ///   - surroundings: what is to be known.
  ///   - clock: milliseconds since 1970.
  ///   - post: posts to a token endpoint.
  /// - Throws: `peer` when a token would be sent unencrypted.
  package init(
    _ surroundings: Surroundings, clock: @escaping () -> Int64, post: @escaping Post
  ) throws(RemoteError) {
    self.surroundings = surroundings
    self.clock = clock
    self.post = post
    func setting(_ key: String) -> String? {
      guard surroundings.remote != "-",
        let value = surroundings.config.get("remote.\(surroundings.remote).\(key)"),
        !value.isEmpty
      else { return nil }
      return value
    }
    if surroundings.isEmulator {
      source = .unsigned
    } else if setting("tokencommand") != nil || setting("tokenfile") != nil {
      source = .given
    } else if let path = setting("credentialsfile") {
      if let entry = surroundings.config.entry("remote.\(surroundings.remote).credentialsfile") {
        do throws(RemoteError) {
          try BearerToken.check(entry, of: surroundings.remote, surroundings.config)
        } catch {
          throw TokenFault.denied(error.faultToTell.text)
        }
      }
      source = .credentials(
        path: path.expandingHome(surroundings.home), endpoint: setting("tokenendpoint"))
    } else {
      source =
        surroundings.origin.isLoopback && !surroundings.origin.isEncrypted
        ? .unsigned : .none
    }
    switch source {
    case .unsigned, .none: break
    case .given, .credentials:
      guard surroundings.origin.isEncrypted || surroundings.origin.isLoopback else {
        throw TokenFault.denied(
          "a token is not sent unencrypted; the setting 'endpoint' must begin with 'https'")
      }
    }
  }

  /// The token for the next request.
  ///
  /// - Parameter forceRefresh: whether the one before was refused; asked once for each request.
  /// - Returns: the token; never `nil` at present, so that a store that accepts requests without one can be added.
  /// - Throws: `peer` with `FIREBASE_001` (which ends a command with 77) or `FIREBASE_002` (75).
  package func bearer(forceRefresh: Bool = false) throws(RemoteError) -> String? {
    let now = clock()
    if !forceRefresh, let current, isFresh(current, now) { return current.token }
    switch source {
    case .none:
      throw TokenFault.denied(
        "there is no token: 'redo remote set \(surroundings.remote) credentialsFile <file>' names "
          + "credentials, 'tokenFile' or 'tokenCommand' a token")
    case .unsigned:
      let token = JSONWebToken.unsigned(
        of: surroundings.account, project: surroundings.project, at: now / 1_000)
      return keep(token, for: JSONWebToken.lifetimeSeconds, now)
    case .given:
      let token: String?
      do throws(RemoteError) {
        token = try BearerToken.read(
          of: surroundings.remote, for: surroundings.origin, surroundings.config,
          home: surroundings.home)
      } catch {
        guard case .peer(let fault) = error else { throw error }
        throw TokenFault.denied(fault.text)
      }
      // How long it is valid is not known: if a server refuses it, it is read again.
      return keep(token ?? "", for: JSONWebToken.lifetimeSeconds, now)
    case .credentials(let path, let endpoint):
      let contents = try asked(path, endpoint, forceRefresh: forceRefresh, now)
      current = contents
      return contents.token
    }
  }

  private func keep(_ token: String, for seconds: Int64, _ now: Int64) -> String {
    current = TokenSlot.Contents(
      token: token, obtained: now, expires: now + 1_000 * seconds, credentials: "", refresh: nil)
    return token
  }

  /// Whether a token need not be replaced yet; one of a short life is used for half of it.
  private func isFresh(_ contents: TokenSlot.Contents, _ now: Int64) -> Bool {
    let lifetime = contents.expires - contents.obtained
    let early = min(Self.earlyMilliseconds, lifetime / 2)
    // A clock that was set back makes no token live longer.
    return now >= contents.obtained - Self.earlyMilliseconds && now < contents.expires - early
  }

  // MARK: Credentials

  /// A token from the slot, or from the endpoint.
  private func asked(
    _ path: String, _ set: String?, forceRefresh: Bool, _ now: Int64
  ) throws(RemoteError) -> TokenSlot.Contents {
    let credentials = try Credentials(reading: path)
    let endpoint = try credentials.endpoint(set)
    let slot = surroundings.store.map { store in
      TokenSlot(
        store, credentials.kind.slotKind, account: surroundings.account, endpoint: endpoint)
    }
    var kept = slot?.read()
    // Other credentials do not use what these have got.
    if kept?.credentials != credentials.digestText { kept = nil }
    if let kept, isFresh(kept, now) {
      // Another process may have replaced the token that was refused.
      if !forceRefresh || (current != nil && kept.token != current?.token) { return kept }
    }
    let contents: TokenSlot.Contents
    do throws(RemoteError) {
      contents = try exchange(credentials, endpoint, refresh: kept?.refresh, now)
    } catch {
      // One that is about to expire still works while the endpoint cannot be reached.
      if !forceRefresh, error.isTransient, let kept, now < kept.expires { return kept }
      throw error
    }
    // Without a place for it the next run asks again.
    try? slot?.write(contents)
    return contents
  }

  private func exchange(
    _ credentials: borrowing Credentials, _ endpoint: String, refresh: String?, _ now: Int64
  ) throws(RemoteError) -> TokenSlot.Contents {
    func ask(_ refresh: String?) throws(RemoteError) -> TokenSlot.Contents {
      let answer = try post(
        TokenGrant.request(credentials, endpoint, refresh: refresh, at: now))
      return try TokenGrant.contents(
        answer, credentials, account: surroundings.account, refresh: refresh, at: now)
    }
    guard let refresh else { return try ask(nil) }
    do throws(RemoteError) {
      return try ask(refresh)
    } catch {
      // The one in the file may be the newer one after all.
      guard !error.isTransient else { throw error }
      return try ask(nil)
    }
  }
}
