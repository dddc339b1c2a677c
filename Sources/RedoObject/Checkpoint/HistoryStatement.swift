// What a checkpoint says of the objects of a history, whatever their order, so that any copy can be held against it:
//
//   objects <kind> <count> <sha256>          the ids, ascending, a line each
//   heads <kind> <count> <sha256>            the same of those that no other one names as a parent

package import RedoCrypto

/// Which objects of one kind a history has.
package struct HistoryStatement: Equatable, Sendable {
  /// The kind: its word, which a later release may have added.
  package let kind: String
  /// How many there are.
  package let count: Int
  /// The SHA-256 of their ids, ascending, a line each.
  package let digest: Digest
  /// How many of them no other one names as a parent.
  package let headCount: Int
  /// The SHA-256 of the ids of these.
  package let headsDigest: Digest

  init(kind: String, count: Int, digest: Digest, headCount: Int, headsDigest: Digest) {
    self.kind = kind
    self.count = count
    self.digest = digest
    self.headCount = headCount
    self.headsDigest = headsDigest
  }

  /// States some objects.
  ///
  /// - Parameters:
  ///   - kind: their kind.
  ///   - ids: all of them, ascending.
  ///   - heads: those that no other one names as a parent, ascending.
  package init(_ kind: ObjectKind, ids: [ObjectID], heads: [ObjectID]) {
    self.init(
      kind: kind.name.description, count: ids.count, digest: Self.digest(of: ids),
      headCount: heads.count, headsDigest: Self.digest(of: heads))
  }

  /// The SHA-256 of ids, a line each.
  ///
  /// - Parameter ids: ascending.
  /// - Returns: what `sha256sum` says of a file of these lines.
  package static func digest(of ids: [ObjectID]) -> Digest {
    var hash = SHA256()
    var lines: [UInt8] = []
    for id in ids {
      id.append(to: &lines)
      lines.append(UInt8(ascii: "\n"))
      guard lines.count >= 1 << 16 else { continue }
      hash.update(lines.span)
      lines.removeAll(keepingCapacity: true)
    }
    hash.update(lines.span)
    return hash.finalize()
  }

  /// Its two lines.
  var lines: String {
    "objects \(kind) \(count) \(Hex.text(digest.bytes.span))\n"
      + "heads \(kind) \(headCount) \(Hex.text(headsDigest.bytes.span))\n"
  }
}
