// Nodes in an order that is not that of the packs they lie in: each frame is decoded once, at the first of
// its nodes, and the others wait, in memory while there is room, then in a file. So time is linear and
// memory bounded, whatever the two orders are.

internal import RedoCrypto
package import RedoObject

/// The place of a copy of a node.
package struct NodePlace: Sendable {
  /// The number of the pack, -1 for anything else.
  let pack: Int32
  /// The frame of the pack.
  let frame: Int32
  /// The place in the frame.
  let place: Int32

  /// Among the loose objects, or anywhere else where nodes are read one by one.
  package static let loose = NodePlace(pack: -1, frame: 0, place: 0)

  private init(pack: Int32, frame: Int32, place: Int32) {
    self.pack = pack
    self.frame = frame
    self.place = place
  }

  /// In a pack.
  ///
  /// - Parameters:
  ///   - pack: the number of the pack among those that are read.
  ///   - frame: the frame, from 0.
  ///   - place: the place in the frame, from 0.
  package init(pack: Int, frame: Int, place: Int) {
    self.init(pack: Int32(pack), frame: Int32(frame), place: Int32(place))
  }

  /// Whether the copy is a loose object.
  package var isLoose: Bool { pack < 0 }
  /// The number of the pack, if it is in one.
  package var packNumber: Int? { pack < 0 ? nil : Int(pack) }

  /// A frame of a pack.
  struct Frame: Hashable {
    let pack: Int
    let number: Int
  }

  /// The frame in which it is, if it is in a pack.
  var packFrame: Frame? { packNumber.map { Frame(pack: $0, number: Int(frame)) } }
}

/// Reads nodes in a given order.
///
/// It takes about 60 bytes a node, 64 MiB for nodes that wait, and a few frames.
package struct OrderedReading: ~Copyable {
  /// Reads a node that is in none of the packs.
  package typealias Other =
    @Sendable (ObjectID, inout LooseStore.Workspace) throws(StoreError) -> StoredObject?

  private let ids: [ObjectID]
  private let places: [NodePlace]
  private let packs: [Pack]
  private let other: Other
  private let spillDirectory: Directory?
  private let waitingLimit: Int
  /// Why the first copy could not be read that could not.
  package private(set) var failure: StoreError?

  /// The first frame of each pack in a row of all frames.
  private var firstFrames: [Int] = []
  /// The positions of the nodes of each frame side by side, and where those of a frame begin.
  private var starts: [Int32] = []
  private var positions: [Int32] = []
  private var isDecoded: [Bool] = []

  private var next = 0
  private var waiting: [Int: StoredObject] = [:]
  private var waitingBytes = 0
  private var spill: NodeSpill?

  /// The bytes of bodies that wait in memory.
  package static let usualWaitingLimit = 64 << 20
  /// How many nodes are handed on together.
  private static let batchCount = 1024
  private static let framesPerThread = 2

  /// A reading that has not begun.
  ///
  /// - Parameters:
  ///   - ids: the nodes in the order in which they are wanted; one may be repeated, once for each of its
  ///     copies.
  ///   - places: where each of them is to be read.
  ///   - packs: the packs, by the numbers that the places have.
  ///   - directory: the directory for a temporary file; without one, all waiting nodes are in memory.
  ///   - waitingLimit: the bytes of bodies that wait in memory.
  ///   - other: reads a node that is in none of the packs.
  package init(
    _ ids: [ObjectID], _ places: [NodePlace], packs: [Pack],
    spillingIn directory: consuming Directory?,
    waitingLimit: Int = OrderedReading.usualWaitingLimit, other: @escaping Other
  ) {
    precondition(ids.count == places.count, "BUG: a node without a place")
    self.ids = ids
    self.places = places
    self.packs = packs
    self.other = other
    self.waitingLimit = waitingLimit
    spillDirectory = directory
    var frameCount = 0
    var frameCounts = [Int](repeating: 0, count: packs.count)
    for place in places where !place.isLoose {
      frameCounts[Int(place.pack)] = max(frameCounts[Int(place.pack)], Int(place.frame) + 1)
    }
    for count in frameCounts {
      firstFrames.append(frameCount)
      frameCount += count
    }
    isDecoded = Array(repeating: false, count: frameCount)
    starts = Array(repeating: 0, count: frameCount + 1)
    for place in places where !place.isLoose { starts[frame(of: place) + 1] += 1 }
    for frame in 0..<frameCount { starts[frame + 1] += starts[frame] }
    positions = Array(repeating: 0, count: Int(starts[frameCount]))
    var filled = starts
    for (position, place) in places.enumerated() where !place.isLoose {
      let frame = frame(of: place)
      positions[Int(filled[frame])] = Int32(position)
      filled[frame] += 1
    }
  }

  private func frame(of place: NodePlace) -> Int {
    firstFrames[Int(place.pack)] + Int(place.frame)
  }

  /// Whether all nodes have been handed on.
  package var isAtEnd: Bool { next == ids.count }

  /// The next nodes.
  ///
  /// - Returns: some nodes, in the order of the request; empty at the end. A copy that does not exist, or
  ///   cannot be read, is `nil`, and `failure` may give the reason.
  /// - Throws: `system` when the temporary file cannot be written.
  package mutating func read() throws(StoreError) -> [StoredObject?] {
    let batch = next..<min(next + Self.batchCount, ids.count)
    try decodeFrames(of: batch)
    let (ids, other) = (ids, other)
    let loose = batch.filter { places[$0].isLoose }
    let found = Threads.parallelMap(
      loose, threads: loose.count < 16 ? 1 : Threads.processorCount,
      makeState: { LooseStore.Workspace() }
    ) { workspace, position -> Result<StoredObject?, StoreError> in
      do throws(StoreError) {
        return .success(try other(ids[position], &workspace))
      } catch {
        return .failure(error)
      }
    }
    var nodes: [StoredObject?] = []
    nodes.reserveCapacity(batch.count)
    var nextLoose = 0
    for position in batch {
      if places[position].isLoose {
        nodes.append(taken(found[nextLoose]))
        nextLoose += 1
      } else if let node = waiting.removeValue(forKey: position) {
        waitingBytes -= node.canonical.count
        nodes.append(node)
      } else {
        nodes.append(takeBack(position))
      }
    }
    next = batch.upperBound
    return nodes
  }

  private mutating func taken(_ result: Result<StoredObject?, StoreError>) -> StoredObject? {
    switch result {
    case .success(let node): return node
    case .failure(let error):
      failure = failure ?? error
      return nil
    }
  }

  private mutating func takeBack(_ position: Int) -> StoredObject? {
    do throws(StoreError) {
      return try spill?.node(at: position, ids[position]) ?? nil
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  /// Decodes those frames of a batch that have not been, a few at a time.
  private mutating func decodeFrames(of batch: Range<Int>) throws(StoreError) {
    var wanted: [Int] = []
    for position in batch where !places[position].isLoose {
      let frame = frame(of: places[position])
      guard !isDecoded[frame] else { continue }
      isDecoded[frame] = true
      wanted.append(position)
    }
    let threads = Threads.processorCount
    let step = threads * Self.framesPerThread
    let (packs, places) = (packs, places)
    for start in stride(from: 0, to: wanted.count, by: step) {
      let part = Array(wanted[start..<min(start + step, wanted.count)])
      let frames = Threads.parallelMap(
        part, threads: threads, makeState: { FrameInflater() }
      ) { inflater, position -> Result<[StoredObject], PackError> in
        let place = places[position]
        do throws(PackError) {
          return .success(
            try packs[Int(place.pack)].nodes(ofFrame: Int(place.frame), &inflater))
        } catch {
          return .failure(error)
        }
      }
      for (position, result) in zip(part, frames) {
        switch result {
        case .success(let nodes): keep(nodes, ofFrame: frame(of: places[position]))
        case .failure(.system(let error)): failure = failure ?? .system(error)
        case .failure(let error):
          failure =
            failure
            ?? .corrupt(
              ids[position], path: packs[Int(places[position].pack)].path,
              reason: error.description)
        }
      }
      if waitingBytes > waitingLimit { try putAway(from: batch.upperBound) }
    }
  }

  /// Keeps the nodes of a frame that are wanted.
  private mutating func keep(_ nodes: [StoredObject], ofFrame frame: Int) {
    for position in positions[Int(starts[frame])..<Int(starts[frame + 1])] {
      let place = Int(places[Int(position)].place)
      // An index may be one of other nodes.
      guard place < nodes.count, nodes[place].id == ids[Int(position)] else { continue }
      waiting[Int(position)] = nodes[place]
      waitingBytes += nodes[place].canonical.count
    }
  }

  /// Makes room: what is not wanted at once waits in a file.
  private mutating func putAway(from first: Int) throws(StoreError) {
    do throws(SystemError) {
      if spill == nil {
        guard let directory = spillDirectory?.share() else { return }
        spill = .some(try NodeSpill(in: directory, count: ids.count))
      }
      try spill?.add(waiting.filter { $0.key >= first }.sorted { $0.key < $1.key })
    } catch {
      throw .system(error)
    }
    waiting = waiting.filter { $0.key < first }
    waitingBytes = waiting.values.reduce(0) { $0 + $1.canonical.count }
  }
}
