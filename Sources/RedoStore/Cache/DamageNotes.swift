// `cache/damaged`: nodes of the history that could not be read, so that an exchange does not offer them, and whoever has
// them sends them. Who uses a note reads the node again, so a false one costs a read; the file may be deleted at any
// time. One line a node: 64 hex digits.

package import RedoObject

/// The nodes of which it was noted that they cannot be read.
package enum DamageNotes {
  /// The path below the store.
  package static let path = "\(Layout.cache)/\(name)"
  static let name = "damaged"
  /// The most nodes that are noted; more damage than this is for `redo verify`.
  package static let countLimit = 4096
  private static let lineBytes = 65
  private static let temporaryPrefix = "tmp_damaged_"

  /// The nodes that are noted.
  ///
  /// - Parameter directory: the store's directory.
  /// - Returns: their ids in ascending order; none when the file does not exist or cannot be read. Other lines are
  ///   skipped.
  package static func read(in directory: borrowing Directory) -> [ObjectID] {
    let limit = countLimit * lineBytes
    guard let bytes = (try? directory.readFile(path, limit: limit, isFollowing: false)) ?? nil
    else { return [] }
    let ids = bytes.split(separator: UInt8(ascii: "\n")).compactMap { ObjectID(hex: $0.span) }
    return Set(ids).sorted()
  }

  /// Notes these nodes and no others, in one step; failing to write the notes does no harm.
  ///
  /// - Parameters:
  ///   - ids: the nodes; without any, the file is removed.
  ///   - directory: the store's directory.
  package static func write(_ ids: Set<ObjectID>, in directory: borrowing Directory) {
    guard !ids.isEmpty else {
      _ = try? directory.unlink(path)
      return
    }
    var text: [UInt8] = []
    for id in ids.sorted().prefix(countLimit) { text += "\(id.hex)\n".utf8 }
    do throws(SystemError) {
      try directory.makeDirectory(Layout.cache)
      let folder = try directory.openSubdirectory(Layout.cache, isFollowing: false)
      var temporary = try TemporaryFile(in: folder, prefix: temporaryPrefix, mode: 0o644)
      try temporary.file.writeAll(text)
      _ = try temporary.commit(as: name, replacing: .always)
    } catch {}
  }
}
