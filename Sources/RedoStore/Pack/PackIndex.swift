// Where each node is in a pack: derived from the pack, and beside it (redo-pack(5)). A file of blocks that are
// checked when they are first used (Cache/CacheFile.swift), whose payload is
//
//   4 bytes     the number of frames
//   4 bytes     the number of nodes
//   32 bytes    the name of the pack
//   256 * 4     how many ids begin with this byte or a smaller one
//   32 each     the ids, in ascending order
//   6 each      in the same order: the frame (4), and the place among its nodes (2)
//
// Numbers are little-endian. Only ids and the borders of frames are in it, so it fits every pack of
// that name whose frames have these borders, however their columns are compressed.

package import RedoCrypto
package import RedoObject

/// Bytes of an index that differ from those that were written.
package struct PackIndexDamage: Error, Equatable, Sendable {}

/// The ids of a pack and their places.
///
/// A class, because threads share its bytes.
@safe
package final class PackIndex: Sendable {
  /// The place of a node.
  package struct Place: Equatable, Sendable {
    /// The frame, from 0.
    package let frame: Int
    /// The place among the nodes of the frame, from 0.
    package let place: Int

    /// A place.
    package init(frame: Int, place: Int) {
      self.frame = frame
      self.place = place
    }
  }

  /// Where the payload is.
  private enum Storage: Sendable {
    case file(CacheFile)
    case memory(PackIndexBytes)
  }

  /// The name of the pack.
  package let name: Digest
  /// The frames of the pack.
  package let frameCount: Int
  /// The nodes that the index knows.
  package let nodeCount: Int
  private let storage: Storage
  /// The first byte of the payload, which lives as long as the storage.
  private nonisolated(unsafe) let base: UnsafeRawPointer

  private static let fanOutStart = 40
  private static let idStart = fanOutStart + 256 * 4
  private static let idBytes = 32
  private static let placeBytes = 6
  /// How often the place of an id is guessed before the rest is halved.
  private static let guessLimit = 4

  /// Opens the index of a pack.
  ///
  /// - Parameters:
  ///   - directory: its directory.
  ///   - file: its name there.
  ///   - name: the name of the pack.
  /// - Returns: `nil` when there is no usable index of that pack.
  package static func open(
    in directory: borrowing Directory, _ file: String, name: Digest
  ) -> PackIndex? {
    guard let cache = CacheFile.open(in: directory, file), cache.check(0..<idStart) else {
      return nil
    }
    return PackIndex(.file(cache), name: name)
  }

  /// An index in memory.
  ///
  /// - Parameters:
  ///   - payload: what `PackIndexBuilder` has made.
  ///   - name: the name of the pack.
  convenience init(payload: [UInt8], name: Digest) {
    guard let made = PackIndexBytes(payload) else { preconditionFailure("BUG: an empty index") }
    self.init(memory: made, name: name)
  }

  private init(memory: PackIndexBytes, name: Digest) {
    storage = .memory(memory)
    unsafe base = memory.base
    self.name = name
    frameCount = Int(unsafe Self.number(memory.base, at: 0))
    nodeCount = Int(unsafe Self.number(memory.base, at: 4))
  }

  private init?(_ storage: Storage, name: Digest) {
    guard case .file(let file) = storage else { return nil }
    self.storage = storage
    let base = unsafe file.base
    unsafe self.base = base
    frameCount = Int(unsafe Self.number(base, at: 0))
    nodeCount = Int(unsafe Self.number(base, at: 4))
    self.name = name
    // A frame has a node at least.
    guard frameCount <= nodeCount,
      file.count == Self.idStart + nodeCount * (Self.idBytes + Self.placeBytes),
      unsafe Self.digest(base, at: 8) == name
    else { return nil }
    // Ascending, and up to the number of nodes: then every range of ids lies within the file.
    var last: UInt32 = 0
    for byte in 0..<256 {
      let next = unsafe Self.number(base, at: Self.fanOutStart + 4 * byte)
      guard next >= last else { return nil }
      last = next
    }
    guard Int(last) == nodeCount else { return nil }
  }

  private func check(_ range: Range<Int>) throws(PackIndexDamage) {
    guard case .file(let file) = storage else { return }
    guard file.check(range) else { throw PackIndexDamage() }
  }

  // SAFETY of these three: the callers stay within the payload, whose size `init` has compared with
  // the numbers in it.
  private static func number(_ base: UnsafeRawPointer, at offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private static func digest(_ base: UnsafeRawPointer, at offset: Int) -> Digest {
    unsafe Digest(
      bytes: base.loadUnaligned(fromByteOffset: offset, as: InlineArray<32, UInt8>.self))
  }

  private func id(_ number: Int) -> ObjectID {
    ObjectID(digest: unsafe Self.digest(base, at: Self.idStart + number * Self.idBytes))
  }

  /// The numbers of the ids that begin with one of some bytes; the ids are not checked yet.
  private func range(_ bytes: ClosedRange<UInt8>) -> Range<Int> {
    func end(_ byte: Int) -> Int {
      byte < 0 ? 0 : Int(unsafe Self.number(base, at: Self.fanOutStart + 4 * byte))
    }
    return end(Int(bytes.lowerBound) - 1)..<end(Int(bytes.upperBound))
  }

  /// Checks the ids of some numbers.
  private func check(ids numbers: Range<Int>) throws(PackIndexDamage) {
    try check(
      Self.idStart + numbers.lowerBound * Self.idBytes..<Self.idStart + numbers.upperBound
        * Self.idBytes)
  }

  /// The numbers of the ids that begin with one of some bytes, checked.
  private func numbers(_ bytes: ClosedRange<UInt8>) throws(PackIndexDamage) -> Range<Int> {
    let range = range(bytes)
    try check(ids: range)
    return range
  }

  private func place(_ number: Int) throws(PackIndexDamage) -> Place {
    let start = Self.idStart + nodeCount * Self.idBytes + number * Self.placeBytes
    try check(start..<start + Self.placeBytes)
    // SAFETY: within the payload, as above.
    let place = unsafe UInt16(
      littleEndian: base.loadUnaligned(fromByteOffset: start + 4, as: UInt16.self))
    let frame = Int(unsafe Self.number(base, at: start))
    guard frame < frameCount else { throw PackIndexDamage() }
    return Place(frame: frame, place: Int(place))
  }

  /// The place of a node.
  ///
  /// - Parameter id: the node.
  /// - Returns: `nil` when it is not in the pack.
  /// - Throws: when the bytes that tell are damaged.
  /// - Complexity: O(log n).
  package func place(of id: ObjectID) throws(PackIndexDamage) -> Place? {
    // Of the ids that begin like this one, only those are checked that are looked at: they are as good as the
    // others for what follows from their order.
    let range = range(id[0]...id[0])
    let base = unsafe base
    let start = Self.start(of: id)
    var (low, high) = (range.lowerBound, range.upperBound)
    // What precedes and follows the rest that is left.
    var (below, above) = (UInt64(id[0]) << 56, UInt64(id[0]) << 56 | 0xFF_FFFF_FFFF_FFFF)
    var looks = 0
    while low < high {
      var next = (low + high) / 2
      // Ids are distributed evenly: the first probes are where this one should be within the rest.
      if looks < Self.guessLimit, above > below {
        let part = Double(start - below) / Double(above - below)
        next = min(high - 1, low + Int(part * Double(high - low)))
      }
      looks += 1
      try check(ids: next..<next + 1)
      let found = unsafe UInt64(
        bigEndian: base.loadUnaligned(
          fromByteOffset: Self.idStart + next * Self.idBytes, as: UInt64.self))
      if found == start, self.id(next) == id { return try place(next) }
      let isBefore = found == start ? self.id(next) < id : found < start
      if isBefore {
        (low, below) = (next + 1, found)
      } else {
        (high, above) = (next, found)
      }
    }
    return nil
  }

  /// The first 8 bytes of an id as a number that has the same order.
  static func start(of id: ObjectID) -> UInt64 {
    let bytes = id.digest.bytes
    return unsafe UInt64(
      bigEndian: unsafeBitCast(bytes, to: (UInt64, UInt64, UInt64, UInt64).self).0)
  }

  /// The ids that begin with some hex digits, in ascending order.
  ///
  /// - Parameter prefix: 0 to 64 lower-case hex digits.
  /// - Returns: the ids.
  /// - Throws: when the bytes that tell are damaged.
  package func ids(prefix: [UInt8]) throws(PackIndexDamage) -> [ObjectID] {
    var ids: [ObjectID] = []
    for number in try numbers(LooseStore.shards(of: prefix)) {
      let id = self.id(number)
      if prefix.count <= 2 || id.hex.utf8.starts(with: prefix) { ids.append(id) }
    }
    return ids
  }

  /// Visits all ids with their places, in ascending order.
  ///
  /// - Parameter visit: receives them.
  /// - Throws: when the bytes that tell are damaged.
  package func forEach(_ visit: (ObjectID, Place) -> Void) throws(PackIndexDamage) {
    for number in try numbers(0...255) { visit(id(number), try place(number)) }
  }

  /// The ids by frame, in the order of the pack.
  ///
  /// - Returns: for each frame its ids.
  /// - Throws: when the bytes that tell are damaged, or two nodes have the same place.
  package func idsByFrame() throws(PackIndexDamage) -> [[ObjectID]] {
    var frames = [[(place: Int, id: ObjectID)]](repeating: [], count: frameCount)
    for number in try numbers(0...255) {
      let place = try place(number)
      frames[place.frame].append((place.place, id(number)))
    }
    return frames.map { frame in frame.sorted { $0.place < $1.place }.map(\.id) }
  }

  /// The bytes of the payload, for a file or to be compared.
  ///
  /// - Throws: when they are damaged.
  package func payload() throws(PackIndexDamage) -> [UInt8] {
    let count = Self.idStart + nodeCount * (Self.idBytes + Self.placeBytes)
    try check(0..<count)
    // SAFETY: the size of the payload was compared with the number of nodes.
    return unsafe Array(UnsafeRawBufferPointer(start: base, count: count))
  }
}

/// A payload in memory.
///
/// A class, because the memory has one owner and is shared by threads.
@safe
final class PackIndexBytes: Sendable {
  nonisolated(unsafe) let base: UnsafeRawPointer

  init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return nil }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 8)
    // SAFETY: the new memory has room for exactly these bytes.
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress {
        unsafe memory.copyMemory(from: start, byteCount: bytes.count)
      }
    }
    unsafe base = UnsafeRawPointer(memory)
  }

  deinit {
    // SAFETY: what was allocated, given back once.
    unsafe base.deallocate()
  }
}
