// What the address and the settings of a remote say: which database, where it is, and for which account.

package import FirestoreModel
package import RedoHTTP
package import RedoRemote
package import RedoStore

/// What is to be known of a remote at Firestore.
package struct FirestoreSettings: Sendable {
  /// How to find out which documents there are.
  package enum Listing: String, Sendable {
    /// Those whose access list has the account.
    case access
    /// Those that the account's document names.
    case owned
  }

  /// The service.
  package static let usualEndpoint = "https://firestore.googleapis.com"
  /// The most ids of one query (Firestore), and how many are usual (requirement K18).
  private static let batchRange = 1...30
  private static let usualBatch = 10
  /// The most readers of a document in addition to the account.
  private static let accessLimit = 100

  /// The remote's name, or `-`.
  package let remote: String
  /// The database.
  package let database: DatabaseName
  /// The account whose documents are looked for, and that may read what is pushed.
  package let account: OAuthID
  /// Further accounts that may read what is pushed.
  package let accessList: [OAuthID]
  /// Where requests go.
  package let endpoint: HTTPEndpoint
  /// Whether it is an emulator that is talked to.
  package let isEmulator: Bool
  /// The most ids of one query.
  package let batch: Int
  /// How to find out which documents there are.
  package let listing: Listing
  /// How long the other side may say nothing, in seconds.
  package let limitSeconds: Double
  /// How connections are encrypted.
  package let security: ConnectionSecurity
  /// The author's name in new changes, which the account's document shows.
  package let displayName: String?

  /// Reads the settings of a remote.
  ///
  /// - Parameters:
  ///   - remote: its name, or `-` for none.
  ///   - url: `firestore://<project>[/<database>]`.
  ///   - config: all settings that are in effect.
  ///   - emulator: the address of an emulator to talk to instead of the service, and what names it in messages.
  ///   - home: what "~" stands for.
  /// - Throws: `peer` with the fault `stopped` that names the setting and what it may be.
  package init(
    remote: String, url: String, _ config: Config, emulator: (address: String, source: String)?,
    home: String?
  ) throws(RemoteError) {
    func setting(_ key: String) -> String? {
      config.get("remote.\(remote).\(key.lowercased())").flatMap { $0.isEmpty ? nil : $0 }
    }
    self.remote = remote
    database = try Self.database(url)
    guard let account = setting("account") else {
      let how =
        remote == "-"
        ? "give the address a name with 'redo remote add', and set it there"
        : "'redo remote set \(remote) account <id>' sets it"
      throw Self.refused(
        "the setting 'account' is needed: the id by which the service knows you; \(how)")
    }
    self.account = try Self.account(account, "account")
    let list = setting("accessList") ?? ""
    var others: [OAuthID] = []
    for word in list.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let other = try Self.account(String(word), "accessList")
      if other != self.account, !others.contains(other) { others.append(other) }
    }
    guard others.count <= Self.accessLimit else {
      throw Self.refused("the setting 'accessList' names more than \(Self.accessLimit) accounts")
    }
    accessList = others
    isEmulator = emulator != nil
    do throws(RemoteError) {
      endpoint = try HTTPEndpoint(
        emulator.map { $0.address.contains("://") ? $0.address : "http://\($0.address)" }
          ?? setting("endpoint")
          ?? Self.usualEndpoint)
    } catch {
      let name = emulator.map { "'\($0.source)'" } ?? "the setting 'endpoint'"
      throw Self.refused("\(name): \(error.faultToTell.text)")
    }
    do throws(ConfigError) {
      batch = try config.int("remote.\(remote).batch", in: Self.batchRange) ?? Self.usualBatch
    } catch {
      throw Self.refused(error.description)
    }
    guard let listing = Listing(rawValue: setting("listing") ?? Listing.access.rawValue) else {
      throw Self.refused("the setting 'listing' is neither 'access' nor 'owned'")
    }
    self.listing = listing
    limitSeconds = try RemoteSettings.limitSeconds(of: remote, config)
    security = try ConnectionSecurity(of: remote, config, home: home)
    displayName = config.get("user.name").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// `firestore://<project>[/<database>]`.
  private static func database(_ url: String) throws(RemoteError) -> DatabaseName {
    let start = "firestore://"
    let parts = url.dropFirst(start.utf8.count)
      .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard url.lowercased().hasPrefix(start), let project = parts.first,
      let database = DatabaseName(
        project: project,
        database: parts.count > 1 && !parts[1].isEmpty ? parts[1] : DatabaseName.defaultID)
    else {
      throw refused(
        "'\(url)' is no address of a Firestore: 'firestore://<project>' or "
          + "'firestore://<project>/<database>'")
    }
    return database
  }

  private static func account(_ text: String, _ key: String) throws(RemoteError) -> OAuthID {
    do throws(OAuthID.Fault) {
      return try OAuthID(text)
    } catch {
      throw refused("the setting '\(key)' has '\(text)': \(error.message)")
    }
  }

  static func refused(_ text: String) -> RemoteError { .peer(PeerFault(.stopped, text)) }

  /// The owner of a mirror: if any of this changes, nothing of the mirror is valid.
  package var owner: String {
    [
      "project \(database.project)", "database \(database.database)", "account \(account.text)",
      "endpoint \(endpoint.base)", "listing \(listing.rawValue)",
      // A mirror of a version that did not note access lists, or not what the service counts, is made anew.
      "notes access and clocks",
    ].joined(separator: "\n")
  }

  /// The full name of a node's document.
  ///
  /// - Parameter id: the last part of its name.
  /// - Returns: the name.
  func nodeName(_ id: String) -> String { "\(database.documents)/nodes/\(id)" }

  /// The name of the account's document; `nil` when the account has characters that no name has.
  var userName: DocumentName? { DocumentName(database, ["users", account.text]) }
}
