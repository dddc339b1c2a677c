// `cache/living`: nodes that have no DELETE of their task and nothing broken among their ancestors (protocol,
// section 2), so that a new node can follow them without a look at all their ancestors. A node's ancestors never
// change, so this stays true for ever; the file may be deleted at any time.
//
//   65,536 slots of 40 bytes, chosen by the first two bytes of the id:
//   id 32, the first 8 bytes of the SHA-256 of `redo-living 1 ` and the id

internal import RedoCrypto
package import RedoObject

/// What is remembered of nodes that can be followed.
package struct LivingNotes: ~Copyable, Sendable {
  static let name = "living"
  /// The path below the store.
  package static let path = "\(Layout.cache)/\(name)"
  private static let slotCount = 40
  /// What else the check depends on: another number when other nodes count as broken.
  private static let domain = "redo-living 1 "

  private let file: File?

  /// Opens the notes of a store; where they cannot be opened, nothing is known and nothing kept.
  ///
  /// - Parameter directory: the store's directory.
  package init(in directory: borrowing Directory) {
    let path = Self.path
    let options: File.Options = [.create, .noFollow, .nonBlocking]
    do throws(SystemError) {
      file = try directory.openFile(path, .readWrite, options)
    } catch {
      // The folder may have been removed with all that was in it.
      _ = try? directory.makeDirectory(Layout.cache)
      file = try? directory.openFile(path, .readWrite, options)
    }
  }

  /// Whether it is known that a node can be followed.
  package func contains(_ id: ObjectID) -> Bool {
    guard let slot = try? file?.read(Self.slotCount, at: Self.offset(of: id)) else { return false }
    return slot == Self.slot(of: id)
  }

  /// Notes that a node can be followed; failing to write the note does no harm.
  package func note(_ id: ObjectID) {
    try? file?.writeAll(Self.slot(of: id).span, at: Self.offset(of: id))
  }

  /// How many slots contain something that was never written as a whole; they are skipped.
  ///
  /// - Parameter directory: the store's directory.
  /// - Returns: the number of such slots; 1 when the file cannot be read, or is too long.
  static func damagedCount(in directory: borrowing Directory) -> Int {
    slots(in: directory)?.damaged ?? 1
  }

  /// All nodes that are noted.
  ///
  /// - Parameter directory: the store's directory.
  /// - Returns: their ids; none when there is no such file, or it cannot be read.
  package static func all(in directory: borrowing Directory) -> [ObjectID] {
    slots(in: directory)?.ids ?? []
  }

  /// Reads all slots.
  ///
  /// - Returns: the nodes, and the number of slots that contain something else; `nil` when there is no such file, or
  ///   it is too long.
  private static func slots(
    in directory: borrowing Directory
  ) -> (ids: [ObjectID], damaged: Int)? {
    let limit = 65_536 * slotCount
    guard let bytes = (try? directory.readFile(path, limit: limit, isFollowing: false)) ?? nil
    else { return nil }
    var (ids, damaged): ([ObjectID], Int) = ([], 0)
    for start in stride(from: 0, to: bytes.count, by: slotCount) {
      let slot = Array(bytes[start..<min(start + slotCount, bytes.count)])
      if slot.allSatisfy({ $0 == 0 }) { continue }
      guard slot.count == slotCount,
        let own = Digest(raw: slot.span.extracting(first: 32)).map({ ObjectID(digest: $0) }),
        slot == Self.slot(of: own), start == offset(of: own)
      else {
        damaged += 1
        continue
      }
      ids.append(own)
    }
    return (ids, damaged)
  }

  private static func offset(of id: ObjectID) -> Int {
    (Int(id[0]) << 8 | Int(id[1])) * slotCount
  }

  private static func slot(of id: ObjectID) -> [UInt8] {
    var slot: [UInt8] = []
    id.appendRaw(to: &slot)
    let check = SHA256.digest(of: (Array(domain.utf8) + slot).span)
    for index in 0..<8 { slot.append(check.bytes[index]) }
    return slot
  }
}
