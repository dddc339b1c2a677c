// A secret in a file of the user's own, such as the backup of a key.

package import RedoCrypto

/// Files outside of a store.
package enum SecretFile {
  /// Writes a file of mode 0600: its name appears when it is whole.
  ///
  /// - Parameters:
  ///   - secret: the contents.
  ///   - path: where to.
  ///   - replacing: what to do when it is taken.
  ///   - sync: what to sync.
  /// - Returns: `false` when it was taken and stays.
  /// - Throws: what a system call answered.
  package static func write(
    _ secret: borrowing SecretBytes, to path: String, _ replacing: Replacing, _ sync: SyncPolicy
  ) throws(SystemError) -> Bool {
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let around = slash.map { String(decoding: bytes[...$0], as: UTF8.self) } ?? "."
    let name = String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    let directory = try Directory.open(around)
    if case .never = replacing, try directory.status(name) != nil { return false }
    var temporary = try TemporaryFile(in: directory, prefix: "\(name).tmp_", mode: 0o600)
    try temporary.file.writeAll(secret)
    if sync.isSyncing { try temporary.file.sync() }
    let isDone: Bool
    switch replacing {
    case .never: isDone = try temporary.commit(as: name, replacing: .never)
    case .always: isDone = try temporary.commit(as: name, replacing: .always)
    }
    if isDone, sync.isSyncing { try directory.sync() }
    return isDone
  }
}
