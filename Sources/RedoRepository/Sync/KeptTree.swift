// The digests of all that is compared (RangeTree), kept in `cache/graph.tree` from one exchange to the next: two stores
// that have the same find that out without their histories, whatever the size of these.
//
//   32 bytes   the moment that it is about: SHA-256 of the chain of the refs, the end of the received log, the mark of
//              signatures, and whether nodes without a signature are compared
//   8 bytes    how many nodes the history has, compared or not
//   8 bytes    how many bytes the next part has
//   rows       the nodes that are not compared, as those that are refused (redo-wire(5))
//   the rest   the tree, its top first
//
// Numbers have their lowest byte first. It is kept where no more than a few thousand nodes are not compared.

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

  /// The most nodes that are not compared where a tree is kept.
  package static let heldLimit = 4096
  /// The bytes of a file that has few of them, up to the pieces.
  private static let usualBytes = 65_536

  /// What is known of a history without it.
  package struct Outline: Equatable, Sendable {
    /// How many nodes the history has, compared or not.
    package let historyCount: Int
    /// The nodes that are not compared, and why, in the order of the nodes.
    package let held: [RefusedNode]
    /// The digests of those that are.
    package let top: RangeTree.Top
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

  private var file: CacheFile? {
    CacheFile.open(in: opened.store.directory, "\(Layout.cache)/\(Self.name)")
  }

  /// Whether a tree of a moment was kept, whatever it says.
  func isKept(at moment: Moment) -> Bool {
    file?.beginning(moment.bytes.count) == moment.bytes
  }

  /// What was kept of a moment, but for the pieces.
  package func outline(at moment: Moment) -> Outline? {
    guard let file else { return nil }
    let start = file.beginning(min(Self.usualBytes, file.count))
    if let start, let found = Self.parts(start, moment), let outline = Self.outline(found) {
      return outline
    }
    guard file.count > Self.usualBytes else { return nil }
    return file.payload().flatMap { Self.parts($0, moment) }.flatMap(Self.outline)
  }

  /// The tree of a moment, if it was kept.
  package func tree(at moment: Moment) -> RangeTree? {
    file?.payload().flatMap { Self.parts($0, moment) }
      .flatMap { try? RangeTree(decoding: Array($0.tree)) }
  }

  private typealias Parts = (historyCount: Int, held: [RefusedNode], tree: ArraySlice<UInt8>)

  /// What the bytes of a file say; `nil` when they are about another moment, or of no form.
  private static func parts(_ bytes: [UInt8], _ moment: Moment) -> Parts? {
    let start = moment.bytes.count
    guard bytes.starts(with: moment.bytes), bytes.count >= start + 16,
      let count = Int(exactly: number(bytes, start)),
      let heldBytes = Int(exactly: number(bytes, start + 8)), heldBytes <= bytes.count - start - 16
    else { return nil }
    let end = start + 16 + heldBytes
    var held: [RefusedNode] = []
    if heldBytes > 0 {
      guard let rows = try? RefusedNode.rows(decoding: Array(bytes[start + 16..<end])) else {
        return nil
      }
      held = rows
    }
    return (count, held, bytes[end...])
  }

  private static func outline(_ parts: Parts) -> Outline? {
    guard let top = try? RangeTree.Top(beginning: Array(parts.tree.prefix(RangeTree.topLimit))),
      top.count <= parts.historyCount
    else { return nil }
    return Outline(historyCount: parts.historyCount, held: parts.held, top: top)
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
  }

  /// Keeps the tree of a moment, if the store can be written.
  ///
  /// - Parameters:
  ///   - tree: of what is compared.
  ///   - source: what is compared, and what is not.
  ///   - moment: the moment.
  package func keep(_ tree: RangeTree, of source: HistorySource, at moment: Moment) {
    let held = RefusedNode.bytes(of: source.unfit.rows(limit: nil))
    var bytes = moment.bytes
    for number in [source.historyCount, held.count] {
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
    try? CacheFile.write(
      bytes + held + tree.bytes, in: opened.store.directory, folder: Layout.cache, Self.name)
  }
}

extension HistorySource {
  /// Whether its digests can be kept: few nodes are not compared, and none of them because it cannot be read.
  var canBeKept: Bool { unfit.count <= KeptTree.heldLimit && isReadable }

  /// Whether all nodes that are not compared can be read: otherwise it is no longer true once they come again.
  var isReadable: Bool {
    var isReadable = true
    unfit.forEach { if HeldBack.isUnreadable($0.rule.id) { isReadable = false } }
    return isReadable
  }
}
