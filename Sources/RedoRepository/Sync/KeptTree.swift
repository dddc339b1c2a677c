// The digests of all that is compared (RangeTree), kept in `cache/graph.tree` from one exchange to the next: two stores
// that have the same find that out without their histories, whatever the size of these.
//
//   32 bytes   the moment that it is about: SHA-256 of the chain of the refs, the end of the received log, the mark of
//              signatures, and whether nodes without a signature are compared
//   the rest   the tree, its top first
//
// It is kept where all nodes of the history are compared.

internal import RedoCrypto
internal import RedoObject
package import RedoRemote
internal import RedoStore

/// The tree of a store that is kept.
package struct KeptTree {
  /// The name of its file.
  package static let name = "graph.tree"

  private let opened: Repository
  private let allowsUnsigned: Bool

  /// The kept tree of a store.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - allowsUnsigned: whether nodes without a signature are compared.
  package init(_ opened: Repository, allowsUnsigned: Bool) {
    self.opened = opened
    self.allowsUnsigned = allowsUnsigned
  }

  /// What a tree depends on.
  package struct Moment: Equatable, Sendable {
    fileprivate let bytes: [UInt8]
  }

  /// The present moment; `nil` when nothing can be kept or believed.
  ///
  /// - Throws: `RefsError` when the refs cannot be read.
  package func moment() throws -> Moment? {
    guard opened.usesCache, let mark = try? opened.objects.signatureMark() else { return nil }
    let snapshot = try opened.snapshot()
    guard snapshot.receivedBytes > 0,
      let last = try opened.store.received.lastBytes(to: snapshot.receivedBytes)
    else { return nil }
    var hash = SHA256()
    hash.update(Array("redo-tree-1 \(snapshot.receivedBytes) \(allowsUnsigned) ".utf8).span)
    hash.update(snapshot.chain.bytes.span)
    hash.update(last.span)
    hash.update(mark.span)
    var bytes: [UInt8] = []
    bytes.append(hash.finalize().bytes.span)
    return Moment(bytes: bytes)
  }

  /// The first bytes of a tree of a moment, if one was kept.
  private func bytes(at moment: Moment, limit: Int) -> [UInt8]? {
    let path = "\(Layout.cache)/\(Self.name)"
    guard let file = CacheFile.open(in: opened.store.directory, path),
      let bytes = file.beginning(min(moment.bytes.count + min(limit, file.count), file.count)),
      bytes.starts(with: moment.bytes)
    else { return nil }
    return Array(bytes.dropFirst(moment.bytes.count))
  }

  /// Whether a tree of a moment was kept, whatever it says.
  func isKept(at moment: Moment) -> Bool { bytes(at: moment, limit: 0) != nil }

  /// The top of the tree of a moment, if it was kept.
  package func top(at moment: Moment) -> RangeTree.Top? {
    bytes(at: moment, limit: RangeTree.topLimit).flatMap { try? RangeTree.Top(beginning: $0) }
  }

  /// The tree of a moment, if it was kept.
  package func tree(at moment: Moment) -> RangeTree? {
    bytes(at: moment, limit: .max).flatMap { try? RangeTree(decoding: $0) }
  }

  /// Keeps the tree of a moment, if the store can be written.
  package func keep(_ tree: RangeTree, at moment: Moment) {
    try? CacheFile.write(
      moment.bytes + tree.bytes, in: opened.store.directory, folder: Layout.cache, Self.name)
  }
}
