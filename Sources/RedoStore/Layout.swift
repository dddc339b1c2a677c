// From names to paths below `.redo` (protocol, section 7). Pure.

internal import RedoCrypto
package import RedoObject

/// The places of a store.
package enum Layout {
  /// The directory that makes a directory a store.
  package static let directoryName = ".redo"
  /// The settings; a directory without them is not a store.
  package static let config = "config"
  /// The directory of objects.
  package static let objects = "objects"
  /// Packs and their indexes.
  package static let packs = "objects/pack"
  /// What is known about the objects as a whole, `alternates` among it.
  package static let objectInfo = "objects/info"
  /// Who may sign.
  package static let trust = "trust"
  /// When remotes first had nodes, as they say; made with the first time.
  package static let created = "created"
  /// Which accounts may see a node; made with the first list.
  package static let access = "access"
  /// What is noted about receipts; made with the first row.
  package static let local = "local"
  /// The secret keys.
  package static let keys = "keys"
  /// What was received and is not yet accepted.
  package static let quarantine = "quarantine"
  /// Packs as they came, until what is in them has been taken in; made when the first one comes.
  package static let incoming = "quarantine/incoming"
  /// Nodes whose parents are not here, as loose objects; made for the first one.
  package static let orphans = "quarantine/orphans"
  /// Programs that are run when nodes are received; created by hand when wanted.
  package static let hooks = "hooks"
  /// What is remembered of a remote that is a Firestore, in the directory of that remote.
  package static let mirror = "firestore"
  /// What is remembered of remotes.
  package static let remotes = "remotes"
  /// What can be derived again.
  package static let cache = "cache"
  /// States of the history, named by what they were made from; created when needed.
  package static let snapshots = "cache/snapshots"
  /// Tokens of services, until they expire; made when there are any.
  package static let tokens = "cache/tokens"
  /// The index in tables of SQLite, in `cache`; made when it is first asked.
  package static let tables = "index.sqlite"
  /// The lock of whoever changes it, in `cache`.
  package static let tablesLock = "index.lock"
  /// Bytes of damaged files; made when there are any.
  package static let lostFound = "lost-found"
  /// What clients of the Firestore subset have written.
  package static let documents = "firestore"
  /// The directories of every store with their permissions, parents first.
  static let directories: [(name: String, mode: UInt32)] = [
    (objects, 0o755), (packs, 0o755), (objectInfo, 0o755), (keys, 0o700), (quarantine, 0o755),
    (remotes, 0o755), (cache, 0o755),
  ]
  /// What the name of a temporary object begins with; such a name is never an object.
  package static let temporaryPrefix = "tmp_obj_"

  /// The directory of a loose object, two hex digits.
  package static func shard(_ id: ObjectID) -> String { shard(id[0]) }

  /// The directory of the loose objects whose digest begins with a byte.
  package static func shard(_ byte: UInt8) -> String {
    String(decoding: [Hex.digit(byte >> 4), Hex.digit(byte & 0x0F)], as: UTF8.self)
  }

  /// The path of a loose object below the directory of objects: `ab/<62 hex>`.
  package static func loose(_ id: ObjectID) -> String {
    // SAFETY: 65 bytes are written, exactly the capacity requested.
    unsafe String(unsafeUninitializedCapacity: ObjectID.hexCount + 1) { buffer in
      var index = 0
      func put(_ byte: UInt8) {
        unsafe buffer[index] = byte
        index += 1
      }
      for position in 0..<32 {
        if position == 1 { put(UInt8(ascii: "/")) }
        put(Hex.digit(id[position] >> 4))
        put(Hex.digit(id[position] & 0x0F))
      }
      return index
    }
  }

  /// The name of a loose object in its shard: 62 hex digits.
  package static func looseName(_ id: ObjectID) -> String {
    // SAFETY: 62 bytes are written, exactly the capacity requested.
    unsafe String(unsafeUninitializedCapacity: ObjectID.hexCount - 2) { buffer in
      for position in 1..<32 {
        unsafe buffer[2 * position - 2] = Hex.digit(id[position] >> 4)
        unsafe buffer[2 * position - 1] = Hex.digit(id[position] & 0x0F)
      }
      return ObjectID.hexCount - 2
    }
  }

  /// The path of a temporary object below the directory of objects: in the shard of the object
  /// that it is going to be.
  ///
  /// - Parameters:
  ///   - id: the object.
  ///   - suffix: random bits, written as 16 hex digits.
  /// - Returns: the path.
  package static func temporary(_ id: ObjectID, _ suffix: UInt64) -> String {
    var path = Array((shard(id) + "/" + temporaryPrefix).utf8)
    for digit in (0..<16).reversed() {
      path.append(Hex.digit(UInt8(truncatingIfNeeded: suffix >> UInt64(4 * digit)) & 0x0F))
    }
    return String(decoding: path, as: UTF8.self)
  }
}
