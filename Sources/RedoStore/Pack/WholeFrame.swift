// A frame on its way from one pack to another, as it is: a frame can be read without any other, so its
// nodes need not be encoded again if all of them are wanted.

package import RedoObject

/// The bytes of a frame that has been decoded.
package struct WholeFrame: Sendable {
  /// All of it, its header included.
  package let bytes: [UInt8]
  /// How many nodes it has.
  package let count: Int

  /// The bodies from which on a frame is worth keeping: with smaller ones a pack only grows.
  private static let canonicalLeast = PackFormat.frameTarget / 4

  /// A frame, checked or not.
  init(_ bytes: [UInt8], count: Int) {
    self.bytes = bytes
    self.count = count
  }

  /// A frame that others have made; `nil` when its nodes had better be encoded again, because it has few of
  /// them or is large for what it has.
  ///
  /// - Parameters:
  ///   - bytes: all of it.
  ///   - nodes: what it gave when it was decoded.
  package init?(_ bytes: [UInt8], of nodes: [StoredObject]) {
    let canonicalBytes = nodes.reduce(0) { $0 + $1.canonical.count }
    guard canonicalBytes >= Self.canonicalLeast, bytes.count <= canonicalBytes / 2 else {
      return nil
    }
    self.init(bytes, count: nodes.count)
  }
}

/// The frames of a store's packs whose nodes are all among some nodes.
///
/// It takes about 20 bytes a node.
package struct WholeFrames: Sendable {
  /// One of them.
  package struct Row: Sendable {
    let pack: Pack
    let frame: Int
    /// Its nodes in their order, by their numbers.
    package let nodes: [Int32]
  }

  /// The frames, in the order of their packs.
  package let rows: [Row]

  /// Reads a frame.
  ///
  /// - Parameters:
  ///   - row: the frame.
  ///   - inflater: the thread's.
  /// - Returns: what it has, and itself unless its nodes had better be encoded again; nothing when it
  ///   cannot be read.
  package static func read(
    _ row: Row, _ inflater: inout FrameInflater
  ) -> (nodes: [StoredObject], frame: WholeFrame?)? {
    do throws(PackError) {
      let (bytes, nodes) = try row.pack.bytes(ofFrame: row.frame, &inflater)
      return nodes.count == row.nodes.count ? (nodes, WholeFrame(bytes, of: nodes)) : nil
    } catch {
      return nil
    }
  }
}

extension ObjectStore {
  /// How many nodes a thread looks for in one go.
  private static let lookCount = 1024

  /// Finds the frames whose nodes are all among some nodes; a node that is also a loose object is read there,
  /// so its frame does not count.
  ///
  /// - Parameters:
  ///   - count: how many nodes there are.
  ///   - id: the id of a node, by its number from 0.
  /// - Returns: the frames, no two of which have a node in common.
  /// - Throws: `system` when packs or loose objects cannot be listed.
  package func wholeFrames(
    of count: Int, _ id: @Sendable (Int) -> ObjectID
  ) throws(StoreError) -> WholeFrames {
    let packs = try mapSystem { () throws(SystemError) in try own.packs.all() } + presentArchives
    guard !packs.isEmpty else { return WholeFrames(rows: []) }
    let loose = Set(try primary.list(prefix: ""))
    let sizes = packs.map { pack in ((try? pack.directory().frames) ?? []).map(\.nodes) }
    var found: [[[Int32]]] = sizes.map { Array(repeating: [], count: $0.count) }
    let starts = Array(stride(from: 0, to: count, by: Self.lookCount))
    let places = Threads.parallelMap(
      starts, threads: Threads.processorCount, makeState: { NodeFinder(packs, packs.indices) }
    ) { finder, start -> [NodePlace?] in
      (start..<min(start + Self.lookCount, count)).map { number in
        let id = id(number)
        return loose.isEmpty || !loose.contains(id) ? finder.place(of: id) : nil
      }
    }
    for (number, place) in places.joined().enumerated() {
      guard let place, let frame = place.packFrame, frame.number < sizes[frame.pack].count
      else { continue }
      let size = sizes[frame.pack][frame.number]
      guard place.place < size else { continue }
      if found[frame.pack][frame.number].isEmpty {
        found[frame.pack][frame.number] = Array(repeating: -1, count: size)
      }
      found[frame.pack][frame.number][Int(place.place)] = Int32(number)
    }
    var rows: [WholeFrames.Row] = []
    for (pack, frames) in zip(packs, found) {
      for (frame, nodes) in frames.enumerated() where !nodes.isEmpty && !nodes.contains(-1) {
        rows.append(WholeFrames.Row(pack: pack, frame: frame, nodes: nodes))
      }
    }
    return WholeFrames(rows: rows)
  }
}
