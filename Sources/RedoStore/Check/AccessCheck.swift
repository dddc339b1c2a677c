// The access lists of a store: every record.

internal import RedoObject

/// The check of `access`.
package enum AccessCheck {
  /// Reads the file to its end, or to the first record that is wrong.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is wrong; nothing when there is no file, or when something else is in its place, which the check
  ///   of names reports.
  package static func findings(in store: borrowing Directory) -> [StoreFinding] {
    guard (try? store.status(Layout.access))??.kind == .regular else { return [] }
    // Which rows there are is of no interest.
    let found = AccessNotes(in: store).read(of: [])
    if let damage = found.damage {
      return [
        StoreFinding(
          damage, .accessCorrupt, path: Layout.access,
          repair:
            "delete it; no account is shown anything until lists come again from remotes or clients"
        )
      ]
    }
    guard found.tornBytes > 0 else { return [] }
    return [
      StoreFinding(
        .fileUnfinished, path: Layout.access,
        detail:
          "\(found.tornBytes) bytes of a record without an end: a writer is at work or was stopped",
        repair: "the next list that is added takes their place")
    ]
  }
}
