// Databases of the app among what is imported: their receipts go the way of all receipts, with the times at which the app received
// them; their bytes become objects, their other rows local ones.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// What was done with a database of the app.
package struct AppSummary: Sendable {
  /// Its name.
  package let name: String
  /// The last of the app's migrations.
  package var version = ""
  /// How many bytes came that were not here before, and how many were.
  package var newPictures = 0
  package var knownPictures = 0
}

/// A database of the app that is being taken in.
struct AppIntake: Sendable {
  /// How many receipts are judged together.
  static let batchCount = 1024

  var summary: AppSummary
  var names = AppNames()
  /// The rows, but for those of receipts.
  var rows: [AppRow] = []
  /// The receipts, as the app received them.
  var receipts: [ObjectID] = []
  /// The CIDs that rows of refused receipts state.
  var refused: Set<String> = []
  /// Those that are not judged yet.
  var pending: [AppReceipt] = []
  /// How many rows of tables that are not taken over, by table.
  var left: [(table: String, count: Int)] = []
  /// Whether keys of its devices are pinned, so that receipts can be judged.
  var hasDevices = false

  /// What one of its parts is called; messages put quotes around the whole.
  func name(of part: String) -> String { "\(summary.name)', \(part)" }
}

extension HistoryIntake {
  package mutating func take(database path: String, named name: String, _ effects: Effects) throws {
    var all = try receipts.take() ?? begin(.receipt)
    var app = AppIntake(summary: AppSummary(name: name))
    let end = try AppDatabase(name: name, path: path).read(effects) { line in
      try take(line, &app, &all, effects)
    }
    try pinDevices(&app, &all, effects)
    try judge(&app, &all, effects)
    receipts = .some(all)
    app.summary.version = end.version
    app.left = end.left
    databases.append(app)
  }

  /// Says what is left out of databases.
  func sayLeft(_ notes: [AppNotes], _ effects: Effects) {
    for (app, notes) in zip(databases, notes) {
      let name = app.summary.name
      for (table, count) in app.left {
        effects.report(.importing(.rowsLeft(count, table: table, name: name)))
      }
      guard notes.lackingCount > 0 else { continue }
      effects.report(.importing(.picturesLacking(notes.lackingCount, name: name)))
    }
  }

  private mutating func take(
    _ line: AppLine, _ app: inout AppIntake, _ all: inout Groups, _ effects: Effects
  ) throws {
    switch line {
    case .blob(let name, let bytes): try take(bytes, name, &app, effects)
    case .row(let row) where row.table == "ucr_headers":
      try pinDevices(&app, &all, effects)
      do throws(Finding) {
        app.pending.append(try AppReceipt(row))
      } catch {
        app.refused.insert(row.text("cid") ?? "")
        refuse([error], of: app.name(of: "receipt '\(row.text("cid") ?? "")"), effects)
      }
      if app.pending.count == AppIntake.batchCount { try judge(&app, &all, effects) }
    case .row(let row): app.rows.append(row)
    case .wrong(let table, let key, let column):
      if table == "ucr_headers" { app.refused.insert(key) }
      let part = table == "ucr_headers" ? "receipt '\(key)" : "row '\(table)/\(key)"
      refuse([Finding(.databaseColumn, at: [column])], of: app.name(of: part), effects)
    }
  }

  /// Whether something was refused, so that nothing will be written.
  private var isLost: Bool { nodes.summary.refused > 0 && !nodes.options.salvages }

  // MARK: Bytes

  private mutating func take(
    _ bytes: [UInt8], _ name: String, _ app: inout AppIntake, _ effects: Effects
  ) throws {
    let blob = StoredObject(blob: bytes)
    do throws(Finding) {
      try app.names.note(name, of: blob.id)
    } catch {
      refuse([error], of: app.name(of: "row 'blobs/\(name)"), effects)
      return
    }
    var isKnown = try opened.contains(blob.id)
    if nodes.options.writes, !isLost {
      var stage = pictures.take() ?? NodeStage(opened.objects, trace: opened.trace)
      isKnown = try stage.add([ObjectWrite(blob, key: nil)])[0]
      pictures = .some(stage)
    }
    if isKnown { app.summary.knownPictures += 1 } else { app.summary.newPictures += 1 }
  }

  // MARK: Receipts

  /// Pins the keys of its devices, which come before its receipts.
  private mutating func pinDevices(
    _ app: inout AppIntake, _ all: inout Groups, _ effects: Effects
  ) throws {
    guard !app.hasDevices else { return }
    app.hasDevices = true
    let own = app.rows.filter { $0.table == LocalTable.devices.rawValue }
    let devices = AppNotes.devices(own, over: try opened.localRows())
    for (row, finding) in devices.refused {
      refuse([finding], of: app.name(of: "row '\(row)"), effects)
    }
    app.rows.removeAll { $0.table == LocalTable.devices.rawValue }
    app.rows += devices.rows
    all.intake.pin(devices.keys)
    all.transaction.pin(devices.keys)
  }

  private mutating func judge(
    _ app: inout AppIntake, _ all: inout Groups, _ effects: Effects
  ) throws {
    let pending = app.pending
    app.pending = []
    guard !pending.isEmpty else { return }
    let now = effects.clock()
    let judged = try all.intake.judge(pending.map(\.incoming))
    for (row, judged) in zip(pending, judged) {
      let name = app.name(of: "receipt '\(row.cid)")
      let errors = judged.errors(profile)
      if let receipt = judged.receipt {
        all.warnings.note(row.differences(from: receipt), profile) { name }
      }
      if judged.isRefused, errors.allSatisfy({ $0.rule == .keyUnknown }) {
        all.waiting.append((name, row.incoming))
      } else if judged.isRefused {
        app.refused.insert(row.cid)
        refuse(errors, of: name, effects)
        continue
      } else {
        note(judged, name, &all)
      }
      guard let receipt = judged.receipt else { continue }
      app.receipts.append(receipt.id)
      let received = min(row.received, now)
      all.members[receipt.id] = AppNotes.Member(receipt, received: received)
      all.transaction.note(receipt.id, received: received)
    }
    if !isLost { try all.transaction.add(judged) }
  }

  // MARK: Rows

  /// The local rows of each database, of which those that cannot be are refused.
  ///
  /// - Parameters:
  ///   - left: the receipts that are not taken.
  ///   - all: the receipts; gets what is odd.
  ///   - effects: the clock; receives what is refused.
  /// - Returns: the rows.
  mutating func notes(
    without left: Set<ObjectID>, _ all: inout Groups, _ effects: Effects
  ) -> [AppNotes] {
    let now = effects.clock()
    var made: [AppNotes] = []
    for app in databases {
      var members: [AppNotes.Member] = []
      var refused = app.refused
      for id in app.receipts {
        guard let member = all.members[id] else { continue }
        if left.contains(id) || all.names[id] == nil {
          refused.insert(member.cid)
        } else {
          members.append(member)
        }
      }
      let notes = AppNotes(app.rows, members, without: refused, app.names, now: now)
      for (row, finding) in notes.refused {
        refuse([finding], of: app.name(of: "row '\(row)"), effects)
      }
      for (row, finding) in notes.odd {
        all.warnings.note([finding], profile) { app.name(of: "row '\(row)") }
      }
      made.append(notes)
    }
    return made
  }

  /// When local rows are written.
  enum MergeTime { case never, beforeReceipts, afterReceipts }

  /// Writes local rows, or finds out what that would come to.
  ///
  /// - Returns: all rows that there are to write; `nil` without a database.
  func merge(
    _ notes: [AppNotes], _ time: MergeTime, _ effects: Effects
  ) throws -> AppMerge? {
    guard !notes.isEmpty else { return nil }
    let now = effects.clock()
    var merged: AppMerge?
    try opened.putLocal(isDryRun: time == .never) { found in
      let merge = AppMerge(notes, over: found, now: now)
      merged = merge
      return time == .beforeReceipts ? merge.earlyRows : merge.rows
    }
    return merged
  }
}
