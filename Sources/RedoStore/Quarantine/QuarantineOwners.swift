// `quarantine/owners`: which account has sent the nodes that wait for their parents, so that none of them fills the
// quarantine. Only what is counted depends on it: where it is missing or damaged, what waits counts for nobody.
//
//   redo-owners 1\n
//   rows of 40 bytes: the 32 of an id, 4 of the account, 4 with how many bytes the node has; big-endian
//   32 bytes: SHA-256 of all before
//
// It is replaced as a whole. A row is there before its node is; one whose node is not there means nothing.

internal import RedoCrypto
package import RedoObject

/// An account, as far as the quarantine tells accounts apart.
package struct QuarantineOwner: Hashable, Sendable {
  /// The first 32 bits of the SHA-256 of its name.
  let number: UInt32

  /// - Parameter account: its name; empty for whoever reaches a server without accounts.
  package init(account: String) {
    let digest = SHA256.digest(of: Array(account.utf8).span)
    number = (0..<4).reduce(0) { $0 << 8 | UInt32(digest.bytes[$1]) }
  }

  init(number: UInt32) { self.number = number }

  /// The account whose pack has a name.
  init?(packName name: String) {
    guard let number = UInt32(name.prefix(8), radix: 16) else { return nil }
    self.number = number
  }

  /// What the names of its packs begin with.
  var digits: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}

/// The accounts that have sent the nodes that wait.
package struct QuarantineOwners: Equatable, Sendable {
  /// The name of the file.
  static let name = "owners"
  /// The most bytes of the file.
  static let byteLimit = firstLine.count + Quarantine.nodeLimit * rowBytes + Digest.byteCount
  private static let firstLine = Array("redo-owners 1\n".utf8)
  private static let rowBytes = 40

  /// A node that waits.
  package struct Row: Equatable, Sendable {
    /// Who sent it.
    package let owner: QuarantineOwner
    /// The bytes of the node.
    package let byteCount: Int
  }

  private var rows: [ObjectID: Row] = [:]

  /// None.
  package init() {}

  /// Reads the file.
  ///
  /// - Parameter bytes: all of it; `nil` results when it is not as it was written.
  package init?(decoding bytes: [UInt8]) {
    let count = bytes.count - Self.firstLine.count - Digest.byteCount
    guard count >= 0, count.isMultiple(of: Self.rowBytes), bytes.starts(with: Self.firstLine)
    else { return nil }
    let body = bytes.dropLast(Digest.byteCount)
    let check = bytes.suffix(Digest.byteCount)
    guard Digest(raw: check.span) == SHA256.digest(of: body.span) else { return nil }
    for start in stride(from: Self.firstLine.count, to: body.count, by: Self.rowBytes) {
      let raw = bytes[start..<start + Digest.byteCount]
      guard let digest = Digest(raw: raw.span) else { return nil }
      func number(_ place: Int) -> UInt32 {
        bytes[start + place..<start + place + 4].reduce(0) { $0 << 8 | UInt32($1) }
      }
      rows[ObjectID(digest: digest)] = Row(
        owner: QuarantineOwner(number: number(32)), byteCount: Int(number(36)))
    }
  }

  /// The file.
  package var bytes: [UInt8] {
    var bytes = Self.firstLine
    for (id, row) in rows.sorted(by: { $0.key < $1.key }) {
      id.appendRaw(to: &bytes)
      for number in [row.owner.number, UInt32(clamping: row.byteCount)] {
        for shift: UInt32 in [24, 16, 8, 0] {
          bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
      }
    }
    let digest = SHA256.digest(of: bytes.span)
    for index in 0..<Digest.byteCount { bytes.append(digest.bytes[index]) }
    return bytes
  }

  /// Notes a node.
  package mutating func put(_ id: ObjectID, _ owner: QuarantineOwner, byteCount: Int) {
    rows[id] = Row(owner: owner, byteCount: byteCount)
  }

  /// Leaves out what does not wait any more.
  package mutating func keep(_ waiting: Set<ObjectID>) {
    rows = rows.filter { waiting.contains($0.key) }
  }

  /// How many bytes an account has waiting.
  package func bytes(of owner: QuarantineOwner) -> Int {
    rows.values.reduce(0) { $0 + ($1.owner == owner ? $1.byteCount : 0) }
  }

  /// Whether nothing is noted.
  package var isEmpty: Bool { rows.isEmpty }
}
