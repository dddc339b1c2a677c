// What lies in the directory of objects and is none, for whoever checks or cleans a store.

internal import RedoObject

extension LooseStore {
  /// The temporaries that writers have left or are about to name, as paths below the directory.
  package func temporaries() throws(StoreError) -> [String] {
    var paths: [String] = []
    for byte in UInt8.min...UInt8.max {
      let shard = Layout.shard(byte)
      do throws(SystemError) {
        let names = try directory.openSubdirectory(shard, isFollowing: false).list()
        for name in names.sorted() where name.hasPrefix(Layout.temporaryPrefix) {
          paths.append(shard + "/" + name)
        }
      } catch {
        guard error.isMissing else { throw .system(error) }
      }
    }
    return paths
  }
}
