// Decoded frames, kept while there is room: reading one node means decoding its frame, and the next node is
// often in the same one.

internal import RedoObject
internal import Synchronization

/// What a thread reads frames with: an inflater, and the frames that it has used.
package struct FrameInflater: ~Copyable {
  var inflater = Inflater(.none)
  /// Frames of the cache, so that a frame that is used again is found without a lock.
  fileprivate var used: [FrameCache.Key: CachedFrame] = [:]
  fileprivate var last: CachedFrame?
  fileprivate var lastKey = FrameCache.Key(pack: 0, frame: 0)
  /// The place of the node that was read last in the last frame.
  var lastPlace = 0
  /// How many frames more are decoded only as far as they are needed: most of those who read single nodes read few
  /// of them, and others lose half the work of some frames.
  fileprivate var partCount = 16
  /// How many frames had left the cache when the first of these was noted.
  fileprivate var evictions = 0
  /// The packs of a directory as they were known last.
  var packs = KnownPacks()

  /// An inflater that has decoded nothing yet.
  package init() {}

  /// How far from the node that was read last another is looked for without asking an index.
  private static let nearCount = 8

  /// A node that stands near the one that was read last, if it is there: reading in the order of a pack, or
  /// against it, needs no index.
  mutating func near(_ id: ObjectID, of pack: UInt64) -> StoredObject? {
    guard lastKey.pack == pack, let last else { return nil }
    let start = lastPlace
    for distance in 1...Self.nearCount {
      if let node = last.nodes.node(id, at: start + distance) {
        lastPlace = start + distance
        return node
      }
      if let node = last.nodes.node(id, at: start - distance) {
        lastPlace = start - distance
        return node
      }
    }
    return nil
  }
}

/// A decoded frame.
///
/// A class, because the cache and all readers share it.
final class CachedFrame: Sendable {
  let nodes: FrameNodes

  init(_ nodes: FrameNodes) { self.nodes = nodes }
}

/// The decoded frames of all packs that a process reads, the least recently used leave first.
///
/// A class, because all threads share it.
package final class FrameCache: Sendable {
  /// A frame of a pack.
  struct Key: Hashable {
    /// The serial number of the pack in this process, from 1.
    let pack: UInt64
    let frame: Int
  }

  /// A frame that has been decoded, or is being decoded.
  ///
  /// A class, because those who wait for a frame wait for this object.
  private final class Slot: Sendable {
    let frame = Mutex<CachedFrame?>(nil)
  }

  private struct Entry {
    let slot: Slot
    var used: UInt64
    var bytes: Int
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var bytes = 0
    var clock: UInt64 = 0
  }

  /// The usual limit: 96 MiB, as that of git's core.deltaBaseCacheLimit.
  package static let usualLimitBytes = 96 << 20
  /// What a frame counts at least.
  private static let leastBytes = 4096

  /// The most bytes of the bodies in the frames that are kept.
  package let limitBytes: Int
  private let state = Mutex(State())
  private let evictions = Atomic<Int>(0)

  /// A cache of nothing.
  ///
  /// - Parameter limitBytes: the most bytes of bodies that are kept.
  package init(limitBytes: Int = usualLimitBytes) { self.limitBytes = limitBytes }

  /// A frame; of several callers that want the same one, one decodes it while the others wait.
  ///
  /// - Parameters:
  ///   - key: which frame.
  ///   - place: the place of the node that is wanted; perhaps not all that follow it are there.
  ///   - inflater: the thread's.
  ///   - decode: reads the frame, and decodes it up to a place, or the whole of it.
  /// - Returns: the frame.
  /// - Throws: what decoding throws; nothing is kept then.
  func frame(
    _ key: Key, _ place: Int, _ inflater: inout FrameInflater,
    _ decode: (Int?, inout FrameInflater) throws(PackError) -> FrameNodes
  ) throws(PackError) -> CachedFrame {
    // As long as nothing has left the cache, what a thread holds is in it.
    let evictions = evictions.load(ordering: .relaxed)
    if inflater.evictions == evictions {
      if inflater.lastKey == key, let last = inflater.last, last.nodes.reaches(place) {
        return last
      }
      if let frame = inflater.used[key], frame.nodes.reaches(place) {
        inflater.lastKey = key
        inflater.last = frame
        return frame
      }
    } else {
      inflater.used = [:]
      inflater.evictions = evictions
    }
    let frame = try sharedFrame(key, place, &inflater, decode)
    inflater.used[key] = frame
    inflater.lastKey = key
    inflater.last = frame
    return frame
  }

  private func sharedFrame(
    _ key: Key, _ place: Int, _ inflater: inout FrameInflater,
    _ decode: (Int?, inout FrameInflater) throws(PackError) -> FrameNodes
  ) throws(PackError) -> CachedFrame {
    let slot = slot(key)
    let (frame, isNew) = try slot.frame.withLock {
      (frame: inout CachedFrame?) throws(PackError) -> (CachedFrame, Bool) in
      if let frame, frame.nodes.reaches(place) { return (frame, false) }
      let isPart = frame == nil && inflater.partCount > 0
      if isPart { inflater.partCount -= 1 }
      do throws(PackError) {
        let made = CachedFrame(try decode(isPart ? place : nil, &inflater))
        frame = made
        return (made, true)
      } catch {
        forget(key, slot)
        throw error
      }
    }
    if isNew { keep(key, slot, frame) }
    return frame
  }

  private func slot(_ key: Key) -> Slot {
    state.withLock { state in
      state.clock += 1
      if let entry = state.entries[key] {
        state.entries[key]?.used = state.clock
        return entry.slot
      }
      let slot = Slot()
      state.entries[key] = Entry(slot: slot, used: state.clock, bytes: 0)
      return slot
    }
  }

  private func forget(_ key: Key, _ slot: Slot) {
    state.withLock { state in
      guard let entry = state.entries[key], entry.slot === slot else { return }
      state.bytes -= entry.bytes
      state.entries[key] = nil
    }
  }

  /// Counts a frame that was decoded, and lets others go.
  private func keep(_ key: Key, _ slot: Slot, _ frame: CachedFrame) {
    let bytes = frame.nodes.bodies.count
    state.withLock { state in
      guard let entry = state.entries[key], entry.slot === slot else { return }
      state.entries[key]?.bytes = max(bytes, Self.leastBytes)
      state.bytes += max(bytes, Self.leastBytes) - entry.bytes
      while state.bytes > limitBytes {
        // Frames are few: a limit of 96 MiB holds some hundreds of full ones.
        guard
          let oldest = state.entries.filter({ $0.value.bytes > 0 }).min(by: {
            $0.value.used < $1.value.used
          })
        else { return }
        state.bytes -= oldest.value.bytes
        state.entries[oldest.key] = nil
        evictions.add(1, ordering: .relaxed)
      }
    }
  }

  /// Forgets all frames of a pack that is no longer read.
  func forget(pack: UInt64) {
    state.withLock { state in
      for (key, entry) in state.entries where key.pack == pack {
        state.bytes -= entry.bytes
        state.entries[key] = nil
      }
      evictions.add(1, ordering: .relaxed)
    }
  }
}
