// `quarantine/documents/<64 hex>.json`: documents of a remote that are not nodes, as they came, so that people can
// see what is wrong with them. Nothing else reads them.

internal import RedoCrypto
package import RedoObject

/// Documents that could not be taken in.
///
/// A class, because everything that fills it shares the open directory.
package final class QuarantinedDocuments: Sendable {
  /// Its name in the quarantine.
  package static let name = "documents"
  private static let ending = ".json"
  private static let temporaryPrefix = "tmp_doc_"
  /// The most documents that are kept: a writer of broken documents cannot fill the disk.
  package static let countLimit = 10_000
  /// The most bytes of one that is read: a document has 1 MiB, in JSON a little more.
  package static let byteLimit = 16 << 20

  /// The store's directory.
  private let store: Directory
  private let sync: SyncPolicy

  /// The documents of a store.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - sync: what to sync.
  package init(in store: borrowing Directory, _ sync: SyncPolicy) {
    self.store = store.share()
    self.sync = sync
  }

  /// Its place in a store.
  static let path = "\(Layout.quarantine)/\(name)"

  /// What a name in it means.
  @Sendable static func meaning(_ name: String) -> CheckedName {
    let digits = Array(name.utf8.dropLast(ending.utf8.count))
    return name.hasSuffix(ending) && ObjectID(hex: digits.span) != nil ? .file : .unknown
  }

  private func folder() throws(SystemError) -> Directory? {
    guard try store.status(Self.path)?.kind == .directory else { return nil }
    return try store.openSubdirectory(Self.path, isFollowing: false)
  }

  private static func file(_ id: ObjectID) -> String { id.text.dropFirst(7) + ending }

  /// Keeps a document; one of the same name is replaced.
  ///
  /// - Parameters:
  ///   - bytes: its original form.
  ///   - id: the node's id, or the hash that replaces it.
  /// - Throws: what the calls answered. Beyond the limit nothing is kept.
  package func write(_ bytes: [UInt8], _ id: ObjectID) throws(SystemError) {
    try store.makeDirectory(Layout.quarantine)
    let isNew = try store.makeDirectory(Self.path)
    guard let folder = try folder() else { return }
    let name = Self.file(id)
    if try folder.status(name) == nil, try folder.list().count >= Self.countLimit { return }
    var temporary = try TemporaryFile(in: folder, prefix: Self.temporaryPrefix, mode: 0o600)
    try temporary.file.writeAll(bytes)
    if sync.isSyncing { try temporary.file.sync() }
    _ = try temporary.commit(as: name, replacing: .always)
    guard sync.isSyncing else { return }
    try folder.sync()
    if isNew {
      try store.openSubdirectory(Layout.quarantine, isFollowing: false).sync()
    }
  }

  /// The ids of the documents that are kept, in ascending order.
  ///
  /// - Throws: what the calls answered.
  package func ids() throws(SystemError) -> [ObjectID] {
    guard let folder = try folder() else { return [] }
    return try folder.list().compactMap { name in
      guard name.hasSuffix(Self.ending) else { return nil }
      return ObjectID(hex: Array(name.utf8.dropLast(Self.ending.utf8.count)).span)
    }.sorted()
  }

  /// A document; `nil` when it does not exist.
  ///
  /// - Parameter id: what `ids` gave.
  /// - Returns: its bytes.
  /// - Throws: what the calls answered.
  package func read(_ id: ObjectID) throws(SystemError) -> [UInt8]? {
    try folder()?.readFile(Self.file(id), limit: Self.byteLimit, isFollowing: false)
  }

  /// Removes documents, and what an interrupted run has left if all are removed.
  ///
  /// - Parameters:
  ///   - ids: what `ids` gave.
  ///   - withLeftovers: whether unfinished files go, too.
  /// - Throws: what unlink(2) answered.
  package func remove(_ ids: [ObjectID], withLeftovers: Bool) throws(SystemError) {
    guard let folder = try folder() else { return }
    for id in ids { try folder.unlink(Self.file(id)) }
    guard withLeftovers else { return }
    for name in try folder.list() where name.hasPrefix(Self.temporaryPrefix) {
      try folder.unlink(name)
    }
  }
}
