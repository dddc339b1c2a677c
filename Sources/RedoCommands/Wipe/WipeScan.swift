// What a store holds, as far as a wipe must know it: every object once, read on all processors.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// One object of the store.
struct WipeEntry: Sendable {
  /// What the object is.
  enum Content: Sendable {
    case node(KnownNode, order: OrderEntry, action: String)
    /// A node of which only the bytes are known: no rule of this release fits it.
    case invalidNode([UInt8])
    case blob
    case corrupt(String)
  }

  let id: ObjectID
  /// The author, where that is known.
  let user: String?
  let content: Content

  /// What a list says of it: its action, or its kind.
  var label: String {
    switch content {
    case .node(_, _, let action): action
    case .invalidNode: "node"
    case .blob: "blob"
    case .corrupt: "corrupt"
    }
  }

  /// What its heads, parents and order depend on.
  var node: (known: KnownNode, order: OrderEntry)? {
    if case .node(let known, let order, _) = content { (known, order) } else { nil }
  }

  /// Whether one of some users made it.
  func isBy(_ users: Set<String>) -> Bool {
    switch content {
    case .node: user.map(users.contains) ?? false
    case .invalidNode(let bytes):
      users.contains { WipeText.contains(bytes, Array("\"userId\":\"\($0)\"".utf8)) }
    case .blob, .corrupt: false
    }
  }
}

/// Reads a whole store.
enum WipeScan {
  /// Every object of a store and of its alternates, in the order of the ids.
  static func entries(_ store: ObjectStore) throws(CommandError) -> [WipeEntry] {
    let ids: [ObjectID]
    do throws(StoreError) {
      ids = try store.list(prefix: "")
    } catch {
      throw .fatal(error)
    }
    let results = Threads.parallelMap(
      ids, threads: ids.count < 16 ? 1 : Threads.processorCount, makeState: { NodeReader() }
    ) { reader, id -> Result<WipeEntry?, StoreError> in
      do throws(StoreError) {
        guard let object = try store.read(id, &reader.workspace) else { return .success(nil) }
        return .success(entry(object, &reader))
      } catch {
        guard case .corrupt(_, _, let reason) = error else { return .failure(error) }
        return .success(WipeEntry(id: id, user: nil, content: .corrupt(reason)))
      }
    }
    var entries: [WipeEntry] = []
    entries.reserveCapacity(results.count)
    for result in results {
      switch result {
      case .success(let entry): if let entry { entries.append(entry) }
      case .failure(let error): throw .fatal(error)
      }
    }
    return entries
  }

  private static func entry(_ object: StoredObject, _ reader: inout NodeReader) -> WipeEntry {
    guard object.kind == .node else {
      return WipeEntry(id: object.id, user: nil, content: .blob)
    }
    guard let node = reader.decode(object) else {
      return WipeEntry(id: object.id, user: nil, content: .invalidNode(object.canonical))
    }
    let action = String(decoding: node.escapedText(.action) ?? [], as: UTF8.self)
    return WipeEntry(
      id: object.id, user: node.userID.text,
      content: .node(
        KnownNode(node, isInHistory: false), order: OrderEntry(node), action: action))
  }
}

/// Looks for ids in bytes of any kind.
enum WipeText {
  /// Whether some bytes occur in others.
  static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
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

  /// Whether bytes name one of some users, or one of some objects by its 64 digits.
  static func names(_ bytes: [UInt8], _ users: Set<String>, _ ids: Set<ObjectID>) -> Bool {
    if users.contains(where: { contains(bytes, Array($0.utf8)) }) { return true }
    var run = 0
    for index in bytes.indices {
      run = Hex.value(bytes[index]) < 16 ? run + 1 : 0
      guard run >= ObjectID.hexCount else { continue }
      let range = index + 1 - ObjectID.hexCount..<index + 1
      if let id = ObjectID(hex: bytes.span.extracting(range)), ids.contains(id) { return true }
    }
    return false
  }
}
