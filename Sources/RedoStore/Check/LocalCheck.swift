// The local rows of a store: every record, and every row.

internal import RedoObject

/// The check of `local`.
package enum LocalCheck {
  /// Reads the file to its end, or to the first record that is wrong.
  ///
  /// - Parameter store: the store's directory.
  /// - Returns: what is wrong; nothing when there is no file, or when something else is in its place, which the check
  ///   of names reports.
  package static func findings(in store: borrowing Directory) -> [StoreFinding] {
    guard let status = (try? store.status(Layout.local)) ?? nil, status.kind == .regular else {
      return []
    }
    var findings: [StoreFinding] = []
    if status.mode & 0o077 != 0 {
      findings.append(
        StoreFinding(
          .fileMode, path: Layout.local, detail: "others may use what is noted here",
          repair: "chmod 600 .redo/\(Layout.local)"))
    }
    let found = LocalRows(in: store).read()
    if let damage = found.damage {
      findings.append(
        StoreFinding(
          damage, .localCorrupt, path: Layout.local,
          repair: "redo local export --salvage, then redo local import into a new file"))
    }
    if let fault = found.fault {
      findings.append(
        StoreFinding(
          .localRow, path: Layout.local, detail: "\(fault.summary): \(fault.detail)",
          repair: "redo local export --salvage, then redo local import into a new file"))
    }
    if found.tornBytes > 0 {
      findings.append(
        StoreFinding(
          .fileUnfinished, path: Layout.local,
          detail:
            "\(found.tornBytes) bytes of a record without an end: a writer is at work or was stopped",
          repair: "the next row that is added takes their place"))
    }
    return findings
  }
}
