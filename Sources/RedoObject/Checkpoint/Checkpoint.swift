// A checkpoint: what a store says about its history at one moment, in the form of c2sp.org/tlog-checkpoint.
//
//   redo/<store id>                          the origin: which log this is
//   <entries>                                how many nodes and receipts were received, one after another
//   <root>                                   base64 of the root of their Merkle tree (RFC 6962)
//   entry <n> <chain>                        the last change of the refs, and the hash over all of them
//   refs <count> <sha256>                    the refs after it
//   previous <id> | previous -               the checkpoint before
//   time <YYYY-MM-DDTHH:MM:SS.mmmZ>          when it was made
//
// and, since they were made to say so, for each kind of objects what the history has of it (HistoryStatement).
//
// A leaf of the tree is the id of a node or receipt, 32 bytes, and the time when it was received, in milliseconds
// since 1970 as 8 bytes, most significant first.

package import RedoCrypto

/// The name of a store: 16 random bytes that it gets when it is made.
package struct StoreID: Hashable, Sendable {
  /// The bytes, first to last.
  package let bytes: InlineArray<16, UInt8>

  /// Reads 32 lower-case hex digits.
  package init?(hex: Span<UInt8>) {
    guard let bytes = Hex.decode16(hex) else { return nil }
    self.bytes = bytes
  }

  /// Reads 32 lower-case hex digits.
  package init?(text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(hex: bytes.span)
  }

  /// 32 hex digits.
  package var text: String { Hex.text(bytes.span) }

  package static func == (left: StoreID, right: StoreID) -> Bool {
    (0..<16).allSatisfy { left.bytes[$0] == right.bytes[$0] }
  }

  package func hash(into hasher: inout Hasher) {
    for index in 0..<16 { hasher.combine(bytes[index]) }
  }
}

/// What a store says about its history at one moment.
package struct Checkpoint: Equatable, Sendable {
  /// What the origin begins with.
  static let originPrefix = "redo/"

  /// The store.
  package var store: StoreID
  /// The number of nodes and receipts that were received.
  package var size: Int
  /// The root of their Merkle tree.
  package var root: Digest
  /// The number of the last change of the refs, 0 at first.
  package var entry: Int
  /// The hash over all changes of the refs, 32 zeros at first.
  package var chain: Digest
  /// The number of refs.
  package var refCount: Int
  /// The SHA-256 of all refs, a line each: `<id> SP <name> LF`.
  package var refsDigest: Digest
  /// The checkpoint before.
  package var previous: ObjectID?
  /// When it was made.
  package var time: WallTime
  /// What the history has, for each kind that is stated, ascending; none in checkpoints of earlier releases.
  package var statements: [HistoryStatement]

  /// A checkpoint of all its parts.
  package init(
    store: StoreID, size: Int, root: Digest, entry: Int, chain: Digest, refCount: Int,
    refsDigest: Digest, previous: ObjectID?, time: WallTime, statements: [HistoryStatement] = []
  ) {
    self.store = store
    self.size = size
    self.root = root
    self.entry = entry
    self.chain = chain
    self.refCount = refCount
    self.refsDigest = refsDigest
    self.previous = previous
    self.time = time
    self.statements = statements
  }

  /// The log that it belongs to: the first line.
  package var origin: String { Self.originPrefix + store.text }

  /// The hash of a leaf.
  ///
  /// - Parameters:
  ///   - id: the node or receipt.
  ///   - milliseconds: when it was received, since 1970.
  /// - Returns: the hash of 40 bytes, as a Merkle tree takes it.
  package static func leaf(_ id: ObjectID, received milliseconds: Int64) -> Digest {
    let time = UInt64(bitPattern: milliseconds)
    let data = InlineArray<40, UInt8> { index in
      index < 32 ? id[index] : UInt8(truncatingIfNeeded: time >> UInt64(8 * (39 - index)))
    }
    return MerkleTree.leafHash(data.span)
  }
}

/// A checkpoint as a note whose signatures have been verified.
package struct SignedCheckpoint: Equatable, Sendable {
  /// What it says.
  package let checkpoint: Checkpoint
  /// The note.
  package let note: SignedNote
  /// The keys whose signatures hold, in the order of the note, at least one; the first made it.
  package let signers: [PublicKey]

  init(checkpoint: Checkpoint, note: SignedNote, signers: [PublicKey]) {
    precondition(!signers.isEmpty, "BUG: a checkpoint that nobody has signed")
    self.checkpoint = checkpoint
    self.note = note
    self.signers = signers
  }

  /// The key that made it.
  package var signer: PublicKey { signers[0] }

  /// The name of the note as an object.
  package var id: ObjectID { ObjectID(digest: SHA256.digest(of: note.bytes.span)) }
}
