// `lost-found/`: what stood in the place of something that was repaired. Nothing in it is ever read or
// replaced; whoever has looked at it may delete it.

/// The place for what is put aside.
///
/// A class, because it holds an open directory that cannot be copied, and is shared by all repairs.
package final class LostFound: Sendable {
  private let directory: Directory
  private let sync: SyncPolicy
  /// The present, as names have it.
  private let time: String

  /// Opens the place, and makes it where there is none.
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
      // What cannot be opened, such as a link, has no bytes of its own to wait for.
      if kind == .regular, let file = try? directory.openFile(new, .read, [.noFollow]) {
        try file.sync()
      }
      try directory.sync()
    }
    return (joinPath(Layout.lostFound, new), isMoved)
  }

  /// A time as names have it: `20261121T225244123Z`.
  private static func name(of milliseconds: Int64) -> String {
    let days = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    // Howard Hinnant, chrono-compatible low-level date algorithms: civil_from_days.
    let shifted = Int(days.quotient) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let year =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    let ofDay = Int(days.remainder)
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return digits(year + era * 400 + (civil <= 2 ? 1 : 0), 4) + digits(civil, 2) + digits(day, 2)
      + "T" + digits(ofDay / 3_600_000, 2) + digits(ofDay / 60_000 % 60, 2)
      + digits(ofDay / 1_000 % 60, 2) + digits(ofDay % 1_000, 3) + "Z"
  }
}
