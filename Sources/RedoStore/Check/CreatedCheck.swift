// The times at which remotes first had nodes: every record.

internal import RedoObject

/// The check of `created`.
package enum CreatedCheck {
  /// Reads the file to its end, or to the first record that is wrong.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is wrong; nothing when there is no file, or when something else is in its place, which the check
  ///   of names reports.
  package static func findings(in store: borrowing Directory) -> [StoreFinding] {
    guard (try? store.status(Layout.created))??.kind == .regular else { return [] }
    // Which rows there are is of no interest.
    let found = CreatedTimes(in: store).read(of: [])
    if let damage = found.damage {
      return [
        StoreFinding(
          damage, .createdCorrupt, path: Layout.created,
          repair:
            "delete it; the times in it are lost, and come again with what is fetched anew or imported"
        )
      ]
    }
    guard found.tornBytes > 0 else { return [] }
    return [
      StoreFinding(
        .fileUnfinished, path: Layout.created,
        detail:
          "\(found.tornBytes) bytes of a record without an end: a writer is at work or was stopped",
        repair: "the next time that is added takes their place")
    ]
  }
}
