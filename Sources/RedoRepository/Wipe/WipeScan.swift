// The content of a store, as far as a wipe must know it: every object once, read on all processors.

internal import RedoCrypto
package import RedoHistory
package import RedoObject
package import RedoStore

/// One object of the store.
package struct WipeEntry: Sendable {
  /// What the object is.
  package enum Content: Sendable {
    case node(KnownNode, order: OrderEntry, action: String)
    case grouped(ObjectKind, OrderEntry)
    /// An object with a history of which only the bytes are known: it breaks a rule of this release.
    case invalid(ObjectKind, [UInt8])
    case blob
    case corrupt(String)
  }

  package let id: ObjectID
  /// The author, if known: a user id, or the did of a receipt.
  package let user: String?
  package let content: Content

  /// Its description in a list: its action, or its kind.
  package var label: String {
    switch content {
    case .node(_, _, let action): action
    case .grouped(let kind, _), .invalid(let kind, _): kind.name.description
    case .blob: "blob"
    case .corrupt: "corrupt"
    }
  }

  /// What its heads, parents and order depend on.
  package var node: (known: KnownNode, order: OrderEntry)? {
    if case .node(let known, let order, _) = content { (known, order) } else { nil }
  }

  /// Its parents and its place in the order of its kind; `nil` for what has none.
  package var order: OrderEntry? {
    switch content {
    case .node(_, let order, _), .grouped(_, let order): order
    case .invalid, .blob, .corrupt: nil
    }
  }

  /// Its kind; `nil` where its bytes are corrupt.
  package var kind: ObjectKind? {
    switch content {
    case .node: .node
    case .grouped(let kind, _), .invalid(let kind, _): kind
    case .blob: .blob
    case .corrupt: nil
    }
  }

  /// Whether its bytes are corrupt.
  var isCorrupt: Bool { if case .corrupt = content { true } else { false } }

  /// Whether one of some users made it.
  func isBy(_ users: Set<String>) -> Bool {
    switch content {
    case .node, .grouped: user.map(users.contains) ?? false
    case .invalid(.receipt, let bytes):
      users.contains { WipeText.contains(bytes, Self.didMember($0)) }
    case .invalid(_, let bytes):
      users.contains { WipeText.contains(bytes, Array("\"userId\":\"\($0)\"".utf8)) }
    case .blob, .corrupt: false
    }
  }

  /// The member `did` of a receipt, as its bytes have it.
  private static func didMember(_ did: String) -> [UInt8] {
    let count = did.utf8.count
    let head: [UInt8] =
      switch count {
      case ..<24: [0x60 | UInt8(count)]
      case ..<256: [0x78, UInt8(count)]
      default: [0x79, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
      }
    return [0x63] + Array("did".utf8) + head + Array(did.utf8)
  }
}

/// Reads a whole store.
package struct WipeScan {
  /// Every object of the store, of its alternates and of its archives, in ascending order of ID.
  package private(set) var entries: [WipeEntry] = []
  /// The packs that cannot be read, and may contain anything: their files, and why.
  private(set) var damagedPacks: [(path: String, reason: String)] = []

  private enum Found: Sendable {
    case entry(WipeEntry)
    case pack(path: String, reason: String)
    case failure(StoreError)
  }

  /// - Throws: `StoreError` when the store cannot be read at all, or part of it is away.
  package init(_ store: ObjectStore) throws {
    var found: [ObjectID: WipeEntry] = [:]
    var failure: StoreError?
    var packs: [(path: String, reason: String)] = []
    let unreadable = try ObjectScan.forEach(
      store, makeState: { NodeReader() }
    ) { reader, part in
      Self.read(part, store, &reader)
    } _: { items in
      for item in items {
        switch item {
        case .entry(let entry):
          // An intact copy tells what a damaged one does not.
          if found[entry.id]?.isCorrupt ?? true { found[entry.id] = entry }
        case .pack(let path, let reason): packs.append((path, reason))
        case .failure(let error): failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
    for case .damagedPack(let path, let reason) in unreadable { packs.append((path, reason)) }
    // Objects that are only in archives.
    var reader = NodeReader()
    for id in try store.list(prefix: "") where found[id] == nil {
      do throws(StoreError) {
        guard let object = try store.read(id, &reader.workspace) else { continue }
        found[id] = Self.entry(object, &reader)
      } catch {
        guard case .corrupt(_, _, let reason) = error else { throw error }
        found[id] = WipeEntry(id: id, user: nil, content: .corrupt(reason))
      }
    }
    entries = found.values.sorted(on: \.id)
    damagedPacks = packs
  }

  private static func read(
    _ part: ObjectPart, _ store: ObjectStore, _ reader: inout NodeReader
  ) -> [Found] {
    var items: [PartItem] = []
    do throws(StoreError) {
      try store.read(part, &reader.workspace) { items.append($0) }
    } catch {
      return [.failure(error)]
    }
    return items.map { item in
      switch item {
      case .object(let object, _): .entry(entry(object, &reader))
      case .damaged(let id, .corrupt(_, _, let reason)):
        .entry(WipeEntry(id: id, user: nil, content: .corrupt(reason)))
      case .damaged(_, let error): .failure(error)
      case .damagedPack(let path, let reason): .pack(path: path, reason: reason)
      case .offline(let path, _): .failure(.archives(reason: "'\(path)' is away"))
      }
    }
  }

  private static func entry(_ object: StoredObject, _ reader: inout NodeReader) -> WipeEntry {
    switch object.kind {
    case .node: break
    case .blob: return WipeEntry(id: object.id, user: nil, content: .blob)
    case .receipt, .schema:
      guard let grouped = reader.places.grouped(object) else {
        return WipeEntry(
          id: object.id, user: nil, content: .invalid(object.kind, object.canonical))
      }
      let place = grouped.place
      return WipeEntry(
        id: object.id, user: grouped.author,
        content: .grouped(
          object.kind,
          OrderEntry(
            id: object.id, parents: place.parents, lamport: place.lamport, wall: place.wall)))
    }
    guard let node = reader.decode(object) else {
      return WipeEntry(id: object.id, user: nil, content: .invalid(.node, object.canonical))
    }
    let action = String(decoding: node.escapedText(.action) ?? [], as: UTF8.self)
    return WipeEntry(
      id: object.id, user: node.userID.text,
      content: .node(
        KnownNode(node, isInHistory: false), order: OrderEntry(node), action: action))
  }
}

/// Looks for ids in bytes of any kind.
package enum WipeText {
  /// Whether some bytes occur in others.
  package static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, bytes.count >= part.count else { return false }
    var index = 0
    while index <= bytes.count - part.count {
      if bytes[index] == first, bytes[index..<index + part.count].elementsEqual(part) {
        return true
      }
      index += 1
    }
    return false
  }

  /// Whether bytes name one of some users, or one of some objects by its 64 digits or its CID.
  package static func names(_ bytes: [UInt8], _ users: Set<String>, _ ids: Set<ObjectID>) -> Bool {
    if users.contains(where: { contains(bytes, Array($0.utf8)) }) { return true }
    return ObjectID.isAny(of: ids, namedIn: bytes.span)
  }
}
