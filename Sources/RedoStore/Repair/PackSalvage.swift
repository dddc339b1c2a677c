// A damaged pack, read as far as it goes, and replaced by one with what could be read.

internal import RedoCrypto
package import RedoObject

/// What can be read of a pack, and what is wrong with it.
package struct PackSalvage: Sendable {
  /// The pack.
  package let pack: Pack
  /// What is wrong with it; empty for a sound one.
  package private(set) var reasons: [String] = []
  /// The nodes that its index mentions, but that no readable frame has.
  package private(set) var lost: [ObjectID] = []
  /// Whether frames cannot be read, and nothing tells which nodes they had.
  package private(set) var hasUnknown = false
  /// Whether other readers find its nodes.
  package private(set) var isOpen = true
  /// The kind of its objects, as its beginning tells.
  private var kind = ObjectKind.node
  private let store: PackStore

  /// Reads a pack.
  ///
  /// - Parameters:
  ///   - pack: the pack.
  ///   - store: the packs among which it is.
  ///   - visit: receives the nodes of each frame that can be read.
  /// - Throws: `system` when it cannot be read at all, such as because it has gone.
  package init(
    _ pack: Pack, of store: PackStore, _ visit: ([StoredObject]) -> Void
  ) throws(SystemError) {
    self.pack = pack
    self.store = store
    var found: Set<ObjectID> = []
    let isUnread = try read { nodes in
      for node in nodes { found.insert(node.id) }
      visit(nodes)
    }
    guard !reasons.isEmpty else { return }
    let folder = try store.openFolder()
    let index = PackIndex.open(in: folder, PackStore.indexName(pack.name), name: pack.name)
    guard let ids = (try? index?.ids(prefix: [])) ?? nil else {
      hasUnknown = isUnread
      return
    }
    lost = ids.filter { !found.contains($0) }
  }

  /// Reads all frames.
  ///
  /// - Returns: whether some of them cannot be read.
  private mutating func read(
    _ visit: ([StoredObject]) -> Void
  ) throws(SystemError) -> Bool {
    let directory: PackDirectory
    do throws(PackError) {
      directory = try pack.directory()
    } catch {
      if case .system(let cause) = error { throw cause }
      isOpen = false
      reasons.append(error.description)
      return try walk(visit)
    }
    kind = directory.kind
    var isUnread = false
    var tally = PackTally(directory.kind)
    var decoder = PlaceDecoder()
    for frame in directory.frames.indices {
      switch nodes(ofFrame: frame) {
      case .success(let nodes):
        visit(nodes)
        let packed = nodes.compactMap { PackEntry($0, &decoder) }
        let fault = tally.add(packed, fileBytes: directory.frames[frame].fileBytes)
        if fault == .twice || packed.count < nodes.count {
          reasons.append("frame \(frame): a node stands in it twice, or what is none")
        }
      case .failure(.system(let cause)): throw cause
      case .failure(let error):
        isUnread = true
        reasons.append("frame \(frame) \(error.description)")
      }
    }
    guard reasons.isEmpty else { return isUnread }
    do throws(PackError) {
      if directory.name != pack.name || tally.finish() != directory {
        throw .corrupt(offset: 0, reason: "what it says of itself is not true of its nodes")
      }
      try pack.checkBytes()
    } catch {
      if case .system(let cause) = error { throw cause }
      reasons.append(error.description)
    }
    return false
  }

  private func nodes(ofFrame frame: Int) -> Result<[StoredObject], PackError> {
    var inflater = FrameInflater()
    do throws(PackError) {
      return .success(try pack.nodes(ofFrame: frame, &inflater))
    } catch {
      return .failure(error)
    }
  }

  /// Reads frames without a directory: each tells where the next one begins.
  ///
  /// - Returns: whether something was passed over.
  private mutating func walk(_ visit: ([StoredObject]) -> Void) throws(SystemError) -> Bool {
    let folder = try store.openFolder()
    let file = try folder.openFile(
      PackStore.fileName(pack.name), .read, [.noFollow, .nonBlocking])
    var inflater = Inflater(.none)
    let head = try Self.head(of: file, &inflater)
    kind = head.kind
    var frames = FrameWalk(behind: head)
    var isUnread = false
    while let bytes = try frames.next(in: file) {
      do throws(PackFault) {
        visit(try FrameDecoder.decode(bytes, head.kind, &inflater).all)
      } catch {
        isUnread = true
      }
    }
    return isUnread || !frames.isAtDirectory
  }

  /// The beginning of a pack; of one that is damaged there, the one behind which a frame can be read.
  private static func head(
    of file: borrowing File, _ inflater: inout Inflater
  ) throws(SystemError) -> PackHead {
    let start = try file.read(PackFormat.headLimit, at: 0)
    if let head = try? PackHead(start) { return head }
    for kind in ObjectKind.packed {
      let head = PackHead(kind)
      var frames = FrameWalk(behind: head)
      guard let bytes = try frames.next(in: file),
        (try? FrameDecoder.decode(bytes, kind, &inflater)) != nil
      else { continue }
      return head
    }
    return PackHead(.node)
  }

  /// Writes the pack anew from what can be read, and moves the damaged one away.
  ///
  /// The caller holds the packs, see `PackStore.hold`. The old pack stays until the new one is there.
  ///
  /// - Parameters:
  ///   - dropped: nodes that are elsewhere, and better.
  ///   - lostFound: where the damaged pack is kept.
  /// - Returns: the number of nodes of the new pack, and the path of the old one below the store.
  /// - Throws: `system`, or `corrupt` when something else came back than was written.
  package func rewrite(
    without dropped: Set<ObjectID>, keeping lostFound: LostFound
  ) throws(PackError) -> (count: Int, kept: String) {
    var failure: PackError?
    var seen: Set<ObjectID> = []
    var decoder = PlaceDecoder()
    do throws(SystemError) {
      let folder = try store.openFolder()
      let name = PackStore.fileName(pack.name)
      var new = try NewPack(in: store, kind)
      _ = try PackSalvage(pack, of: store) { nodes in
        for node in nodes where failure == nil && !dropped.contains(node.id) {
          guard seen.insert(node.id).inserted, let packed = PackEntry(node, &decoder) else {
            continue
          }
          do throws(SystemError) { try new.add(packed) } catch { failure = .system(error) }
        }
      }
      let label = String(name.dropLast(".pack".utf8.count))
      guard failure == nil, let kept = try lostFound.keep(name, in: folder, as: label) else {
        throw .missing(pack.path)
      }
      let count = new.count
      var made: Pack?
      if count > 0 {
        do throws(PackError) { made = try new.finish().pack } catch { failure = error }
      }
      // One of the same name has taken its place.
      if failure == nil, made?.name != pack.name { try store.remove([pack]) }
      if failure == nil {
        try store.refresh(isForced: true)
        // What was dropped is read elsewhere from now on.
        if !dropped.isEmpty { try SignatureMark.renew(in: store.directory, store.syncPolicy) }
        return (count, kept.path)
      }
    } catch {
      throw failure ?? .system(error)
    }
    throw failure ?? .notPack
  }
}
