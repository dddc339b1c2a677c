// Which shards a directory of objects has: without a shard there is no loose object, which saves the look
// for it in a store whose objects are packed.

internal import RedoCrypto
internal import Synchronization

/// The shards of a directory as a thread saw them, for a few reads: a read may give what it would have
/// given just before, and it need not ask the kernel for that each time.
struct SeenShards {
  /// The directory to which these shards belong.
  fileprivate var map: ShardMap?
  fileprivate var shards = Shards()
  /// How many reads may still rely on it.
  fileprivate var left = 0

  /// How many reads rely on one look.
  fileprivate static let readLimit = 64
}

/// Shards, a bit for each first byte of a digest.
private struct Shards {
  var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  func contains(_ byte: UInt8) -> Bool {
    let bits =
      switch byte >> 6 {
      case 0: words.0
      case 1: words.1
      case 2: words.2
      default: words.3
      }
    return bits >> UInt64(byte & 63) & 1 == 1
  }

  mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  /// Lists the shards of a directory; `nil` when it cannot be read.
  static func list(_ directory: borrowing Directory) -> Shards? {
    var shards = Shards()
    let isListed: Void? = try? directory.forEachName { name in
      guard name.count == 2, Hex.value(name[0]) < 16, Hex.value(name[1]) < 16 else { return }
      shards.insert(Hex.value(name[0]) << 4 | Hex.value(name[1]))
    }
    return isListed == nil ? nil : shards
  }
}

/// The shards of a directory of objects, as long as that has not changed.
///
/// A class, because the threads of a pipeline share it.
final class ShardMap: Sendable {
  /// When the directory had changed last as it was listed; 0 when nothing is known.
  private let modified = Atomic<Int64>(0)
  private let lock = Mutex(())
  // A bit a shard.
  private let first = Atomic<UInt64>(0)
  private let second = Atomic<UInt64>(0)
  private let third = Atomic<UInt64>(0)
  private let fourth = Atomic<UInt64>(0)

  /// How long after a change of the directory another change could have the same time.
  static let granularityNanoseconds: Int64 = 2_000_000_000

  /// Whether there may be a shard, or might have been a few reads before.
  ///
  /// - Parameters:
  ///   - byte: the first byte of the digests.
  ///   - directory: the directory of objects.
  ///   - seen: what the thread saw last.
  /// - Returns: `false` only when it did not exist.
  func mayHave(
    _ byte: UInt8, in directory: borrowing Directory, _ seen: inout SeenShards
  ) -> Bool {
    if seen.left == 0 || seen.map !== self {
      seen.map = self
      seen.left = 0
      // What has just changed is listed for these reads alone.
      guard let shards = isCurrent(directory) ? known : Shards.list(directory) else { return true }
      seen.shards = shards
      seen.left = SeenShards.readLimit
    }
    seen.left -= 1
    return seen.shards.contains(byte)
  }

  /// Whether there may be a shard.
  ///
  /// - Parameters:
  ///   - byte: the first byte of the digests.
  ///   - directory: the directory of objects.
  /// - Returns: `false` only when it does not exist.
  func mayHave(_ byte: UInt8, in directory: borrowing Directory) -> Bool {
    // Another thread may have listed a later state meanwhile, which is as good.
    isCurrent(directory) ? known.contains(byte) : true
  }

  /// Whether the current shards are known.
  private func isCurrent(_ directory: borrowing Directory) -> Bool {
    guard let now = try? directory.ownStatus().modifiedNanoseconds, now != 0 else { return false }
    return modified.load(ordering: .acquiring) == now || list(directory, now)
  }

  private var known: Shards {
    Shards(
      words: (
        first.load(ordering: .acquiring), second.load(ordering: .acquiring),
        third.load(ordering: .acquiring), fourth.load(ordering: .acquiring)
      ))
  }

  /// Lists the shards.
  ///
  /// - Returns: whether they are known now: not if the directory has changed just before.
  private func list(_ directory: borrowing Directory, _ changed: Int64) -> Bool {
    guard SystemClock.wallMilliseconds() * 1_000_000 - changed > Self.granularityNanoseconds else {
      return false
    }
    return lock.withLock { _ in
      if modified.load(ordering: .relaxed) == changed { return true }
      modified.store(0, ordering: .relaxed)
      guard let shards = Shards.list(directory) else { return false }
      first.store(shards.words.0, ordering: .relaxed)
      second.store(shards.words.1, ordering: .relaxed)
      third.store(shards.words.2, ordering: .relaxed)
      fourth.store(shards.words.3, ordering: .relaxed)
      modified.store(changed, ordering: .releasing)
      return true
    }
  }
}
