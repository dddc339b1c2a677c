// The accounts of a server as a file: read as a whole, changed in one step. The changed file serves as its own lock, as a
// config file does.

package import RedoCrypto
internal import RedoObject
package import RedoStore

/// A file of accounts.
package struct AccountFile: Sendable {
  /// What is wrong with it.
  package enum Fault: Error, CustomStringConvertible, Sendable {
    /// It cannot be read or written.
    case system(SystemError)
    /// Others may read or write it; the permissions.
    case exposed(path: String, mode: UInt32)
    /// It breaks a rule.
    case form(path: String, Accounts.Wrong)
    /// There is an account of this name already.
    case taken(path: String, name: String)
    /// There is no account of this name.
    case absent(path: String, name: String, known: [String])
    /// Others kept it locked.
    case locked(path: String)

    /// One line for people.
    package var description: String {
      switch self {
      case .system(let error): error.description
      case .exposed(let path, let mode):
        "the accounts in '\(path)' are open to others (mode \(String(mode, radix: 8)))"
      case .form(let path, let wrong): "\(path):\(wrong.line): \(wrong.rule)"
      case .taken(let path, let name): "there is an account '\(name)' in '\(path)' already"
      case .absent(let path, let name, _): "there is no account '\(name)' in '\(path)'"
      case .locked(let path): "'\(path)' is being changed by somebody else"
      }
    }
  }

  private static let temporaryPrefix = "tmp_accounts_"
  private static let lockTimeoutMilliseconds = 10_000
  /// How often a file that others keep replacing is locked anew.
  private static let attemptLimit = 1000

  /// Its path, as it is opened.
  private let path: String
  /// Its path as it was written, for messages.
  private let name: String

  /// A file of accounts.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - name: what it is called in messages.
  package init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// Reads the file.
  ///
  /// - Returns: its accounts; there may be none.
  /// - Throws: what is wrong with it.
  package func read() throws(Fault) -> Accounts {
    let (bytes, mode): ([UInt8], UInt32)
    do throws(SystemError) {
      let file = try File.open(path, .read, [.nonBlocking])
      let status = try file.status()
      guard status.kind == .regular else { throw SystemError.notRegular(path) }
      mode = status.mode & 0o777
      bytes = try file.readAll(limit: Accounts.byteLimit)
    } catch {
      throw .system(error)
    }
    return try accounts(bytes, mode: mode)
  }

  private func accounts(_ bytes: [UInt8], mode: UInt32) throws(Fault) -> Accounts {
    guard mode & 0o077 == 0 else { throw .exposed(path: name, mode: mode) }
    do throws(Accounts.Wrong) {
      return try Accounts(parsing: bytes)
    } catch {
      throw .form(path: name, error)
    }
  }

  /// How many random bytes a token has; it is written in hex.
  private static let tokenBytes = 32

  /// Adds an account with a new token.
  ///
  /// - Parameter account: the account.
  /// - Returns: the token, which the file does not have.
  /// - Throws: as the other one.
  package func add(_ account: Account) throws(Fault) -> String {
    let token = SecretBytes(randomCount: Self.tokenBytes).withSpan { Hex.text($0) }
    try add(account, token: SHA256.digest(of: Array(token.utf8).span))
    return token
  }

  /// Adds an account; a file that is not there is made, for its owner alone.
  ///
  /// - Parameters:
  ///   - account: the account.
  ///   - token: SHA-256 of its token.
  /// - Throws: `taken`; `form` where its name, its path or what is there breaks a rule; nothing has changed then.
  package func add(_ account: Account, token: Digest) throws(Fault) {
    try change { (bytes, accounts) throws(Fault) in
      guard !accounts.all.contains(where: { $0.name == account.name }) else {
        throw .taken(path: name, name: account.name)
      }
      let isTorn = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
      return bytes + (isTorn ? [UInt8(ascii: "\n")] : []) + Accounts.line(account, token).utf8
    }
  }

  /// Takes an account away; all other lines stay as they are.
  ///
  /// - Parameter account: its name.
  /// - Throws: `absent`, or as `add`; nothing has changed then.
  package func revoke(_ account: String) throws(Fault) {
    try change { (bytes, accounts) throws(Fault) in
      guard accounts.all.contains(where: { $0.name == account }) else {
        throw .absent(path: name, name: account, known: accounts.all.map(\.name))
      }
      let start = Array("\(account) ".utf8)
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      return Array(lines.filter { !$0.starts(with: start) }.joined(separator: [UInt8(ascii: "\n")]))
    }
  }

  private func change(
    _ body: ([UInt8], Accounts) throws(Fault) -> [UInt8]
  ) throws(Fault) {
    let (parent, file) = try Self.system { () throws(SystemError) in try place() }
    let directory = try Self.system { () throws(SystemError) in try Directory.open(parent) }
    for _ in 0..<Self.attemptLimit {
      if try Self.system({ () throws(SystemError) in try directory.status(file) }) == nil {
        // An empty file, which is locked next.
        try Self.system { () throws(SystemError) in
          _ = try directory.openFile(file, .readWrite, [.create, .noFollow], mode: 0o600)
        }
      }
      let lock = try Self.system { () throws(SystemError) in
        try LockFile.acquire(
          in: directory, name: file, timeoutMilliseconds: Self.lockTimeoutMilliseconds)
      }
      guard let lock else { throw .locked(path: name) }
      // The previous owner of the lock has replaced the file, and this is the lock of the old one.
      guard
        try Self.system({ () throws(SystemError) in try lock.isNamed(in: directory, name: file) })
      else { continue }
      let mode = try Self.system { () throws(SystemError) in
        (try directory.status(file)?.mode ?? 0) & 0o777
      }
      let old = try Self.system { () throws(SystemError) in
        try directory.readFile(file, limit: Accounts.byteLimit) ?? []
      }
      let new = try body(old, try accounts(old, mode: mode))
      // Nothing is written that a server would refuse.
      _ = try accounts(new, mode: mode)
      try Self.system { () throws(SystemError) in
        var temporary = try TemporaryFile(in: directory, prefix: Self.temporaryPrefix, mode: 0o600)
        try temporary.file.writeAll(new)
        try temporary.file.setMode(mode)
        try temporary.file.sync()
        _ = try temporary.commit(as: file, replacing: .always)
        try directory.sync()
      }
      return
    }
    throw .locked(path: name)
  }

  /// The directory and the name of the file, after following symbolic links.
  private func place() throws(SystemError) -> (directory: String, name: String) {
    var target = path
    if try FileStatus.ofLink(at: path)?.kind == .symbolicLink {
      target = try CurrentProcess.realPath(path)
    }
    guard let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", target) }
    let parent = slash == target.startIndex ? "/" : String(target[..<slash])
    return (parent, String(target[target.utf8.index(after: slash)...]))
  }

  private static func system<Value: ~Copyable>(
    _ body: () throws(SystemError) -> Value
  ) throws(Fault) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(error)
    }
  }
}
