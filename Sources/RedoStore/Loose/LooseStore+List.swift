// The names of loose objects, in ascending order.

internal import RedoCrypto
package import RedoObject

extension LooseStore {
  package func list(prefix: String) throws(StoreError) -> [ObjectID] {
    let digits = Array(prefix.utf8)
    precondition(digits.count <= ObjectID.hexCount, "BUG: a prefix longer than an id")
    var ids: [ObjectID] = []
    for byte in Self.shards(of: digits) {
      try forEachName(inShard: byte) { id in
        if digits.count <= 2 || id.hex.utf8.starts(with: digits) { ids.append(id) }
      }
    }
    return ids
  }

  /// The first bytes of the ids that begin with some hex digits.
  static func shards(of digits: [UInt8]) -> ClosedRange<UInt8> {
    guard let first = digits.first else { return 0...255 }
    let high = Hex.value(first) << 4
    guard digits.count > 1 else { return high...high | 0x0F }
    let byte = high | Hex.value(digits[1])
    return byte...byte
  }

  /// Visits the objects of one shard in ascending order.
  package func forEachName(
    inShard byte: UInt8, _ visit: (ObjectID) -> Void
  ) throws(StoreError) {
    guard let shard = try openShard(byte) else { return }
    for id in shard.ids { visit(id) }
  }

  /// The directory of the objects whose digest begins with one byte, opened and listed.
  package struct Shard: ~Copyable {
    let directory: Directory
    /// The objects' names, in ascending order.
    package let ids: [ObjectID]
    /// Whether the listing itself showed that each of them is a regular file.
    let isAllRegular: Bool
  }

  /// Opens and lists a shard.
  ///
  /// - Parameter byte: the first byte of the digests.
  /// - Returns: `nil` when there is no shard.
  /// - Throws: `system` when it cannot be read.
  package func openShard(_ byte: UInt8) throws(StoreError) -> Shard? {
    let name = Layout.shard(byte)
    let prefix = Array(name.utf8)
    var ids: [ObjectID] = []
    do throws(SystemError) {
      let opened = try directory.openSubdirectory(name, isFollowing: false)
      var isAllRegular = true
      try opened.forEachEntry { name, isRegular in
        guard name.count == ObjectID.hexCount - 2 else { return }
        var hex = prefix
        hex.append(name)
        guard let id = ObjectID(hex: hex.span) else { return }
        ids.append(id)
        if !isRegular { isAllRegular = false }
      }
      ids.sort()
      return Shard(directory: opened, ids: ids, isAllRegular: isAllRegular)
    } catch {
      guard error.isMissing else { throw .system(error) }
      return nil
    }
  }
}
