// The public key that a user ID stands for (protocol, section 1.1): that of the trust file, otherwise the only one
// seen, if there is exactly one.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// Where the keys of users are looked for whose nodes do not carry them.
package struct KeySources {
  /// The store whose nodes carry keys, in addition to the input.
  package var store: ObjectStore?
  /// The trust file, which takes precedence over keys that were seen.
  package var trust: TrustList?
  /// The keys of devices that local rows pin.
  package var devices: DeviceRows

  /// Creates a value with these members.
  package init(
    store: ObjectStore? = nil, trust: TrustList? = nil, devices: DeviceRows = DeviceRows()
  ) {
    self.store = store
    self.trust = trust
    self.devices = devices
  }

  /// What looks up the keys of devices.
  package var deviceKeys: DeviceKeys { DeviceKeys(trust, rows: devices) }
}

extension Effects {
  /// The keys that a store and its trust file supply.
  package func keySources(_ opened: Repository?) throws -> KeySources {
    KeySources(
      store: opened?.objects, trust: try trustList(opened),
      devices: opened?.deviceRows() ?? DeviceRows())
  }
}

/// The public keys that nodes have carried, by user id.
package struct KeyDirectory: Sendable {
  private enum Entry: Sendable {
    case one(PublicKey)
    case several
  }

  private var entries: [UserID: Entry] = [:]
  private let trust: TrustList?

  /// - Parameter trust: the trust file, which takes precedence over keys that were seen.
  package init(_ trust: TrustList?) { self.trust = trust }

  /// Notes the key that a node carries.
  ///
  /// - Returns: whether its user ID now stands for a second key.
  @discardableResult
  package mutating func note(_ node: Node) -> Bool {
    guard let key = node.publicKey else { return false }
    switch entries[node.userID] {
    case nil: entries[node.userID] = .one(key)
    case .one(let known) where known != key:
      entries[node.userID] = .several
      return true
    case .one, .several: break
    }
    return false
  }

  /// The key of a user that the trust file names.
  package func trustedKey(of user: UserID) -> PublicKey? { trust?.key(of: user) }

  /// The key of a user; `nil` when none or more than one has been seen, and the trust file does not
  /// decide.
  package func key(of user: UserID) -> PublicKey? {
    if let key = trustedKey(of: user) { return key }
    if case .one(let key) = entries[user] { return key }
    return nil
  }

  /// Notes the keys of all nodes of a store.
  ///
  /// It reads every object, so it is done only when a signed node arrives without its key.
  package mutating func noteAll(in store: ObjectStore) throws(StoreError) {
    _ = try ObjectScan.forEach(store, makeState: { NodeReader() }) { reader, part -> [Node] in
      // An object that cannot be read is reported by the caller that needs the object itself.
      var known = KeyDirectory(nil)
      var carriers: [Node] = []
      try? reader.forEach(of: part, in: store) { node in
        guard let key = node.publicKey, known.key(of: node.userID) != key else { return }
        known.note(node)
        carriers.append(node)
      }
      return carriers
    } _: { nodes in
      for node in nodes { note(node) }
    }
  }
}

/// Reads nodes with the buffers of one thread.
package struct NodeReader: ~Copyable {
  package var workspace = LooseStore.Workspace()
  package var places = PlaceDecoder()

  package init() {}

  /// Decodes nodes.
  package var decoder: NodeDecoder {
    _read { yield places.nodes }
    _modify { yield &places.nodes }
  }

  /// Reads an object; `nil` when there is none.
  ///
  /// - Throws: `StoreError` when it cannot be read, or is corrupt.
  package mutating func object(
    _ id: ObjectID, in store: ObjectStore
  ) throws -> StoredObject? {
    return try store.read(id, &workspace)
  }

  /// Reads what must be a node; `nil` when there is no object.
  ///
  /// - Throws: `StoreError` when it cannot be read, or is corrupt.
  package mutating func storedNode(
    _ id: ObjectID, in store: ObjectStore
  ) throws(StoreError) -> StoredObject? {
    try store.readNode(id, &workspace)
  }

  /// Reads and decodes a node.
  ///
  /// - Returns: `nil` when there is no such object, or it is not a valid node.
  package mutating func node(_ id: ObjectID, in store: ObjectStore) throws(StoreError) -> Node? {
    try storedNode(id, in: store).flatMap { decode($0) }
  }

  /// Reads and decodes the valid nodes of a part of a store.
  package mutating func forEach(
    of part: ObjectPart, in store: ObjectStore, _ visit: (Node) -> Void
  ) throws(StoreError) {
    var objects: [StoredObject] = []
    try store.read(part, &workspace) { item in
      if case .object(let object, _) = item, object.kind.hasHistory { objects.append(object) }
    }
    for object in objects { if let node = decode(object) { visit(node) } }
  }

  /// Decodes a stored receipt; `nil` when the object is none.
  package mutating func receipt(_ object: StoredObject) -> Receipt? {
    object.kind == .receipt ? places.receipts.decode(object) : nil
  }

  /// Decodes a stored node.
  package mutating func decode(_ object: StoredObject) -> Node? { decoder.decode(object) }
}
