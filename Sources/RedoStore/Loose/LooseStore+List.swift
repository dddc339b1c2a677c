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
  private static func shards(of digits: [UInt8]) -> ClosedRange<UInt8> {
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
    let shard = Layout.shard(byte)
    var ids: [ObjectID] = []
    do throws(SystemError) {
      let directory = try directory.openSubdirectory(shard, isFollowing: false)
      let prefix = Array(shard.utf8)
      try directory.forEachName { name in
        guard name.count == ObjectID.hexCount - 2 else { return }
        var hex = prefix
        hex.append(name)
        if let id = ObjectID(hex: hex.span) { ids.append(id) }
      }
    } catch {
      guard error.isMissing else { throw .system(error) }
    }
    ids.sort()
    for id in ids { visit(id) }
  }
}
