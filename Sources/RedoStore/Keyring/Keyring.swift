// The secrets of a store: `keys`, a directory that only its owner may enter, with a file for each slot. A file
// that others may read, or could have put there, is not used.

package import RedoCrypto
package import RedoObject

/// A keyring, open for reading.
package struct Keyring: ~Copyable, Sendable {
  /// The directory of the store.
  let store: Directory
  /// The directory of the slots; that of the store while it is missing.
  private let directory: Directory
  private let isPresent: Bool
  /// How it is written.
  let options: RefsOptions

  private init(store: borrowing Directory, directory: consuming Directory?, options: RefsOptions) {
    self.store = store.share()
    self.options = options
    if let directory {
      self.directory = directory
      isPresent = true
    } else {
      self.directory = store.share()
      isPresent = false
    }
  }

  /// Opens the keyring of a store.
  ///
  /// - Parameters:
  ///   - store: the directory of the store.
  ///   - options: how it is written: what to sync, and how long to wait for other writers.
  /// - Returns: the keyring; an empty one when the store has none yet.
  /// - Throws: `exposed`, `foreign`, `irregular`, `unreadable`.
  package static func open(
    in store: borrowing Directory, _ options: RefsOptions = RefsOptions()
  ) throws(KeyringError) -> Keyring {
    Keyring(store: store, directory: try openDirectory(in: store), options: options)
  }

  static func openDirectory(
    in store: borrowing Directory
  ) throws(KeyringError) -> Directory? {
    let path = joinPath(store.path, Layout.keys)
    let known = try KeyringError.reading { () throws(SystemError) in
      try store.status(Layout.keys)
    }
    guard let known else { return nil }
    guard known.kind == .directory else { throw .irregular(path: path) }
    let directory = try KeyringError.reading { () throws(SystemError) in
      try store.openSubdirectory(Layout.keys, isFollowing: false)
    }
    try check(
      try KeyringError.reading { () throws(SystemError) in try directory.status() }, path: path)
    return directory
  }

  /// Refuses what others may use, or could have made.
  private static func check(_ status: FileStatus, path: String) throws(KeyringError) {
    guard status.userID == CurrentProcess.effectiveUserID else {
      throw .foreign(path: path, userID: status.userID)
    }
    guard status.mode & 0o077 == 0 else { throw .exposed(path: path, mode: status.mode) }
  }

  /// The path of a slot's file.
  package func path(of name: SlotName) -> String {
    joinPath(joinPath(store.path, Layout.keys), name.text)
  }

  // MARK: Files

  /// The bytes of a slot's own file.
  ///
  /// - Returns: `nil` when the slot is empty.
  /// - Throws: as `open`, and `malformed` when it is empty or too large.
  func readFile(_ name: SlotName) throws(KeyringError) -> SecretBytes? {
    guard let file = try openFile(name) else { return nil }
    let status = try KeyringError.reading { () throws(SystemError) in try file.status() }
    guard status.kind == .regular else { throw .irregular(path: path(of: name)) }
    try Self.check(status, path: path(of: name))
    do throws(SystemError) {
      if let bytes = try file.readSecret(limit: name.kind.fileByteLimit) { return bytes }
    } catch {
      if error.isTooLarge { throw .malformed(path: path(of: name), reason: "it is too large") }
      throw .unreadable(error)
    }
    throw .malformed(path: path(of: name), reason: "it is empty")
  }

  private func openFile(_ name: SlotName) throws(KeyringError) -> File? {
    guard isPresent else { return nil }
    do throws(SystemError) {
      // A named pipe in the place of a file must not hold us up.
      return try directory.openFileIfPresent(name.text, .read, [.noFollow, .nonBlocking])
    } catch {
      if error.isSymbolicLink || error.isUnopenable { throw .irregular(path: path(of: name)) }
      throw .unreadable(error)
    }
  }

  /// The names of the slots that have a file, sorted.
  package func fileNames() throws(KeyringError) -> [SlotName] {
    guard isPresent else { return [] }
    let names = try KeyringError.reading { () throws(SystemError) in try directory.list() }
    return names.compactMap { SlotName($0) }.sorted()
  }

  // MARK: Keys

  /// The private key of a slot as it is stored.
  ///
  /// - Parameter name: the slot of the key in use, or of a retired one.
  /// - Returns: `nil` when the slot is empty.
  /// - Throws: what reading throws, `malformed` among it.
  package func privateKey(
    _ name: SlotName = .privateKey
  ) throws(KeyringError) -> PrivateKeyText? {
    guard let text = try readFile(name) else { return nil }
    do throws(WrappedKey.Fault) {
      return try PrivateKeyText.read(text)
    } catch {
      throw .malformed(path: path(of: name), reason: error.reason)
    }
  }

  /// The private key in use, to sign with.
  ///
  /// A private key has no hash: one that was damaged, or exchanged, is another key. It is recognised by the
  /// copy of the public key, which differs legitimately only while a change of keys is unfinished, and then
  /// the key to which the copy belongs has been kept as a retired one.
  ///
  /// - Returns: `nil` when there is no key.
  /// - Throws: what reading throws, and `malformed` for a key to which the public key beside it does not belong.
  package func signingKey() throws(KeyringError) -> PrivateKeyText? {
    guard let text = try privateKey() else { return nil }
    guard let copy = try readLine(.publicKey).flatMap({ Self.publicKey(hex: $0) }),
      copy != text.publicKey
    else { return text }
    let user = UserID(of: copy)
    let names = try fileNames()
    if names.contains(.retired(user, isPrivate: true))
      || names.contains(.retired(user, isPrivate: false))
    {
      return text
    }
    throw .malformed(
      path: path(of: .privateKey), reason: "it is not the key of the public key beside it")
  }

  /// What is known of the key in use.
  package struct Pair: Sendable {
    /// The public half: the private key's, else what its slot says.
    package var publicKey: PublicKey?
    /// That of the public key, else what its slot says.
    package var userID: UserID?
    /// Whether the private key exists.
    package var isPrivate = false
    /// Whether it is under a passphrase.
    package var isWrapped = false
  }

  /// What is known of the key in use.
  package func pair() throws(KeyringError) -> Pair {
    var pair = Pair()
    if let key = try privateKey() {
      pair.isPrivate = true
      pair.isWrapped = key.isWrapped
      pair.publicKey = key.publicKey
    } else {
      pair.publicKey = try readLine(.publicKey).flatMap { Self.publicKey(hex: $0) }
    }
    if let key = pair.publicKey {
      pair.userID = UserID(of: key)
    } else {
      pair.userID = try readLine(.userID).flatMap { UserID(hex: Array($0.utf8).span) }
    }
    return pair
  }

  /// The public half of the key in use.
  package func publicKey() throws(KeyringError) -> PublicKey? { try pair().publicKey }

  /// The user id.
  package func userID() throws(KeyringError) -> UserID? { try pair().userID }

  static func publicKey(hex: String) -> PublicKey? {
    Hex.decode32(Array(hex.utf8).span).map { PublicKey(bytes: $0) }
  }

  // MARK: Slots

  /// The names of all slots that can be asked for, sorted.
  ///
  /// Public key and user id are included wherever the private key is: they are derived from it. A retired
  /// key that is the key in use is left over from an interrupted change of keys; it is left out, unless only there
  /// the private key is left.
  package func names() throws(KeyringError) -> [SlotName] {
    var names = Set(try fileNames())
    let pair: Pair
    do throws(KeyringError) {
      pair = try self.pair()
    } catch {
      // Damage in one slot hides no other.
      guard case .malformed = error else { throw error }
      return names.sorted()
    }
    guard let user = pair.userID else { return names.sorted() }
    if pair.publicKey != nil { names.insert(.publicKey) }
    names.insert(.userID)
    let own = SlotName.retired(user, isPrivate: true).text.dropLast(".key".utf8.count)
    names = names.filter {
      !$0.text.hasPrefix(own) || $0.kind.isPrivateKey && !pair.isPrivate
    }
    return names.sorted()
  }

  /// The value of a slot, without the line feed that ends a line.
  ///
  /// - Returns: `nil` when the slot is empty.
  /// - Throws: what reading throws; `malformed` when it is not of the slot's kind.
  package func value(_ name: SlotName) throws(KeyringError) -> SecretBytes? {
    switch name {
    case .publicKey:
      return try publicKey().map { (key) in Self.secret(Hex.text(key.bytes.span)) }
    case .userID: return try userID().map { (user) in Self.secret(user.text) }
    default: return try readValue(name)
    }
  }

  /// The value of a slot, and the addresses for which it was stored.
  ///
  /// - Returns: `nil` when the slot is empty.
  /// - Throws: as `value`.
  package func boundSecret(_ name: SlotName) throws(KeyringError) -> BoundSecret? {
    guard name.kind.isBindable else {
      guard let value = try value(name) else { return nil }
      return BoundSecret(secret: value, origins: [])
    }
    guard let bytes = try readFile(name) else { return nil }
    let part = bytes.withSpan { BoundSecret.part(of: $0, name.kind) }
    if let fault = part.fault { throw .malformed(path: path(of: name), reason: fault) }
    return BoundSecret(secret: bytes.copy(part.range), origins: part.origins)
  }

  /// The value of a slot according to its own file.
  private func readValue(_ name: SlotName) throws(KeyringError) -> SecretBytes? {
    guard let bytes = try readFile(name) else { return nil }
    let part = bytes.withSpan { BoundSecret.part(of: $0, name.kind) }
    if let fault = part.fault { throw .malformed(path: path(of: name), reason: fault) }
    return bytes.copy(part.range)
  }

  /// The value of a slot that holds one line, as text.
  package func line(_ name: SlotName) throws(KeyringError) -> String? {
    guard let value = try value(name) else { return nil }
    return Self.text(value)
  }

  private func readLine(_ name: SlotName) throws(KeyringError) -> String? {
    guard let value = try readValue(name) else { return nil }
    return Self.text(value)
  }

  private static func text(_ value: borrowing SecretBytes) -> String {
    value.withSpan { bytes in
      // SAFETY: the pointer is used only during the call.
      unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func secret(_ text: String) -> SecretBytes {
    var bytes = Array(text.utf8)
    return SecretBytes(moving: &bytes)
  }
}
