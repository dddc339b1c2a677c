// Local rows of a database of the app among those that are here: what is newer holds, and what was imported before is known. Pure.

package import RedoObject
package import RedoStore

/// The rows that an import of a database writes.
package struct AppMerge: Sendable {
  /// How many people of a circle may be active.
  private static let activeLimit = 12

  /// The rows to write, each key once.
  package var rows: [LocalRow] { order.compactMap { taken[$0] } }
  /// Those of them to write before the receipts are here: all but those of chains whose row moves to another one, which is shown
  /// until that is here.
  package var earlyRows: [LocalRow] { rows.filter { !moved.contains($0.key) } }
  /// Whether there are others.
  package var hasLateRows: Bool { !moved.isEmpty }
  /// How many rows are here already, or older than those that are.
  package private(set) var knownCount = 0
  /// How many chains are put away now that were not.
  package private(set) var putAwayCount = 0
  /// How many people do not stay active, because a circle has no more.
  package private(set) var pendingCount = 0
  /// How many rows are written that are not those of chains put away.
  package var newCount: Int { order.count - putAwayCount }

  private var found: LocalRows.Found
  private let now: Int64
  private var order: [LocalRow.Key] = []
  private var taken: [LocalRow.Key: LocalRow] = [:]
  /// The chains whose row moves, and those that it moves to.
  private var moved: Set<LocalRow.Key> = []
  /// The keys of the rows that have a value of which there may be one, by table, column and value.
  private var holders: [String: [[UInt8]: LocalRow.Key]] = [:]

  /// Rows of databases.
  ///
  /// - Parameters:
  ///   - notes: what each database has.
  ///   - found: the rows that are here.
  ///   - now: the present time, in milliseconds since 1970.
  package init(_ notes: [AppNotes], over found: LocalRows.Found, now: Int64) {
    self.found = found
    self.now = now
    for row in found.rows.values { note(row) }
    for notes in notes { add(notes) }
  }

  private mutating func add(_ notes: AppNotes) {
    addPeople(notes.rows.filter { $0.key.table == .circles })
    for row in notes.rows where row.key.table != .circles {
      if row.key.table == .localReceipts { addChain(row) } else { add(renamed(row)) }
    }
    for root in notes.withoutRow {
      let key = LocalRow.Key(.localReceipts, root)
      if found.rows[key] == nil { putAway(key) }
    }
  }

  // MARK: Rows

  private mutating func note(_ row: LocalRow) {
    for (column, value) in row.uniqueValues {
      holders["\(row.key.table.rawValue).\(column)", default: [:]][value] = row.key
    }
  }

  private func holder(of row: LocalRow, _ column: String) -> LocalRow.Key? {
    guard let value = row.members?[column],
      let key = holders["\(row.key.table.rawValue).\(column)"]?[value], key != row.key,
      found.rows[key]?.members?[column] == value
    else { return nil }
    return key
  }

  private mutating func put(_ row: LocalRow) {
    if taken.updateValue(row, forKey: row.key) == nil { order.append(row.key) }
    found.put(row)
    note(row)
  }

  /// Whether a row says something new about its key.
  private func isNews(_ row: LocalRow) -> Bool {
    guard let known = found.rows[row.key] else { return true }
    // Of a device nobody has noted when it was revoked: an older copy does not take that back.
    guard known.text("status") != "revoked" || known.time < row.time else { return false }
    return known.time <= row.time && known.members != row.members
  }

  private mutating func add(_ row: LocalRow) {
    if isNews(row) { put(row) } else { knownCount += 1 }
  }

  /// A row under the key of the one that is about the same person, invitation or message.
  private func renamed(_ row: LocalRow) -> LocalRow {
    for column in row.key.table.uniqueNames {
      guard let key = holder(of: row, column), var members = row.members else { continue }
      members["id"] = LocalRow.json(key.text)
      return (try? LocalRow(key.table, key: nil, members: members, time: row.time)) ?? row
    }
    return row
  }

  // MARK: Chains

  /// A row of a chain.
  ///
  /// The app edits by a new chain, to which it moves the row: the old one is put away. What is noted here since then moves, too.
  private mutating func addChain(_ row: LocalRow) {
    guard let old = holder(of: row, "uuid"), let known = found.rows[old] else { return add(row) }
    if let present = found.rows[row.key], present.time > row.time {
      knownCount += 1
      return
    }
    putAway(old)
    moved.formUnion([old, row.key])
    let newer = known.time > row.time ? known : row
    let moved = try? LocalRow(
      .localReceipts, key: row.key.text, members: newer.members, time: newer.time)
    put(moved ?? row)
  }

  private mutating func putAway(_ key: LocalRow.Key) {
    guard let row = try? LocalRow(key.table, key: key.text, members: nil, time: now) else { return }
    put(row)
    putAwayCount += 1
  }

  // MARK: People

  /// Rows of the circle: those that are active already stay so, then come those who joined first.
  private mutating func addPeople(_ people: [LocalRow]) {
    let rows = people.map { renamed($0) }
    let candidates = rows.filter { row in found.rows[row.key].map { $0.time <= row.time } ?? true }
    knownCount += rows.count - candidates.count
    let keys = Set(candidates.map(\.key))
    var active = found.rows(of: .circles).count { row in
      !keys.contains(row.key) && row.text("status") == "active"
    }
    func isHereActive(_ row: LocalRow) -> Bool {
      found.rows[row.key]?.text("status") == "active"
    }
    func joined(_ row: LocalRow) -> Double {
      row.number("joined_at") ?? row.number("created_at") ?? 0
    }
    let sorted = candidates.sorted { left, right in
      if isHereActive(left) != isHereActive(right) { return isHereActive(left) }
      return joined(left) == joined(right) ? left.key < right.key : joined(left) < joined(right)
    }
    for row in sorted {
      guard row.text("status") == "active" else {
        add(row)
        continue
      }
      active += 1
      guard active > Self.activeLimit, var members = row.members else {
        add(row)
        continue
      }
      members["status"] = LocalRow.json("pending")
      let invited = (try? LocalRow(.circles, key: nil, members: members, time: row.time)) ?? row
      if isNews(invited) { pendingCount += 1 }
      add(invited)
    }
  }
}
