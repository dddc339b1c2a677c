// Changing a keyring, one slot at a time, under a lock: a temporary file in the same directory, its
// name, the directory. Of a key pair the private key decides: public key and user id are copies of
// what it says. A pair makes room in four steps, each on the medium before the next: it is kept as a retired
// one, its copies go, its private key is replaced, the new copies come. So at every moment the old pair or the
// new one is there, perhaps without copies, never a mixture; the next writer makes copies that are missing.

package import RedoCrypto
internal import RedoObject

/// What happens to a slot that is taken.
package enum Replacing: Sendable {
  /// It stays.
  case never
  /// The new value replaces it in one step; of a key pair the old one becomes a retired key.
  case always
}

/// A keyring that nobody else is changing.
package struct KeyringWriter: ~Copyable {
  /// The keyring under the lock.
  package let keyring: Keyring
  private let directory: Directory
  private let lock: LockFile

  /// The name of the file that writers lock; no slot's name begins with a dot.
  private static let lockName = ".lock"

  init(keyring: consuming Keyring, directory: consuming Directory, lock: consuming LockFile) {
    self.keyring = keyring
    self.directory = directory
    self.lock = lock
  }

  /// Takes the lock, and creates the directory if it is missing.
  ///
  /// - Throws: `locked` when another process holds it for too long; `unwritable`; as `open`.
  package static func open(
    in store: borrowing Directory, _ options: RefsOptions
  ) throws(KeyringError) -> KeyringWriter {
    try KeyringError.writing { () throws(SystemError) in
      if try store.makeDirectory(Layout.keys, mode: 0o700), options.sync.isSyncing {
        try store.sync()
      }
    }
    guard let directory = try Keyring.openDirectory(in: store) else {
      throw .irregular(path: joinPath(store.path, Layout.keys))
    }
    let lock = try KeyringError.writing { () throws(SystemError) in
      try LockFile.acquire(
        in: directory, name: lockName, timeoutMilliseconds: options.lockTimeoutMilliseconds,
        permissions: 0o600)
    }
    guard let lock else { throw .locked(path: joinPath(directory.path, lockName)) }
    try removeUnfinished(in: directory)
    let writer = KeyringWriter(
      keyring: try Keyring.open(in: store, options), directory: directory, lock: lock)
    try writer.completeCopies()
    return writer
  }

  /// Makes the copies that a killed writer did not come to make, but not those of a key that may be damaged: they would
  /// hide it.
  private borrowing func completeCopies() throws(KeyringError) {
    var key: PublicKey?
    do throws(KeyringError) {
      if let text = try keyring.signingKey() { key = text.publicKey }
    } catch {
      return
    }
    if let key { try writeCopies(of: key) }
  }

  /// Removes what a killed writer left: nobody else is writing now, and it may contain a secret.
  private static func removeUnfinished(
    in directory: borrowing Directory
  ) throws(KeyringError) {
    try KeyringError.writing { () throws(SystemError) in
      for name in try directory.list() where name.hasPrefix(SlotName.temporaryPrefix) {
        try directory.unlink(name)
      }
    }
  }

  // MARK: One slot

  /// Writes the file of a slot.
  ///
  /// - Parameters:
  ///   - name: the slot.
  ///   - contents: the bytes of its file.
  ///   - replacing: what to do when it is taken.
  /// - Returns: `false` when it was taken and stays.
  /// - Throws: `unwritable`; the slot is then as it was.
  private borrowing func write(
    _ name: SlotName, _ contents: borrowing SecretBytes, _ replacing: Replacing
  ) throws(KeyringError) -> Bool {
    do throws(SystemError) {
      var temporary = try TemporaryFile(
        in: directory, prefix: SlotName.temporaryPrefix, mode: 0o600)
      try temporary.file.writeAll(contents)
      if keyring.options.sync.isSyncing { try temporary.file.sync() }
      switch replacing {
      case .never:
        guard try temporary.commit(as: name.text, replacing: .never) else { return false }
      case .always: _ = try temporary.commit(as: name.text, replacing: .always)
      }
      return true
    } catch {
      throw .unwritable(error)
    }
  }

  /// Waits until the names are on the medium.
  private borrowing func sync() throws(KeyringError) {
    guard keyring.options.sync.isSyncing else { return }
    try KeyringError.writing { () throws(SystemError) in try directory.sync() }
  }

  /// Stores the value of a slot that is not part of a key pair.
  ///
  /// - Parameters:
  ///   - name: the slot.
  ///   - value: what its kind allows, without the line feed that ends a line.
  ///   - origins: the addresses that may get it; none when it is for no address in particular.
  ///   - replacing: what to do when it is taken.
  /// - Returns: `false` when it was taken and stays.
  /// - Throws: `unwritable`; the slot is then as it was.
  package borrowing func put(
    _ name: SlotName, _ value: borrowing SecretBytes, for origins: [WebOrigin] = [],
    _ replacing: Replacing
  ) throws(KeyringError) -> Bool {
    precondition(!name.kind.isOfKeys, "BUG: a slot of the key pair is put by itself")
    precondition(origins.isEmpty || name.kind.isBindable, "BUG: addresses for what is no token")
    let head = BoundSecret.header(origins)
    let isDone = try write(name, Self.file(head, value, isLine: name.kind.isLine), replacing)
    if isDone { try sync() }
    return isDone
  }

  /// The file of a value: what precedes it, the value, and the end of its line.
  private static func file(
    _ head: [UInt8], _ value: borrowing SecretBytes, isLine: Bool
  ) -> SecretBytes {
    let count = value.count
    let file = SecretBytes(count: head.count + count + (isLine ? 1 : 0))
    // SAFETY: the file has room for its head, the value and the end of a line.
    unsafe file.withMutablePointer { output in
      for (index, byte) in head.enumerated() { unsafe output[index] = byte }
      unsafe value.withMutablePointer { input in
        unsafe (output + head.count).update(from: input, count: count)
      }
      if isLine { unsafe output[head.count + count] = UInt8(ascii: "\n") }
    }
    return file
  }

  /// Removes slots, in the order given.
  ///
  /// - Throws: `unwritable`; those before it are gone then.
  package borrowing func remove(_ names: [SlotName]) throws(KeyringError) {
    // A damaged key no longer has a public half; it can still be removed.
    if names.contains(.privateKey), !names.contains(.publicKey),
      let key = (try? keyring.publicKey()) ?? nil
    {
      // What was derived from the private key must first be stored separately.
      try writeCopies(of: key)
      try sync()
    }
    try KeyringError.writing { () throws(SystemError) in
      for name in names { try directory.unlink(name.text) }
    }
    try sync()
  }

  // MARK: The key pair

  /// Puts a private key in its slot, and public key and user id in theirs.
  ///
  /// - Parameters:
  ///   - text: the text of the private key, plain or wrapped.
  ///   - key: its public half.
  ///   - replacing: whether an existing pair makes room and becomes a retired one.
  /// - Returns: `false` when there is a pair, which stays.
  /// - Throws: `unwritable`; the old pair is then whole, or the new one is.
  package borrowing func install(
    _ text: borrowing SecretBytes, of key: PublicKey, _ replacing: Replacing
  ) throws(KeyringError) -> Bool {
    let old = try keyring.pair()
    guard try makeRoom(for: key, replacing) else { return false }
    if old.publicKey != key, old.userID != nil {
      try removeCopies([.publicKey, .userID])
      try sync()
    }
    guard try write(.privateKey, text, replacing) else { return false }
    try sync()
    try writeCopies(of: key)
    try sync()
    return true
  }

  /// Puts only a public key in its slot, where there is no private key.
  ///
  /// - Parameters:
  ///   - key: the public key.
  ///   - replacing: whether an existing one makes room and becomes a retired one.
  /// - Returns: `false` when there is another, which stays.
  /// - Throws: `unwritable`.
  package borrowing func install(
    publicKey key: PublicKey, _ replacing: Replacing
  ) throws(KeyringError) -> Bool {
    let old = try keyring.pair()
    if old.publicKey == key {
      try writeCopies(of: key)
    } else {
      guard try makeRoom(for: key, replacing) else { return false }
      // Its retired copy exists; until the public key comes that takes over, the old one is left by itself.
      try removeCopies(old.isPrivate ? [.privateKey, .userID] : [.userID])
      try sync()
      try writeCopies(of: key)
    }
    try sync()
    return true
  }

  /// Keeps the existing pair as a retired one.
  ///
  /// - Returns: whether another may take its place.
  private borrowing func makeRoom(
    for key: PublicKey, _ replacing: Replacing
  ) throws(KeyringError) -> Bool {
    let old = try keyring.pair()
    guard old.publicKey != nil || old.userID != nil else { return true }
    guard case .always = replacing else {
      // The private key of the existing public key is what was missing.
      return old.publicKey == key && !old.isPrivate
    }
    guard let oldKey = old.publicKey, oldKey != key else { return true }
    if let text = try keyring.readFile(.privateKey) {
      try retire(text, UserID(of: oldKey), isPrivate: true)
    } else {
      try retire(Self.hexLine(oldKey.bytes.span), UserID(of: oldKey), isPrivate: false)
    }
    try sync()
    return true
  }

  /// Removes what is kept elsewhere, or follows from what stays.
  private borrowing func removeCopies(_ names: [SlotName]) throws(KeyringError) {
    try KeyringError.writing { () throws(SystemError) in
      for name in names { try directory.unlink(name.text) }
    }
  }

  private borrowing func retire(
    _ text: borrowing SecretBytes, _ user: UserID, isPrivate: Bool
  ) throws(KeyringError) {
    var number = 1
    while true {
      let name = SlotName.retired(user, isPrivate: isPrivate, number: number)
      if try write(name, text, .never) { return }
      // An interrupted change left the same; another form of the same key, or the key of another
      // pair with this user id, keeps its place.
      if let taken = try keyring.readFile(name), taken.isEqual(to: text) { return }
      number += 1
    }
  }

  /// Writes public key and user id if they are not what they should be.
  private borrowing func writeCopies(of key: PublicKey) throws(KeyringError) {
    try writeCopy(.publicKey, key.bytes.span)
    try writeCopy(.userID, UserID(of: key).bytes.span)
  }

  private borrowing func writeCopy(
    _ name: SlotName, _ bytes: Span<UInt8>
  ) throws(KeyringError) {
    let text = Self.hexLine(bytes)
    // One that cannot be read is replaced as well.
    let known = (try? keyring.readFile(name)) ?? nil
    if let known, known.isEqual(to: text) { return }
    _ = try write(name, text, .always)
  }

  private static func hexLine(_ bytes: Span<UInt8>) -> SecretBytes {
    var text: [UInt8] = []
    Hex.append(bytes, to: &text)
    text.append(UInt8(ascii: "\n"))
    return SecretBytes(moving: &text)
  }
}
