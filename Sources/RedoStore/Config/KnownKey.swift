// The settings that commands read: one table, from which checks of values, redo-config(1) and the
// completions come.

internal import RedoObject

/// A key that has a meaning.
package struct KnownKey: Sendable {
  /// What values may be.
  package enum Kind: Equatable, Sendable {
    /// Any text.
    case text
    /// A path; `~/` means the home directory.
    case path
    /// A command line.
    case command
    /// Accounts of a Firestore, divided by commas.
    case accounts
    /// A number in a range.
    case number(ClosedRange<Int>)
    /// One of some words.
    case word([String])
    /// Set when the store is made, and never changed.
    case fixed
  }

  /// The key as people write it.
  package let name: String
  /// What values may be.
  package let kind: Kind
  /// What is in effect when it is not set, for people; empty for nothing.
  package let standard: String
  /// What it is for, one line.
  package let meaning: String
  /// Who may say it.
  package let speaker: Speaker

  /// Whose word counts for a key: a store's own file may be somebody else's.
  package enum Speaker: String, CaseIterable, Sendable {
    /// Any store: whatever the value is, it does no harm.
    case anyStore = "any"
    /// A store that is the user's own: the setting runs a program, names a file, says where secrets go, weakens a check
    /// or says who the user is.
    case ownStore = "own"
    /// The user alone, and no store.
    case user = "never"
  }

  private init(
    _ name: String, _ kind: Kind, _ standard: String, _ meaning: String, _ speaker: Speaker
  ) {
    self.name = name
    self.kind = kind
    self.standard = standard
    self.meaning = meaning
    self.speaker = speaker
  }

  /// The largest number of bytes that can be set.
  static let bytesLimit = 1 << 40
  /// The largest number of things that can be set.
  static let countLimit = 1_000_000_000

  /// All of them, by name.
  package static let all: [KnownKey] = [
    KnownKey(
      "archive.identity", .text, "",
      "a private key that opens archives, besides those of the keyring: a slot or a file", .ownStore
    ),
    KnownKey(
      "checkpoint.file", .path, "", "where the last checkpoint is remembered outside of the store",
      .user),
    KnownKey(
      "color.ui", .word(["auto", "always", "never"]), "auto", "when output has colours", .anyStore),
    KnownKey(
      "core.bulkLimit", .number(0...countLimit), "1000",
      "how many nodes are written as loose objects, before more of them become a pack", .anyStore),
    KnownKey(
      "core.compression", .number(0...9), "1", "how hard loose objects are compressed", .anyStore),
    KnownKey("core.format", .fixed, "", "the format of the store", .anyStore),
    KnownKey(
      "core.fsync", .word(SyncPolicy.allCases.map(\.rawValue)), "batch",
      "what a write waits for before it is acknowledged", .ownStore),
    KnownKey(
      "core.id", .fixed, "", "the name of the store, which its checkpoints begin with", .anyStore),
    KnownKey(
      "core.lockTimeout", .number(0...86_400_000), "10000",
      "how many milliseconds to wait for another writer", .ownStore),
    KnownKey(
      "core.packCacheLimit", .number(0...bytesLimit), "96m",
      "how many bytes of decoded packs a command keeps", .ownStore),
    KnownKey(
      "core.sshCommand", .command, "ssh",
      "the program that reaches other machines, and its first words; no shell reads it", .ownStore),
    KnownKey(
      "key.command", .command, "", "a program that answers with the secret key", .user),
    KnownKey(
      "key.passphraseCommand", .command, "", "a program that answers with the passphrase", .user),
    KnownKey("receipt.did", .text, "", "the author's name in new receipts", .ownStore),
    KnownKey(
      remotePrefix + "<name>.accessList", .accounts, "",
      "further accounts of a Firestore that may read what is pushed, divided by commas", .ownStore),
    KnownKey(
      remotePrefix + "<name>.account", .accounts, "",
      "the id by which a Firestore knows you; not the user id of a key", .ownStore),
    KnownKey(
      remotePrefix + "<name>.batch", .number(1...30), "10",
      "how many ids one query of a Firestore names", .anyStore),
    KnownKey(
      remotePrefix + "<name>.caFile", .path, "",
      "the file of certificates by which the remote's is checked", .ownStore),
    KnownKey(
      remotePrefix + "<name>.credentialsFile", .path, "",
      "the file of credentials from which tokens of a Firestore are made", .ownStore),
    KnownKey(
      remotePrefix + "<name>.enabled", .word(["true", "false"]), "true",
      "whether '--all' means the remote, too", .anyStore),
    KnownKey(
      remotePrefix + "<name>.endpoint", .text, "https://firestore.googleapis.com",
      "where a Firestore answers", .ownStore),
    KnownKey(
      remotePrefix + "<name>.heldBack", .text, "",
      "which changes need not be exchanged with the remote: 'ignore:' and rules or ids",
      .ownStore),
    KnownKey(
      remotePrefix + "<name>.kinds", .text, "node schema",
      "which kinds of objects are exchanged with the remote: node, receipt, schema", .ownStore),
    KnownKey(
      remotePrefix + "<name>.listing", .word(["access", "owned"]), "access",
      "how to find out which nodes are in a Firestore", .anyStore),
    KnownKey(
      remotePrefix + "<name>.program", .path, "redo",
      "the program 'redo' on the machine of the remote", .ownStore),
    KnownKey(
      remotePrefix + "<name>.timeout", .number(0...86_400), "300",
      "how many seconds the remote may be silent; 0 for any time", .anyStore),
    KnownKey(
      remotePrefix + "<name>.tls", .word(["1.2", "1.3"]), "1.3",
      "the oldest version of TLS in which the remote is talked to", .ownStore),
    KnownKey(
      remotePrefix + "<name>.tokenCommand", .command, "",
      "a program that answers with the token for the remote", .ownStore),
    KnownKey(
      remotePrefix + "<name>.tokenEndpoint", .text, "",
      "where to ask for tokens of a Firestore, in place of the endpoint that the credentials name",
      .ownStore),
    KnownKey(
      remotePrefix + "<name>.tokenFile", .path, "",
      "the file with the token for the remote", .ownStore),
    KnownKey(remotePrefix + "<name>.url", .text, "", "where the remote is", .anyStore),
    KnownKey(
      "safe.directory", .path, "", "a store that may be used although somebody else owns it", .user),
    KnownKey(
      "safe.store", .path, "", "a store that counts as your own, though you have not accepted it",
      .user),
    KnownKey(
      "schema.check", .word(["warn", "error", "off"]), "warn",
      "what becomes of a value that does not fit the schema of its record: 'redo commit' warns, refuses, or does not look",
      .ownStore),
    KnownKey(
      "schema.patterns", .word(["true", "false"]), "false",
      "whether patterns of schemas are matched; one that somebody else wrote may never end",
      .ownStore
    ),
    KnownKey(
      "serve.allowUnsigned", .word(["true", "false"]), "false",
      "whether nodes that nobody signed are exchanged with clients that ask for it", .ownStore),
    KnownKey(
      "serve.kinds", .text, "node schema",
      "which kinds of objects are exchanged with clients: node, receipt, schema", .ownStore),
    KnownKey(
      "serve.quota.bytes", .number(0...bytesLimit), "256m",
      "how many bytes an account may have in documents that are no nodes of the history", .ownStore),
    KnownKey(
      "serve.quota.documents", .number(0...countLimit), "100000",
      "how many documents an account may have that are no nodes of the history", .ownStore),
    KnownKey(
      "serve.quota.quarantine", .number(0...bytesLimit), "4g",
      "how many bytes of what an account pushes may lie in the quarantine", .ownStore),
    KnownKey(
      "signing.form", .word(["body", "digest"]), "body", "what a signature is made over", .anyStore),
    KnownKey(
      "transfer.maxBytes", .number(1...bytesLimit), "16g",
      "how many bytes of packs one exchange with another store may bring", .ownStore),
    KnownKey(
      "transfer.maxNodes", .number(1...countLimit), "10000000",
      "how many changes one exchange with another store may bring", .ownStore),
    KnownKey(
      "transfer.trust", .word(TransferTrust.allCases.map(\.rawValue)), "off",
      "what becomes of changes from outside whose keys the trust file does not let sign: they are taken, counted, or wait",
      .ownStore),
    KnownKey(
      "trust.file", .path, "", "the file that says who may sign, in place of the store's own", .user
    ),
    KnownKey("user.email", .text, "", "the author's address in new changes", .ownStore),
    KnownKey("user.name", .text, "", "the author's name in new changes", .ownStore),
    KnownKey(
      familyName, .word(verifyWords), "",
      "how serious a broken rule is in an audit of the store", .ownStore),
    KnownKey(
      "verify.skipList", .path, "", "a file of ids whose findings an audit passes over", .ownStore),
  ]

  /// The names of all keys that can be set, those of rules among them.
  package static var names: [String] {
    all.map(\.name).filter { !$0.contains("<") } + Rule.allCases.map { verifyPrefix + $0.id }
  }

  /// What the table calls the keys of rules.
  private static let familyName = "verify.<rule>"
  /// What may be said of a rule.
  private static let verifyWords = ["error", "warn", "ignore"]
  /// What the keys of rules begin with.
  package static let verifyPrefix = "verify."

  /// The known key of a written one.
  ///
  /// - Parameter key: with section and name in lower case, as `Config.key` gives it.
  /// - Returns: `nil` when no command reads it.
  package static func named(_ key: String) -> KnownKey? {
    all.first { $0.name.lowercased() == key } ?? ofRule(key) ?? ofRemote(key)
  }

  /// What the keys of remotes begin with.
  package static let remotePrefix = "remote."

  /// The last parts of the keys of remotes.
  package static var remoteKeys: [String] {
    all.map(\.name).filter { $0.hasPrefix(remotePrefix) }
      .compactMap { $0.split(separator: ".").last.map(String.init) }
  }

  /// Whether a key says where a remote is.
  static func isAddress(_ key: String) -> Bool {
    key.hasPrefix(remotePrefix) && key.hasSuffix(".url")
  }

  /// The key of a remote, such as `remote.home.url`.
  private static func ofRemote(_ key: String) -> KnownKey? {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 3, key.hasPrefix(remotePrefix), let last = parts.last,
      let known = all.first(where: {
        $0.name.hasPrefix(remotePrefix) && $0.name.lowercased().hasSuffix(".\(last)")
      }), let spelled = known.name.split(separator: ".").last
    else { return nil }
    return KnownKey(
      String(key.dropLast(last.utf8.count)) + spelled, known.kind, known.standard, known.meaning,
      known.speaker)
  }

  /// The key of a rule, such as `verify.file-mode`.
  private static func ofRule(_ key: String) -> KnownKey? {
    guard key.hasPrefix(verifyPrefix),
      let rule = Rule(rawValue: String(key.dropFirst(verifyPrefix.count)))
    else { return nil }
    return KnownKey(
      verifyPrefix + rule.id, .word(rule.isAlwaysError ? ["error"] : verifyWords),
      rule.severity.settingWord ?? "",
      "how much a broken '\(rule.id)' weighs in an audit of the store", .ownStore)
  }

  /// Who may say what an entry says.
  ///
  /// - Parameter entry: a setting, from any place.
  /// - Returns: `nil` when no command reads its key.
  package static func speaker(of entry: Config.Entry) -> Speaker? {
    guard let known = named(entry.key) else { return nil }
    // To take a rule more seriously than usual weakens nothing.
    let isStrict = entry.value == "error" && ofRule(entry.key) != nil
    return isStrict ? .anyStore : known.speaker
  }

  /// Why a value is refused; `nil` when it is not.
  ///
  /// - Parameter value: what is to be set.
  /// - Returns: what it is not, for a message, as in `not a number from 0 to 9`.
  package func refusal(of value: String) -> String? {
    switch kind {
    case .text, .command, .fixed: return nil
    case .path: return nil
    case .accounts:
      let words = value.split(whereSeparator: { $0 == "," || $0 == " " })
      guard words.contains(where: { UserID(hex: Array($0.utf8).span) != nil }) else { return nil }
      return "not the id of an account, but the user id of a key pair"
    case .number(let range):
      guard let number = Config.number(value), range.contains(number) else {
        return "not a number from \(range.lowerBound) to \(range.upperBound)"
      }
      return nil
    case .word(let words):
      guard words.contains(value) else {
        let last = words.last ?? ""
        guard words.count > 1 else { return "not \(last), which it always is" }
        return "not \(words.dropLast().joined(separator: ", ")) or \(last)"
      }
      return nil
    }
  }

  /// The kind in one word, or the words themselves.
  package var kindText: String {
    switch kind {
    case .text: "text"
    case .path: "path"
    case .command: "command"
    case .accounts: "account"
    case .number(let range): "\(range.lowerBound)-\(range.upperBound)"
    case .word(let words): words.joined(separator: "|")
    case .fixed: "fixed"
    }
  }
}
