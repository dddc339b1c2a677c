// Which shards a directory of objects has: where there is no shard there is no loose object, which saves
// the look for it in a store whose objects are packed.

internal import RedoCrypto
internal import Synchronization

/// The shards of a directory as a thread saw them, for a few reads: a read may give what it would have
/// given just before, and it need not ask the kernel for that each time.
struct SeenShards {
  /// Whose shards these are.
  fileprivate var map: ShardMap?
  fileprivate var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  /// How many reads may still rely on it.
  fileprivate var left = 0

  /// How many reads rely on one look.
  fileprivate static let readLimit = 64
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

  /// How long after a change of the directory another one could have the same time.
  static let granularityNanoseconds: Int64 = 2_000_000_000

  /// Whether there may be a shard, or might have been a few reads before.
  ///
  /// - Parameters:
  ///   - byte: the first byte of the digests.
  ///   - directory: the directory of objects.
  ///   - seen: what the thread saw last.
  /// - Returns: `false` only when there was none.
  func mayHave(
    _ byte: UInt8, in directory: borrowing Directory, _ seen: inout SeenShards
  ) -> Bool {
    if seen.left == 0 || seen.map !== self {
      seen.map = self
      seen.left = 0
      guard isCurrent(directory) else { return true }
      seen.words = words
      seen.left = SeenShards.readLimit
    }
    seen.left -= 1
    return Self.has(byte, seen.words)
  }

  /// Whether there may be a shard.
  ///
  /// - Parameters:
  ///   - byte: the first byte of the digests.
  ///   - directory: the directory of objects.
  /// - Returns: `false` only when there is none.
  func mayHave(_ byte: UInt8, in directory: borrowing Directory) -> Bool {
    // Another thread may have listed a later state meanwhile, which is as good.
    isCurrent(directory) ? Self.has(byte, words) : true
  }

  /// Whether the shards are known as they are now.
  private func isCurrent(_ directory: borrowing Directory) -> Bool {
    guard let now = try? directory.ownStatus().modifiedNanoseconds, now != 0 else { return false }
    return modified.load(ordering: .acquiring) == now || list(directory, now)
  }

  private var words: (UInt64, UInt64, UInt64, UInt64) {
    (
      first.load(ordering: .acquiring), second.load(ordering: .acquiring),
      third.load(ordering: .acquiring), fourth.load(ordering: .acquiring)
    )
  }

  private static func has(_ byte: UInt8, _ words: (UInt64, UInt64, UInt64, UInt64)) -> Bool {
    let bits =
      switch byte >> 6 {
      case 0: words.0
      case 1: words.1
      case 2: words.2
      default: words.3
      }
    return bits >> UInt64(byte & 63) & 1 == 1
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
      var bits: [UInt64] = [0, 0, 0, 0]
      let isListed: Void? = try? directory.forEachName { name in
        guard name.count == 2, Hex.value(name[0]) < 16, Hex.value(name[1]) < 16 else { return }
        let byte = Hex.value(name[0]) << 4 | Hex.value(name[1])
        bits[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
      }
      guard isListed != nil else { return false }
      first.store(bits[0], ordering: .relaxed)
      second.store(bits[1], ordering: .relaxed)
      third.store(bits[2], ordering: .relaxed)
      fourth.store(bits[3], ordering: .relaxed)
      modified.store(changed, ordering: .releasing)
      return true
    }
  }
}
