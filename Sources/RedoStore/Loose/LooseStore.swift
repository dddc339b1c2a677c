// Loose objects: one zlib-compressed file each, `objects/ab/<62 hex>` (protocol, section 7).

internal import RedoObject

/// How much a write waits for the disk (`core.fsync`).
package enum SyncPolicy: String, CaseIterable, Sendable {
  /// Nothing is synced: a power cut may lose what was acknowledged, but corrupts nothing.
  case none
  /// One object is synced by itself; many are synced by one syncfs(2) before they get their names.
  case batch
  /// Every file is synced by itself.
  case full
}

/// A directory of loose objects.
///
/// A class, because the threads of a pipeline share its open directory.
package final class LooseStore: Sendable {
  /// The directory `objects`.
  let directory: Directory
  /// The zlib level for new objects, 0 to 9.
  let compressionLevel: Int
  /// How much a write waits for the disk.
  let syncPolicy: SyncPolicy
  /// Where reads and writes are counted, if anybody asks.
  let counters: StoreCounters?
  /// The directory of the store, if what is damaged and replaced is kept there in `lost-found`.
  let keeping: Directory?
  /// Which shards there are.
  let shards = ShardMap()

  /// Opens a directory of objects.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - compressionLevel: the level for new objects, 0 to 9; 1 is git's choice for loose objects, too.
  ///   - syncPolicy: how much a write waits for the disk.
  ///   - counters: where reads and writes are counted.
  ///   - keeping: the directory of the store, in whose `lost-found` damaged files are kept that are replaced.
  /// - Throws: `system` when it cannot be opened.
  package init(
    path: String, compressionLevel: Int = 1, syncPolicy: SyncPolicy = .batch,
    counters: StoreCounters? = nil, keeping: consuming Directory? = nil
  ) throws(StoreError) {
    do throws(SystemError) {
      directory = try Directory.open(path)
    } catch {
      throw .system(error)
    }
    self.compressionLevel = compressionLevel
    self.syncPolicy = syncPolicy
    self.counters = counters
    self.keeping = keeping
  }

  /// The path of the directory.
  package var path: String { directory.path }

  /// The path of an object's file.
  func path(of id: ObjectID) -> String { joinPath(directory.path, Layout.loose(id)) }

  /// Buffers that one thread reuses from one object to the next.
  package struct Workspace: ~Copyable {
    var inflater = Inflater()
    var file: [UInt8] = []
    var inflated = [UInt8](repeating: 0, count: 16_384)
    /// The shards of a directory as they were just before.
    var seen = SeenShards()
    /// Whether nothing but an object with a history is looked for.
    var isForHistory = false
    /// For frames of packs.
    var frames = FrameInflater()

    package init() {}

    /// The bytes of the file that was read last.
    package var fileBytes: Int { file.count }
  }
}

/// Runs a system call's wrapper and wraps its error.
@inline(__always)
func mapSystem<Value: ~Copyable>(
  _ body: () throws(SystemError) -> Value
) throws(StoreError) -> Value {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .system(error)
  }
}
