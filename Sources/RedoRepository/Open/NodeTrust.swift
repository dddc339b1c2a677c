// The trust file of a command, and what it says about nodes whose signatures are good.
//
// Nodes of a revoked key stay good if certain nodes reach them. The walk reads the objects themselves, each hashed
// again, and not an index: anyone who could change an index could make a node good. A node that is not here, or is
// damaged, leads nowhere.

package import RedoCrypto
internal import RedoHistory
package import RedoObject
package import RedoStore

/// The answers of a trust file.
package struct NodeTrust {
  /// What the file says.
  package let list: TrustList
  /// The objects that revoked keys may have signed; `nil` outside a store.
  private let objects: ObjectStore?
  /// For each line of a revocation, the nodes of that signer that stay good.
  private var reached: [Int: Set<ObjectID>] = [:]

  package init(_ list: TrustList, _ objects: ObjectStore?) {
    self.list = list
    self.objects = objects
  }

  /// What the file says about a node whose signature is good.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - key: the key that its signature was verified with.
  /// - Returns: the answer.
  /// - Throws: `StoreError` when objects cannot be read, except damaged ones.
  package mutating func standing(of node: Node, by key: PublicKey) throws -> Standing {
    let isReached = try isReached(node, by: key)
    return list.standing(of: key, at: node.wall, isReached: isReached)
  }

  private mutating func isReached(
    _ node: Node, by key: PublicKey
  ) throws -> Bool {
    guard let entry = list.entry(of: key), let line = entry.revokedLine,
      !entry.validThrough.isEmpty, let objects
    else { return false }
    if reached[line] == nil {
      reached[line] = try Self.nodes(
        from: entry.validThrough, of: entry.signer.userID, in: objects)
    }
    return reached[line]?.contains(node.id) ?? false
  }

  /// How many nodes are read together.
  private static let batchCount = 1024

  /// The nodes of a user that some nodes reach.
  private static func nodes(
    from anchors: [ObjectID], of user: UserID, in store: ObjectStore
  ) throws -> Set<ObjectID> {
    var seen = Set(anchors)
    var own = Set<ObjectID>()
    var waiting = Array(seen)
    while !waiting.isEmpty {
      let part = Array(waiting.suffix(batchCount))
      waiting.removeLast(part.count)
      let nodes = Threads.parallelMap(
        part, threads: part.count < 16 ? 1 : Threads.processorCount, makeState: { NodeReader() }
      ) { reader, id -> Result<HistoryNode?, StoreError> in
        do throws(StoreError) {
          guard let object = try reader.storedNode(id, in: store) else { return .success(nil) }
          // The walk continues past a node that breaks a rule.
          return .success((try? HistoryLoad.node(object, &reader))?.0)
        } catch {
          if case .corrupt = error { return .success(nil) }
          return .failure(error)
        }
      }
      for result in nodes {
        switch result {
        case .success(let node):
          guard let node else { continue }
          if node.node?.userID == user { own.insert(node.id) }
          for parent in node.parents where seen.insert(parent).inserted { waiting.append(parent) }
        case .failure(let error): throw error
        }
      }
    }
    return own
  }
}

extension Judged {
  /// Applies what the trust file says about a good signature.
  package mutating func stand(_ trust: inout NodeTrust?) throws {
    guard trust != nil, standing == nil, verdict?.isGood == true, let node, let key else { return }
    standing = try trust?.standing(of: node, by: key)
  }

  /// The same, if no search for nodes that stay good is needed.
  ///
  /// - Returns: `false` when such a search is needed.
  package mutating func stand(_ list: TrustList) -> Bool {
    guard verdict?.isGood == true, let node, let key else { return true }
    if let entry = list.entry(of: key), !entry.validThrough.isEmpty { return false }
    standing = list.standing(of: key, at: node.wall)
    return true
  }
}

extension Effects {
  /// The file that says who may sign: that of `trust.file`, otherwise the store's own.
  ///
  /// - Parameter opened: the store, if there is one.
  /// - Returns: `nil` when neither a store nor a setting has one.
  /// - Throws: `TrustFileFault` when the setting is not a usable path, `ConfigError` when settings cannot be read.
  package func trustFile(_ opened: Repository?) throws -> TrustFile? {
    let config: Config
    if let opened {
      config = opened.store.config
      if let ignored = config.ignored("trust.file") {
        report(.opening(.settingIgnored(key: "trust.file", place: ignored.place)))
      }
    } else {
      config = try Config.loadProtected(surroundings.allConfigSources)
    }
    guard let entry = config.entry("trust.file"), let value = entry.value, !value.isEmpty else {
      return opened.map { .store($0.store.path) }
    }
    if value.hasPrefix("~/") {
      guard let home = surroundings.usual.home else {
        throw TrustFileFault.noHome(value: value)
      }
      return .named(home + value.dropFirst())
    }
    guard value.hasPrefix("/") || entry.origin == .option else {
      throw TrustFileFault.relative(value: value, place: entry.place)
    }
    return .named(resolve(value))
  }

  /// What the trust file says, if there is one.
  ///
  /// That of a store that is not the user's own says nothing: a store does not decide who is trusted.
  ///
  /// - Parameter opened: the store, if there is one.
  /// - Returns: `nil` when there is none: then every good signature is good.
  /// - Throws: `TrustError` when it cannot be read or understood: it never fails open.
  package func trustList(_ opened: Repository?) throws -> TrustList? {
    guard let file = try trustFile(opened),
      file.isNamed || opened?.store.standing.isOwn ?? false
    else { return nil }
    let contents = try file.read()
    guard let contents else { return nil }
    if contents.isExposed {
      report(.opening(.trustFileExposed(path: file.path)))
    }
    return contents.text.list
  }

  /// The same, for nodes of the store.
  package func nodeTrust(_ opened: Repository?) throws -> NodeTrust? {
    try trustList(opened).map { NodeTrust($0, opened?.objects) }
  }
}
