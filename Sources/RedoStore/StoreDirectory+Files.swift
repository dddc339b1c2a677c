// The files of a store other than its objects, as a whole.

extension StoreDirectory {
  /// What is known about the files of a store.
  package struct Files: Equatable, Sendable {
    /// Their bytes together.
    package let bytes: Int
    /// When the refs, their journal or the received log changed last, in nanoseconds since 1970.
    package let modifiedNanoseconds: Int64
  }

  /// Looks at the settings, the refs with journal and log, the received log, the times of creation and the access lists.
  ///
  /// - Throws: what fstatat(2) answered.
  package func files() throws(SystemError) -> Files {
    var bytes = 0
    var modified: Int64 = 0
    let names = [
      Layout.config, Layout.created, Layout.access, Refs.Name.refs, Refs.Name.journal,
      Refs.Name.reflog, Refs.Name.received,
    ]
    for name in names {
      guard let status = try directory.status(name) else { continue }
      bytes += status.size
      guard ![Layout.config, Layout.created, Layout.access].contains(name) else { continue }
      modified = max(modified, status.modifiedNanoseconds)
    }
    return Files(bytes: bytes, modifiedNanoseconds: modified)
  }
}
