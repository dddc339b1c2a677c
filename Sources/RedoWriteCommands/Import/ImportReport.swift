// The result of an import: lines for people, or one row for programs.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The report at the end of an import.
struct ImportReport {
  let summary: NodeTransaction.Summary
  /// What was done with receipts, if any came.
  let receipts: GroupTransaction.Summary?
  /// What was done with schemas, if any came.
  let schemas: GroupTransaction.Summary?
  /// What was done with databases of the app, and with their rows.
  let databases: [AppSummary]
  let rows: AppMerge?
  /// The summary of the conversion, if the log was older than version 1.
  let old: V0Import.Summary?
  /// The blob with the notes of that conversion.
  let notes: ObjectID?
  let isDryRun: Bool

  /// Prints it for people.
  func say(_ context: inout Context) {
    var text = isDryRun ? "would import" : "imported"
    text += " \(summary.new) new change\(summary.new == 1 ? "" : "s")"
    for (count, word) in [
      (summary.known, "known"), (summary.upgraded, "upgraded"), (summary.healed, "healed"),
      (summary.refused, "refused"), (summary.held, "waiting for trust"),
    ] where count > 0 {
      text += ", \(count) \(word)"
    }
    context.note(text)
    if let receipts { say(receipts, "receipt", &context) }
    if let schemas { say(schemas, "schema", &context) }
    if let rows { sayRows(rows, &context) }
    guard let old, old.total > 0 else { return }
    let layouts = V0Document.Layout.allCases.compactMap { layout in
      old.converted[layout].map { "\($0) from '\(layout.rawValue)'" }
    }
    text = "converted \(layouts.joined(separator: ", "))"
    if old.flat > 0 { text += "; \(old.flat) had flat data" }
    context.note(text)
    guard old.signatures > 0 else { return }
    let many = old.signatures != 1
    text = "\(old.signatures) signature\(many ? "s do" : " does") not hold over the new forms"
    if let notes {
      text += ", and \(many ? "are" : "is") kept in '\(V0Notes.name(of: notes).text)'"
    }
    context.note(text)
  }

  private func say(
    _ summary: GroupTransaction.Summary, _ noun: String, _ context: inout Context
  ) {
    var text = isDryRun ? "would import" : "imported"
    text += " \(summary.new) new \(noun)\(summary.new == 1 ? "" : "s")"
    for (count, word) in [
      (summary.known, "known"), (summary.upgraded, "upgraded"), (summary.healed, "healed"),
      (summary.held, "waiting for trust"),
    ] where count > 0 {
      text += ", \(count) \(word)"
    }
    context.note(text)
  }

  private static func text(_ summary: GroupTransaction.Summary) -> String {
    "{\"healed\":\(summary.healed),"
      + (summary.held > 0 ? "\"held\":\(summary.held)," : "")
      + "\"known\":\(summary.known),\"new\":\(summary.new),"
      + "\"upgraded\":\(summary.upgraded)}"
  }

  /// Prints what came of databases.
  private func sayRows(_ rows: AppMerge, _ context: inout Context) {
    let versions = databases.map { "'\($0.version)'" }.joined(separator: ", ")
    let pictures = databases.reduce(0) { $0 + $1.newPictures }
    let would = isDryRun ? "would note" : "noted"
    var text = "\(would) \(rows.newCount) new row\(rows.newCount == 1 ? "" : "s")"
    for (count, word) in [
      (rows.knownCount, "known"), (rows.putAwayCount, "put away"),
      (rows.pendingCount, "pending beyond the circle"),
      (pictures, pictures == 1 ? "picture" : "pictures"),
    ] where count > 0 {
      text += ", \(count) \(word)"
    }
    context.note("\(text); from \(versions) of the app")
  }

  /// One line of RFC 8785 JSON.
  var json: String {
    var members: [(String, String)] = []
    if let old { members.append(("converted", "\(old.total)")) }
    if let old { members.append(("flatData", "\(old.flat)")) }
    if let rows {
      let new = databases.reduce(0) { $0 + $1.newPictures }
      let known = databases.reduce(0) { $0 + $1.knownPictures }
      let versions = databases.map { "\"\($0.version)\"" }.joined(separator: ",")
      members.append(
        (
          "databases",
          "{\"pictures\":{\"known\":\(known),\"new\":\(new)},\"putAway\":\(rows.putAwayCount),"
            + "\"rows\":{\"known\":\(rows.knownCount),\"new\":\(rows.newCount)},"
            + "\"versions\":[\(versions)]}"
        ))
    }
    members.append(("healed", "\(summary.healed)"))
    if summary.held > 0 { members.append(("held", "\(summary.held)")) }
    members.append(("known", "\(summary.known)"))
    if let old {
      let layouts = V0Document.Layout.allCases.map {
        "\"\($0.rawValue)\":\(old.converted[$0] ?? 0)"
      }
      members.append(("layouts", "{\(layouts.sorted().joined(separator: ","))}"))
    }
    members.append(("new", "\(summary.new)"))
    if let notes { members.append(("notes", "\"\(V0Notes.name(of: notes).text)\"")) }
    if let receipts {
      members.append(("receipts", Self.text(receipts)))
    }
    members.append(("refused", "\(summary.refused)"))
    if let schemas { members.append(("schemas", Self.text(schemas))) }
    if let old { members.append(("signaturesNoted", "\(old.signatures)")) }
    members.append(("upgraded", "\(summary.upgraded)"))
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
}
