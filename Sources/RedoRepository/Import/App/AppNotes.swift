// What a database of the app notes about receipts, people, places and bytes, as local rows. Pure.
//
// A value that a local row cannot have is left out where the row can do without it, with a warning that does not tell the value:
// it may be somebody's phone number.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// Local rows of a database of the app.
package struct AppNotes: Sendable {
  /// A row, or a column of one, that is not as it should be.
  package typealias Remark = (row: String, finding: Finding)

  /// A receipt that is taken.
  package struct Member: Sendable {
    /// Its CID.
    package let cid: String
    /// The CID of the first receipt of its chain.
    package let root: String
    /// Whether it tells of a session.
    package let isSession: Bool
    /// What the app calls the place that it names.
    package let place: String?
    /// When the app received it, in milliseconds since 1970.
    package let received: Int64

    /// What is known of a receipt.
    package init(_ receipt: Receipt, received: Int64) {
      self.received = received
      cid = receipt.id.cidText(as: .receipt)
      root = receipt.root.cidText(as: .receipt)
      isSession = receipt.isSession
      place = isSession ? receipt.payloadText("location_cid") : nil
    }
  }

  /// The rows that can be, each key once.
  package private(set) var rows: [LocalRow] = []
  /// The first receipts of the chains of sessions that no row is about, in order.
  package private(set) var withoutRow: [String] = []
  /// The rows that cannot be.
  package private(set) var refused: [Remark] = []
  /// What is left out of rows.
  package private(set) var odd: [Remark] = []
  /// How often bytes are named that did not come, and whose CID is not known.
  package private(set) var lackingCount = 0

  private let names: AppNames
  /// No row counts as written later than this, in milliseconds since 1970.
  private let now: Int64
  private var roots: [String: String] = [:]
  private var places: [String: Member] = [:]
  private var keys: Set<LocalRow.Key> = []

  /// Makes local rows of the rows of a database.
  ///
  /// - Parameters:
  ///   - table: the rows, but for those of receipts.
  ///   - members: the receipts that are taken, as the app received them.
  ///   - left: the CIDs of those that are not: what is noted about them is left out with them.
  ///   - names: the CIDs of the bytes that came.
  ///   - now: the present time, in milliseconds since 1970.
  package init(
    _ table: [AppRow], _ members: [Member], without left: Set<String> = [], _ names: AppNames,
    now: Int64
  ) {
    self.names = names
    self.now = now
    for member in members {
      roots[member.cid] = member.root
      // An edit of the app names the place of what it takes the place of.
      if let place = member.place { places[place] = member }
    }
    for row in table where !left.contains(row.text("header_cid") ?? "") { add(row) }
    var seen: Set<String> = []
    withoutRow = members.filter { member in
      member.isSession && !keys.contains(LocalRow.Key(.localReceipts, member.root))
        && seen.insert(member.root).inserted
    }.map(\.root)
  }

  /// Rows that are made already.
  init(_ rows: [LocalRow], withoutRow: [String]) {
    names = AppNames()
    now = 0
    self.rows = rows
    self.withoutRow = withoutRow
  }

  private mutating func add(_ row: AppRow) {
    guard let table = LocalTable(rawValue: row.table) else { return }
    do throws(Finding) {
      guard let made = try make(row, table) else {
        lackingCount += 1
        return
      }
      guard keys.insert(made.key).inserted else {
        throw Finding(.localRow, at: ["key"], detail: "'\(made.key.text)' has another row")
      }
      rows.append(made)
    } catch {
      refused.append((Self.name(of: row, table), error))
    }
  }

  /// `circles/7c2e…`: how a row is called in messages.
  private static func name(of row: AppRow, _ table: LocalTable) -> String {
    let key =
      switch table {
      case .localReceipts: row.text("uuid")
      case .circles, .circleInvites, .sharedMemories, .receivedMemories: row.text("id")
      case .devices: row.text("device_id")
      case .locations, .blobs: row.text("cid")
      case .receiptBlobs: "\(row.text("receipt_cid") ?? "")/\(row.text("blob_cid") ?? "")"
      }
    return "\(table.rawValue)/\(key ?? "")"
  }

  /// The row as it is kept here; `nil` for one about bytes that did not come.
  private mutating func make(
    _ row: AppRow, _ table: LocalTable
  ) throws(Finding) -> LocalRow? {
    var members = row.members
    var key: String?
    var time = Self.time(of: row)
    switch table {
    case .localReceipts:
      let header = row.text("header_cid") ?? ""
      guard let root = roots[header] else {
        throw Finding(.localRow, at: ["row", "header_cid"], detail: "'\(header)' is not taken")
      }
      key = root
      members["header_cid"] = nil
      if let images = row.text("image_cids").flatMap({ LocalRow.texts($0) }) {
        let known = images.compactMap { names.blob($0) }
        lackingCount += images.count - known.count
        members["image_cids"] = LocalRow.json(known)
      }
    case .circles:
      rename("avatar_cid", of: row, &members)
      if let phone = row.text("phone_number") {
        members["phone_number"] = LocalRow.json(phone.filter { !" ()-./".contains($0) })
      }
    case .blobs:
      guard let cid = names.blob(row.text("cid") ?? "") else { return nil }
      members["cid"] = LocalRow.json(cid)
      rename("thumbnail_cid", of: row, &members)
    case .receiptBlobs:
      guard let cid = names.blob(row.text("blob_cid") ?? "") else { return nil }
      members["blob_cid"] = LocalRow.json(cid)
    case .locations:
      let name = row.text("cid") ?? ""
      members["cid"] = LocalRow.json(AppNames.place(name))
      if row.text("receipt_cid") == nil, let member = places[name] {
        members["receipt_cid"] = LocalRow.json(member.cid)
        time = max(time, member.received)
      }
    case .devices, .circleInvites, .sharedMemories, .receivedMemories: break
    }
    return try Self.fit(table, key, members, time: min(time, now)) { finding in
      odd.append((Self.name(of: row, table), finding))
    }
  }

  private mutating func rename(
    _ column: String, of row: AppRow, _ members: inout [String: [UInt8]]
  ) {
    guard let name = row.text(column) else { return }
    members[column] = names.blob(name).map { LocalRow.json($0) }
    if members[column] == nil { lackingCount += 1 }
  }

  /// A row without the columns that it can do without and that are not what they must be.
  static func fit(
    _ table: LocalTable, _ key: String?, _ members: [String: [UInt8]], time: Int64,
    _ odd: (Finding) -> Void
  ) throws(Finding) -> LocalRow {
    let columns = table.columnNames
    var members = members.filter { columns[$0.key] != nil }
    while true {
      do throws(Finding) {
        return try LocalRow(table, key: key, members: members, time: time)
      } catch {
        guard case .pointer(let place) = error.place,
          let column = place.split(separator: "/").last.map(String.init),
          columns[column] == false, members.removeValue(forKey: column) != nil
        else { throw error }
        odd(Finding(.databaseColumn, at: [column]))
      }
    }
  }

  /// When a row was last changed, as far as it tells.
  static func time(of row: AppRow) -> Int64 {
    if let time = row.time("updated_at") { return time }
    return [
      "accepted_at", "created_at", "last_seen_at", "received_at", "registered_at", "shared_at",
      "unshared_at",
    ].compactMap { row.time($0) }.max() ?? 0
  }

  // MARK: Devices

  /// The keys of devices that a database pins, which must be known before its receipts are judged.
  ///
  /// - Parameters:
  ///   - table: its rows of devices.
  ///   - found: the local rows that are here.
  /// - Returns: the rows that may be taken, and the keys that they pin; what is refused.
  package static func devices(
    _ table: [AppRow], over found: LocalRows.Found
  ) -> (rows: [AppRow], keys: [DeviceName: PublicKey], refused: [Remark]) {
    var (rows, keys, refused): ([AppRow], [DeviceName: PublicKey], [Remark]) = ([], [:], [])
    for row in table {
      do throws(Finding) {
        let made = try fit(.devices, nil, row.members, time: 0) { _ in }
        let did = made.text("owner_did") ?? ""
        let key = made.publicKey("pubkey_ed25519")
        if let known = found.rows[made.key], known.members != nil {
          guard known.text("owner_did") == did, known.publicKey("pubkey_ed25519") == key else {
            throw Finding(
              .localRow, at: ["row", "pubkey_ed25519"],
              detail: "'\(made.key.text)' is noted here with another key, or as somebody else's")
          }
        }
        rows.append(row)
        keys[DeviceName(did: did, deviceID: made.key.text)] = key
      } catch {
        refused.append((name(of: row, .devices), error))
      }
    }
    return (rows, keys, refused)
  }
}
