// Writes a pack, frame by frame. It makes bytes and does nothing with them.

package import RedoCrypto
package import RedoObject

/// Makes the bytes of a pack from objects of one kind in their order.
///
/// A few frames are waiting at a time, and are encoded on all processors.
package struct PackWriter: ~Copyable {
  private var tally: PackTally
  private let kind: ObjectKind
  private var hash = SHA256()
  /// The hash of all bytes before it, which ends a finished pack.
  package private(set) var checksum: Digest?
  private var output: [UInt8] = []
  /// Full frames.
  private var waiting: [[PackEntry]] = []
  /// The frame that is being filled.
  private var nodes: [PackEntry] = []
  private var canonicalBytes = 0

  /// How hard short forms are looked for.
  package enum Effort: Sendable {
    /// As hard as zlib can: for packs that are kept for long, or sent far.
    case best
    /// Just so that it pays: what is written in a hurry, and packed again some day.
    case quick
  }

  private let effort: Effort
  private let threads: Int
  private static let framesPerThread = 4

  /// A pack of no objects yet.
  ///
  /// - Parameters:
  ///   - kind: the kind of its objects.
  ///   - effort: how hard short forms are looked for.
  ///   - threads: on how many threads frames are encoded; the bytes do not depend on it.
  package init(
    _ kind: ObjectKind = .node, effort: Effort = .best, threads: Int = Threads.processorCount
  ) {
    self.kind = kind
    tally = PackTally(kind)
    self.effort = effort
    self.threads = threads
    append(PackHead(kind).bytes)
  }

  /// Makes room for what is noted of nodes.
  ///
  /// - Parameter count: how many are to come.
  package mutating func expect(_ count: Int) { tally.reserve(count) }

  private mutating func append(_ bytes: [UInt8]) {
    hash.update(bytes.span)
    output += bytes
  }

  /// Adds a node: each once, and in an archive the whole set in the order of redo-pack(5), parents
  /// before children.
  package mutating func add(_ node: PackEntry) {
    let bytes = node.object.canonical.count
    precondition(
      node.object.kind == kind && bytes <= PackFormat.nodeLimit,
      "BUG: a pack is given what is of another kind")
    if !nodes.isEmpty,
      canonicalBytes + bytes > PackFormat.frameTarget || nodes.count == PackFormat.frameNodeLimit
    {
      endFrame()
    }
    nodes.append(node)
    canonicalBytes += bytes
  }

  /// Adds a frame as it is, between those of other nodes.
  ///
  /// - Parameters:
  ///   - frame: its bytes, which have been decoded and gave these nodes.
  ///   - nodes: what is in it, in its order: each once in the pack.
  package mutating func add(frame: [UInt8], _ nodes: [PackEntry]) {
    if !self.nodes.isEmpty { waiting.append(self.nodes) }
    self.nodes = []
    canonicalBytes = 0
    encode()
    let fault = tally.add(nodes, fileBytes: frame.count)
    precondition(fault != .twice, "BUG: \(fault?.rawValue ?? "")")
    append(frame)
  }

  private mutating func endFrame() {
    waiting.append(nodes)
    nodes = []
    canonicalBytes = 0
    if waiting.count >= threads * Self.framesPerThread { encode() }
  }

  /// What frames are made with.
  private struct Tools: ~Copyable {
    var deflaters: PackDeflaters
    var inflater = Inflater(.none)
  }

  private mutating func encode() {
    guard !waiting.isEmpty else { return }
    let (kind, effort) = (kind, effort)
    let frames = Threads.parallelMap(
      waiting, threads: threads, makeState: { Tools(deflaters: PackDeflaters(effort)) }
    ) {
      tools, nodes in
      FrameEncoder.frame(nodes.map(\.object), kind, &tools.deflaters, &tools.inflater)
    }
    for (nodes, frame) in zip(waiting, frames) {
      let fault = tally.add(nodes, fileBytes: frame.count)
      precondition(fault != .twice, "BUG: \(fault?.rawValue ?? "")")
      append(frame)
    }
    waiting = []
  }

  /// The bytes that were made since they were taken last.
  package mutating func take() -> [UInt8] {
    let bytes = output
    output = []
    return bytes
  }

  /// Makes the rest of the pack; `take` gives it.
  ///
  /// - Returns: the directory.
  package mutating func finish() -> PackDirectory {
    if !nodes.isEmpty { waiting.append(nodes) }
    nodes = []
    encode()
    let offset = tally.nextOffset
    var done = PackTally(kind)
    swap(&done, &tally)
    let directory = done.finish()
    var bytes: [UInt8] = []
    directory.append(to: &bytes)
    bytes.append(littleEndian: UInt64(offset), bytes: 8)
    append(bytes)
    var sum = SHA256()
    swap(&sum, &hash)
    let digest = sum.finalize()
    output.append(digest.bytes.span)
    checksum = digest
    return directory
  }
}
