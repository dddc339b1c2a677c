// The local rows of a store: read, written, exported and imported. They leave the store in no other way.

package import RedoCrypto
package import RedoObject
package import RedoStore

extension Repository {
  /// What keeps the local rows from being read; `nil` when nothing does.
  func localDamage() -> LocalFault? {
    do throws(LocalFault) {
      _ = try localRows()
      return nil
    } catch {
      return error
    }
  }

  /// The local rows.
  ///
  /// - Parameter table: the only table of interest; `nil` for all.
  /// - Returns: the rows.
  /// - Throws: `damaged` or `broken` when not all of them can be read.
  package func localRows(of table: LocalTable? = nil) throws(LocalFault) -> LocalRows.Found {
    let found = store.local.read(of: table)
    if let damage = found.damage { throw .damaged(damage) }
    if let fault = found.fault { throw .broken(path: Layout.local, fault) }
    return found
  }

  /// The keys of devices, as rows pin them.
  func deviceRows() -> DeviceRows {
    var rows = DeviceRows()
    let found = store.local.read(of: .devices)
    rows.isWhole = found.damage == nil && found.fault == nil
    for row in found.rows(of: .devices) {
      guard let did = row.text("owner_did"), let key = row.publicKey("pubkey_ed25519") else {
        continue
      }
      rows.keys[DeviceName(did: did, deviceID: row.key.text)] = key
    }
    return rows
  }

  /// The first receipts of the chains that are put away: in no list.
  ///
  /// - Throws: `damaged` or `broken` when not all rows can be read.
  package func chainsPutAway() throws(LocalFault) -> Set<ObjectID> {
    let rows = try localRows(of: .localReceipts).rows(of: .localReceipts)
    return Set(rows.filter(\.isPutAway).compactMap { ObjectID(name: Array($0.key.text.utf8).span) })
  }

  /// The receipts that others have shared.
  ///
  /// - Throws: `damaged` or `broken` when not all rows can be read: what is not known to be somebody's must not leave.
  func sharedByOthers() throws(LocalFault) -> Set<ObjectID> {
    // All rows: one that is called otherwise may be of this table.
    return Set(
      try localRows().rows(of: .receivedMemories).compactMap { row in
        row.text("header_cid").flatMap { ObjectID(name: Array($0.utf8).span) }
      })
  }

  /// Writes local rows, all or none.
  ///
  /// - Parameters:
  ///   - isDryRun: whether they are only judged.
  ///   - make: makes the rows of those that are there.
  /// - Returns: the rows.
  /// - Throws: `damaged`, `broken`, `unfit`, `taken`, `circleFull`; `RefsError` when others hold the file for too long, or it cannot be
  ///   written; what the closure throws.
  @discardableResult
  package func putLocal(
    isDryRun: Bool = false, _ make: (LocalRows.Found) throws -> [LocalRow]
  ) throws -> [LocalRow] {
    func judged(_ found: LocalRows.Found) throws -> [LocalRow] {
      do {
        let rows = try make(found)
        try Self.check(rows, found)
        return rows
      } catch let finding as Finding {
        throw LocalFault.unfit(finding)
      }
    }
    var rows = try judged(try localRows())
    guard !isDryRun, !rows.isEmpty else { return rows }
    // A release that knows none of this would take the file for a stray one.
    try store.admitGroups()
    do {
      try store.local.append(try refsOptions()) { found in
        if let fault = found.fault { throw LocalFault.broken(path: Layout.local, fault) }
        rows = try judged(found)
        return rows
      }
    } catch let error as RefsError {
      guard case .corrupt = error else { throw error }
      throw LocalFault.damaged(error)
    }
    return rows
  }

  /// Refuses what no two rows may have, and what there may not be so many of.
  private static func check(
    _ rows: [LocalRow], _ known: LocalRows.Found
  ) throws(LocalFault) {
    var found = known
    for row in rows { found.put(row) }
    switch LocalConflict(among: found.all) {
    case .taken(let key, let column, let other): throw .taken(key, column: column, by: other)
    case .circleFull(let limit): throw .circleFull(limit: limit)
    case nil: break
    }
  }

  /// What an import of local rows has done.
  package struct LocalImport: Sendable {
    /// How many rows were taken.
    package let taken: Int
    /// How many are not newer than what is here.
    package let older: Int
  }

  /// Takes rows that are newer than those of the same keys.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - isDryRun: whether that is only found out.
  /// - Returns: how many were taken.
  /// - Throws: as `putLocal`.
  package func importLocal(_ rows: [LocalRow], isDryRun: Bool) throws -> LocalImport {
    var newest: [LocalRow.Key: LocalRow] = [:]
    for row in rows {
      if let known = newest[row.key], known.time > row.time { continue }
      newest[row.key] = row
    }
    let taken = try putLocal(isDryRun: isDryRun) { found in
      newest.values.filter { row in
        found.rows[row.key].map { $0.time < row.time } ?? true
      }.sorted { $0.key < $1.key }
    }
    return LocalImport(taken: taken.count, older: newest.count - taken.count)
  }
}

/// Lines of local rows.
package enum LocalLines {
  /// The most bytes of an input.
  package static let byteLimit = 1 << 30

  /// Reads lines.
  ///
  /// - Parameters:
  ///   - bytes: the lines; an empty one is passed over.
  ///   - source: their name in messages.
  ///   - now: the time of rows without one, in milliseconds since 1970; `nil` where each has its own.
  ///   - effects: receives what is refused.
  /// - Returns: the rows; `nil` when one is refused.
  package static func read(
    _ bytes: [UInt8], from source: String, now: Int64?, _ effects: Effects
  ) -> [LocalRow]? {
    var rows: [LocalRow] = []
    var isRefused = false
    for (place, line) in bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() where !line.isEmpty {
      do throws(Finding) {
        rows.append(try LocalRow(line: Array(line), now: now))
      } catch {
        effects.report(.writing(.refused(error, of: "\(source)', line '\(place + 1)")))
        isRefused = true
      }
    }
    return isRefused ? nil : rows
  }

  /// Reads an input: lines, or an age file of them.
  ///
  /// - Parameters:
  ///   - path: a file; `nil` for standard input.
  ///   - keys: what opens an age file.
  ///   - effects: where files are, and who is asked.
  /// - Returns: the lines.
  /// - Throws: `InputFault` or `InputError` when it cannot be read, `SealFault` when nothing opens it.
  package static func input(
    _ path: String?, _ keys: SealKeys, _ effects: Effects
  ) throws -> [UInt8] {
    let name = path ?? InputFile.standardInputName
    let bytes =
      try path.map { try InputFile.read($0, limit: byteLimit, effects) }
      ?? InputFile.read(effects.surroundings.standardInput, limit: byteLimit)
    guard AgeHeader.isAge(bytes) || AgeArmor.isArmor(bytes) else {
      return bytes
    }
    return try AgeCipher.decrypt(bytes, named: name, keys, effects)
  }

  /// Rows as lines, encrypted where it is said for whom.
  ///
  /// - Parameters:
  ///   - rows: the rows.
  ///   - recipients: who can read them; nobody in particular for plain lines.
  /// - Returns: the bytes.
  /// - Throws: `SealFault.memory`.
  package static func output(
    _ rows: [LocalRow], for recipients: [AgeRecipient]
  ) throws -> [UInt8] {
    var lines: [UInt8] = []
    for row in rows {
      lines += row.line
      lines.append(UInt8(ascii: "\n"))
    }
    guard !recipients.isEmpty else { return lines }
    var writer = try AgeCipher.writer(AgeLock(recipients))
    writer.add(lines)
    writer.finish()
    return writer.take()
  }

  /// Writes an output to a file that only its owner can read.
  ///
  /// - Parameters:
  ///   - bytes: what to write.
  ///   - path: the file.
  ///   - isForced: whether it may be there.
  ///   - effects: where files are.
  /// - Throws: `FileFault`; the file is as it was then.
  package static func write(
    _ bytes: [UInt8], to path: String, isForced: Bool, _ effects: Effects
  ) throws {
    var target = try ArchiveTarget(path, isForced: isForced, syncs: true, mode: 0o600, effects)
    try target.write(bytes)
    try target.commit()
  }
}

extension AgeCipher {
  /// Decrypts bytes, with or without armor.
  ///
  /// - Throws: `SealFault` when nothing opens them, or they are not as they were.
  static func decrypt(
    _ bytes: [UInt8], named name: String, _ keys: SealKeys, _ effects: Effects
  ) throws -> [UInt8] {
    do throws(any Error) {
      var bare = bytes
      if AgeArmor.isArmor(bytes) {
        var armor = AgeArmorReader()
        bare = []
        try armor.add(bytes, into: &bare)
        try armor.finish(into: &bare)
      }
      guard let header = try AgeHeader.read(bare, isWhole: true) else { throw AgeFault.notAge }
      var opener = AgeOpener(key: try keys.payloadKey(header, name, effects))
      var contents: [UInt8] = []
      try opener.add(Array(bare[header.end...]), into: &contents)
      try opener.finish(into: &contents)
      return contents
    } catch let error as AgeFault {
      throw SealFault.file(.age(error), path: name)
    }
  }
}
