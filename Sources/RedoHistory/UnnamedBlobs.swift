// The blobs that nothing names. Blobs have no history: one stays because a ref, an object or a row that is noted names it, by
// its digits or a CID, wherever the name stands.

package import RedoObject

/// Blobs that may be removed, as long as nothing is found that names them.
package struct UnnamedBlobs: Sendable {
  /// Those that nothing names as far as is known, and how many bytes each has.
  package private(set) var left: [ObjectID: Int]
  /// Those that are named, and whose own bytes have not been looked at: they may name others.
  private var pending: [ObjectID] = []

  /// Begins with all blobs that may be removed.
  ///
  /// - Parameter blobs: the number of bytes of each.
  package init(_ blobs: [ObjectID: Int]) { left = blobs }

  /// Keeps a blob.
  package mutating func keep(_ id: ObjectID) {
    if left.removeValue(forKey: id) != nil { pending.append(id) }
  }

  /// Keeps what a row names that is noted.
  ///
  /// A row of `blobs` tells of its own bytes, which is no reason to have them; its thumbnail is one.
  ///
  /// - Parameter row: a row that holds.
  package mutating func keep(namedIn row: LocalRow) {
    let own = row.key.table == .blobs ? ObjectID(name: Array(row.key.text.utf8).span) : nil
    for id in Self.names(in: row.line.span, among: left) where id != own { keep(id) }
  }

  /// Keeps what bytes name.
  package mutating func keep(namedIn bytes: Span<UInt8>) {
    for id in Self.names(in: bytes, among: left) { keep(id) }
  }

  /// One of those that are kept and whose bytes have not been looked at; `nil` when there are no more.
  package mutating func next() -> ObjectID? { pending.popLast() }

  /// Those of some objects that bytes name.
  ///
  /// - Parameters:
  ///   - bytes: the bytes.
  ///   - known: the objects.
  /// - Returns: their names, in the order in which they stand there, CIDs first.
  package static func names(
    in bytes: Span<UInt8>, among known: [ObjectID: Int]
  ) -> [ObjectID] {
    guard !known.isEmpty else { return [] }
    var names: [ObjectID] = []
    func visit(_ id: ObjectID) -> Bool {
      if known[id] != nil { names.append(id) }
      return true
    }
    ObjectID.forEachCID(in: bytes, visit)
    ObjectID.forEachDigits(in: bytes, visit)
    return names
  }
}
