// What a wipe removes, as rows.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension WipePlan {
  /// Writes `<id> <user> <action> <why>` for each object.
  func write(asJSON: Bool, end: UInt8, _ context: inout Context) throws {
    for row in rows {
      try context.output.append { output throws in
        if asJSON { row.appendJSON(to: &output) } else { row.append(to: &output) }
        output.append(end)
      }
    }
  }
}
