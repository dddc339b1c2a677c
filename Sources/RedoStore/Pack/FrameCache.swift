// Decoded frames, kept while there is room: one node costs its whole frame, and what is asked next
// often stands in the same.

internal import RedoObject
internal import Synchronization

/// The decoded frames of all packs that a process reads, the least recently used leave first.
///
/// A class, because all threads share it.
package final class FrameCache: Sendable {
  /// Which frame of which pack.
  struct Key: Hashable {
    /// The serial number of the pack in this process.
    let pack: UInt64
    let frame: Int
  }

  /// A frame that is there, or being decoded.
  ///
  /// A class, because those who wait for a frame wait for this one.
  private final class Slot: Sendable {
    let nodes = Mutex<[StoredObject]?>(nil)
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
  /// What a frame counts at least: there is more to it than its bodies.
  private static let leastBytes = 4096
  /// What a node counts besides its body.
  private static let nodeBytes = 160

  /// The most bytes of decoded frames that are kept.
  package let limitBytes: Int
  private let state = Mutex(State())

  /// A cache of nothing.
  ///
  /// - Parameter limitBytes: the most bytes that are kept; a frame at hand is always there.
  package init(limitBytes: Int = usualLimitBytes) { self.limitBytes = limitBytes }

  /// The nodes of a frame; of those who want the same frame one decodes it, the others wait.
  ///
  /// - Parameters:
  ///   - key: which frame.
  ///   - decode: reads and decodes it.
  /// - Returns: its nodes.
  /// - Throws: what decoding throws; nothing is kept then.
  func nodes(
    _ key: Key, _ decode: () throws(PackError) -> [StoredObject]
  ) throws(PackError) -> [StoredObject] {
    let slot = slot(key)
    let (found, isNew) = try slot.nodes.withLock {
      (nodes: inout sending [StoredObject]?) throws(PackError) -> ([StoredObject], Bool) in
      if let nodes { return (nodes, false) }
      do throws(PackError) {
        let made = try decode()
        nodes = made
        return (made, true)
      } catch {
        forget(key, slot)
        throw error
      }
    }
    if isNew { keep(key, slot, found) }
    return found
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
      if state.entries[key]?.slot === slot { state.entries[key] = nil }
    }
  }

  /// Counts a frame that was decoded, and lets others go.
  private func keep(_ key: Key, _ slot: Slot, _ nodes: [StoredObject]) {
    let bytes = nodes.reduce(Self.leastBytes) { $0 + $1.canonical.count + Self.nodeBytes }
    state.withLock { state in
      guard state.entries[key]?.slot === slot else { return }
      state.entries[key]?.bytes = bytes
      state.bytes += bytes
      while state.bytes > limitBytes {
        // Frames are few: a limit of 96 MiB holds some hundreds of full ones.
        guard
          let oldest = state.entries.filter({ $0.value.bytes > 0 }).min(by: {
            $0.value.used < $1.value.used
          })
        else { return }
        state.bytes -= oldest.value.bytes
        state.entries[oldest.key] = nil
      }
    }
  }

  /// Forgets all frames of a pack that is not read any more.
  func forget(pack: UInt64) {
    state.withLock { state in
      for (key, entry) in state.entries where key.pack == pack {
        state.bytes -= entry.bytes
        state.entries[key] = nil
      }
    }
  }
}
