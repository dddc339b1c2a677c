// Which shards a directory of objects has: where there is no shard there is no loose object, which saves
// the look for it in a store whose objects are packed.

internal import RedoCrypto
internal import Synchronization

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

  /// Whether there may be a shard.
  ///
  /// - Parameters:
  ///   - byte: the first byte of the digests.
  ///   - directory: the directory of objects.
  /// - Returns: `false` only when there is none.
  func mayHave(_ byte: UInt8, in directory: borrowing Directory) -> Bool {
    guard let now = try? directory.ownStatus().modifiedNanoseconds, now != 0 else { return true }
    if modified.load(ordering: .acquiring) != now {
      guard list(directory, now) else { return true }
    }
    // Another thread may have listed a later state meanwhile, which is as good.
    let bits =
      switch byte >> 6 {
      case 0: first.load(ordering: .acquiring)
      case 1: second.load(ordering: .acquiring)
      case 2: third.load(ordering: .acquiring)
      default: fourth.load(ordering: .acquiring)
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
