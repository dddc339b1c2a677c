// The accounts of a server and their rights: a text file with a line for each account.
//
//   <name> <SHA-256 of the token, 64 hex digits> <right>[;expires=<time>] <path of the store>
//
// A right is a role and what it may do: `documents:read`, `documents:write`, `replica:read`, `replica:write`, or `admin`
// alone. `read` and `write` are those of documents, so that the whole store goes only to whom the file says so by name.
//
// The file does not contain tokens, so reading it gives no access. Empty lines and lines that begin with
// '#' are ignored.

package import RedoCrypto
package import RedoObject

/// An account.
package struct Account: Equatable, Sendable {
  /// What an account may do.
  package enum Rights: String, CaseIterable, Sendable {
    /// See and fetch the nodes whose access lists name it.
    case readDocuments = "documents:read"
    /// The same, and push.
    case writeDocuments = "documents:write"
    /// Fetch the whole store.
    case readReplica = "replica:read"
    /// The same, and push.
    case writeReplica = "replica:write"
    /// The same, and the security rules of documents do not apply.
    case admin

    /// The right that a word means.
    init?(word: String) {
      switch word {
      case "read": self = .readDocuments
      case "write": self = .writeDocuments
      default: self.init(rawValue: word)
      }
    }

    /// Whether it may push.
    package var mayWrite: Bool {
      switch self {
      case .readDocuments, .readReplica: false
      case .writeDocuments, .writeReplica, .admin: true
      }
    }

    /// Whether it sees only nodes whose access lists name it.
    package var isListed: Bool { self == .readDocuments || self == .writeDocuments }
    /// Whether it sees all nodes, but is not above the rules.
    package var isReplica: Bool { self == .readReplica || self == .writeReplica }
  }

  /// Its name, for logs; empty for clients of a server without accounts.
  package let name: String
  /// What it may do.
  package let rights: Rights
  /// The path of the one store that it sees.
  package let store: String
  /// From when on its token is refused; `nil` for never.
  package let expires: WallTime?

  /// An account.
  package init(name: String, rights: Rights, store: String, expires: WallTime? = nil) {
    self.name = name
    self.rights = rights
    self.store = store
    self.expires = expires
  }

  /// Whether its token is refused.
  ///
  /// - Parameter milliseconds: the time, since 1970.
  /// - Returns: whether it has expired by then.
  package func hasExpired(at milliseconds: Int64) -> Bool {
    expires.map { $0.milliseconds <= milliseconds } ?? false
  }
}

/// The accounts of a server.
package struct Accounts: Sendable {
  /// The most bytes of a file of accounts.
  package static let byteLimit = 16_777_216

  /// What is wrong with a file of accounts.
  package struct Wrong: Error, Equatable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The rule that it breaks.
    package let rule: String
  }

  private var rows: [(digest: Digest, account: Account)] = []
  /// What stands before the time from which on a token is refused.
  private static let expiry = "expires="

  /// Reads a file of accounts.
  ///
  /// - Parameter text: its bytes.
  /// - Throws: the first line that is malformed.
  package init(parsing text: [UInt8]) throws(Wrong) {
    var names: Set<String> = []
    var digests: Set<Digest> = []
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard !line.isEmpty, line.first != UInt8(ascii: "#") else { continue }
      func wrong(_ rule: String) -> Wrong { Wrong(line: index + 1, rule: rule) }
      guard let line = String(validating: line, as: UTF8.self) else {
        throw wrong("it is not UTF-8")
      }
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      guard words.count == 4 else {
        throw wrong("it is not '<name> <SHA-256 of the token> <right> <path>'")
      }
      let name = String(words[0])
      guard Self.isName(name) else {
        throw wrong("a name has 1 to 64 letters, digits and '-', '.', '_', '@'")
      }
      guard let bytes = Hex.decode32(Array(words[1].utf8).span) else {
        throw wrong("the SHA-256 of a token has 64 lower-case hex digits")
      }
      let parts = words[2].split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      guard let rights = Account.Rights(word: String(parts[0])) else {
        let words = Account.Rights.allCases.map { "'\($0.rawValue)'" }
        throw wrong("the right is none of " + words.joined(separator: ", "))
      }
      var expires: WallTime?
      if parts.count > 1 {
        let word = Self.expiry
        expires =
          parts[1].hasPrefix(word)
          ? WallTime.parse(Array(parts[1].dropFirst(word.count).utf8).span)?.time : nil
        guard expires != nil else {
          throw wrong(
            "what follows a right is ';expires=' and a time such as 2026-01-31T00:00:00.000Z")
        }
      }
      guard words[3].hasPrefix("/") else { throw wrong("the path of a store begins with '/'") }
      guard names.insert(name).inserted else {
        throw wrong("there is an account '\(name)' already")
      }
      let digest = Digest(bytes: bytes)
      guard digests.insert(digest).inserted else {
        throw wrong("another account has the same token")
      }
      let account = Account(
        name: name, rights: rights, store: String(words[3]), expires: expires)
      rows.append((digest, account))
    }
  }

  /// Whether there is none.
  package var isEmpty: Bool { rows.isEmpty }

  /// The line of an account.
  ///
  /// - Parameters:
  ///   - account: the account; its name and its path have passed the rules.
  ///   - digest: SHA-256 of its token.
  /// - Returns: the line with its line feed.
  package static func line(_ account: Account, _ digest: Digest) -> String {
    let expires = account.expires.map { ";\(expiry)\($0.text)" } ?? ""
    let token = Hex.text(digest.bytes.span)
    return "\(account.name) \(token) \(account.rights.rawValue)\(expires) \(account.store)\n"
  }

  /// Whether a text is a name: 1 to 64 letters, digits and `-`, `.`, `_`, `@`.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F, 0x40].contains(byte)
      }
  }

  /// The accounts, in the order of the file.
  package var all: [Account] { rows.map(\.account) }

  /// The paths of all stores, each once.
  package var stores: [String] { Array(Set(rows.map(\.account.store))).sorted() }

  /// The account of a token.
  ///
  /// All accounts are compared to the last byte, so the time tells nothing about any of them.
  ///
  /// - Parameter token: what was sent.
  /// - Returns: `nil` when no account has it.
  package func account(token: [UInt8]) -> Account? {
    let digest = SHA256.digest(of: token.span)
    var found: Account?
    for row in rows {
      var difference: UInt8 = 0
      for index in 0..<Digest.byteCount {
        difference |= digest.bytes[index] ^ row.digest.bytes[index]
      }
      if difference == 0 { found = row.account }
    }
    return found
  }
}
