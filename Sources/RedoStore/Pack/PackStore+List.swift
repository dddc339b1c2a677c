// The ids of all packs, in ascending order.

package import RedoObject

extension PackStore {
  /// The ids that begin with some hex digits.
  ///
  /// - Parameter prefix: 0 to 64 lower-case hex digits.
  /// - Returns: the ids in ascending order, each once.
  /// - Throws: `system` when a pack cannot be read.
  package func list(prefix: String) throws(StoreError) -> [ObjectID] {
    let digits = Array(prefix.utf8)
    var ids: [ObjectID] = []
    var count = 0
    // Each pack is asked, and `nil` means no answer: then the next one is asked.
    _ = try search { (pack) throws(PackError) -> Bool? in
      ids += try pack.asking { index throws(PackIndexDamage) in try index.ids(prefix: digits) }
      count += 1
      return nil
    }
    guard count > 1 else { return ids }
    return ids.sortedAndUnique()
  }
}

extension Array where Element == ObjectID {
  /// The ids in ascending order, each once.
  func sortedAndUnique() -> [ObjectID] {
    var unique: [ObjectID] = []
    unique.reserveCapacity(count)
    for id in sorted() where id != unique.last { unique.append(id) }
    return unique
  }
}
