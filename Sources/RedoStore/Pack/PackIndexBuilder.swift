// From the ids of a pack's frames to its index.

package import RedoCrypto
package import RedoObject

/// Collects the ids of a pack, frame by frame.
///
/// It takes 40 bytes a node, and as much again when it ends.
package struct PackIndexBuilder: Sendable {
  private struct Entry {
    let id: ObjectID
    let frame: UInt32
    let place: UInt16
  }

  private var entries: [Entry] = []
  private var frameCount = 0

  /// An index of nothing.
  package init() {}

  /// Takes the ids of the next frame; none for a frame that cannot be read.
  package mutating func add(_ ids: some Sequence<ObjectID>) {
    for (place, id) in ids.enumerated() {
      entries.append(Entry(id: id, frame: UInt32(frameCount), place: UInt16(place)))
    }
    frameCount += 1
  }

  /// The index; of a node that is in it twice, the first place counts.
  ///
  /// - Parameter name: the name of the pack.
  /// - Returns: the index, in memory.
  package consuming func finish(name: Digest) -> PackIndex {
    // The first 8 bytes of an id all but always decide, and are compared in one step.
    struct Key {
      let start: UInt64
      let entry: Int
    }
    let all = entries
    var keys: [Key] = all.indices.map { Key(start: PackIndex.start(of: all[$0].id), entry: $0) }
    keys.sort { one, other in
      guard one.start == other.start else { return one.start < other.start }
      let ids = (all[one.entry].id, all[other.entry].id)
      return ids.0 == ids.1 ? one.entry < other.entry : ids.0 < ids.1
    }
    var order: [Int] = []
    order.reserveCapacity(keys.count)
    for key in keys {
      if let last = order.last, all[last].id == all[key.entry].id { continue }
      order.append(key.entry)
    }
    var payload: [UInt8] = []
    payload.reserveCapacity(40 + 1024 + order.count * 38)
    payload.append(littleEndian: UInt64(frameCount), bytes: 4)
    payload.append(littleEndian: UInt64(order.count), bytes: 4)
    payload.append(name.bytes.span)
    var counts = [UInt64](repeating: 0, count: 256)
    for entry in order { counts[Int(all[entry].id[0])] += 1 }
    var sum: UInt64 = 0
    for count in counts {
      sum += count
      payload.append(littleEndian: sum, bytes: 4)
    }
    for entry in order { all[entry].id.appendRaw(to: &payload) }
    for entry in order {
      payload.append(littleEndian: UInt64(all[entry].frame), bytes: 4)
      payload.append(littleEndian: UInt64(all[entry].place), bytes: 2)
    }
    return PackIndex(payload: payload, name: name)
  }
}

extension PackIndex {
  /// A frame that cannot be read.
  package struct Unreadable: Sendable {
    /// The frame, from 0.
    package let frame: Int
    /// Why.
    package let error: PackError
  }

  /// Builds the index of a pack by decoding all of it, frame by frame.
  ///
  /// - Parameter reader: the pack.
  /// - Returns: the index of what can be read, and the frames that cannot.
  package static func build(
    _ reader: borrowing PackReader
  ) -> (index: PackIndex, unreadable: [Unreadable]) {
    var builder = PackIndexBuilder()
    var unreadable: [Unreadable] = []
    let frames = Array(reader.directory.frames.indices)
    let name = reader.directory.name
    let found = Self.decode(frames, reader)
    for (frame, result) in zip(frames, found) {
      switch result {
      case .success(let ids): builder.add(ids)
      case .failure(let error):
        builder.add([])
        unreadable.append(Unreadable(frame: frame, error: error))
      }
    }
    return (builder.finish(name: name), unreadable)
  }

  private static func decode(
    _ frames: [Int], _ reader: borrowing PackReader
  ) -> [Result<[ObjectID], PackError>] {
    var inflater = FrameInflater()
    var results: [Result<[ObjectID], PackError>] = []
    for frame in frames {
      do throws(PackError) {
        results.append(.success(try reader.nodes(ofFrame: frame, &inflater).map(\.id)))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }
}
