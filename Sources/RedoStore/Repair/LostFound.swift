// `lost-found/`: what was in the place of something that was repaired. Nothing in it is ever read or replaced;
// people may delete it after a look at it.

internal import RedoObject

/// The place for what is put aside.
///
/// A class, because it holds an open directory that cannot be copied, and is shared by all repairs.
package final class LostFound: Sendable {
  private let directory: Directory
  private let sync: SyncPolicy
  /// The present, as names have it.
  private let time: String

  /// Opens the directory, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - store: the store's directory.
  ///   - milliseconds: the present, since 1970.
  ///   - sync: what to wait for.
  /// - Throws: when it cannot be made or opened.
  package init(
    in store: borrowing Directory, at milliseconds: Int64, _ sync: SyncPolicy
  ) throws(SystemError) {
    if try store.makeDirectory(Layout.lostFound), sync.isSyncing { try store.sync() }
    directory = try store.openSubdirectory(Layout.lostFound, isFollowing: false)
    self.sync = sync
    time = Self.name(of: milliseconds)
  }

  /// Keeps what has a name: by a second name of it, so that the first can be replaced in one step, or,
  /// where it can have none, such as a directory, by a move.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - place: the directory of the name.
  ///   - label: what it is, the beginning of the new name.
  /// - Returns: the path below the store's directory, and whether the old name is free now; `nil` when
  ///   nothing has the name.
  /// - Throws: what the calls answered; the old name stays then.
  func keep(
    _ name: String, in place: borrowing Directory, as label: String
  ) throws(SystemError) -> (path: String, isMoved: Bool)? {
    guard let kind = try place.status(name)?.kind else { return nil }
    var isMoved = kind == .directory
    var new = "\(label)-\(time)"
    var number = 1
    while true {
      let isKept: Bool
      if isMoved {
        isKept = try place.move(name, into: directory, as: new)
      } else {
        do throws(SystemError) {
          isKept = try place.link(name, into: directory, as: new)
        } catch {
          guard error.isUnlinkable else { throw error }
          isMoved = true
          continue
        }
      }
      if isKept { break }
      number += 1
      new = "\(label)-\(time)-\(number)"
    }
    if sync.isSyncing {
      // Something that cannot be opened, such as a link, has no bytes of its own to sync.
      if kind == .regular, let file = try? directory.openFile(new, .read, [.noFollow]) {
        try file.sync()
      }
      try directory.sync()
    }
    return (joinPath(Layout.lostFound, new), isMoved)
  }

  /// A time as names have it: `20261121T225244123Z`.
  private static func name(of milliseconds: Int64) -> String {
    WallTime(milliseconds: milliseconds).text.filter { $0 != "-" && $0 != ":" && $0 != "." }
  }
}
