// `access`: which accounts may see a node, where that is restricted. Its first line is `redo-access 1`; records of rows
// follow (NotesFile):
//
//   32 raw bytes id
//   1 byte, how many follow (at most 64): the name of the remote that says so; none where this store does
//   2 bytes, the highest first: the bytes of a list that follows (AccessList), or 65,535 when there is none any more
//
// If an id has several rows, the last one counts. A node without a list is restricted most: it is shown to nobody but
// those who see the whole store. So what is lost of this file shows nobody more than before, unless a later row had
// taken an account off a list: whoever decides by it takes a damaged file as a whole for lost.

internal import RedoCrypto
package import RedoObject

/// The access lists of a store.
package struct AccessNotes: ~Copyable, Sendable {
  /// A row, as it is said.
  package typealias Row = (id: ObjectID, list: AccessList?)

  /// The most bytes of the name of a source.
  private static let sourceLimit = 64
  /// The length that stands for no list.
  private static let noList = 0xFFFF
  /// From how many bytes on a record ends.
  private static let recordBytes = 1 << 20
  private static let form = NotesFile.Form(
    name: Layout.access, firstLine: Array("redo-access 1\n".utf8),
    payloadLimit: recordBytes + Digest.byteCount + 3 + sourceLimit + AccessList.byteLimit,
    without: { without($0, $1) })

  fileprivate let notes: NotesFile

  /// The access lists of a store.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, `.redo`.
  ///   - isFrozen: whether nothing may be written.
  package init(in directory: borrowing Directory, isFrozen: Bool = false) {
    notes = NotesFile(Self.form, in: directory, isFrozen: isFrozen)
  }

  /// A place between two records, up to which somebody knows the file.
  package struct Place: Hashable, Sendable {
    /// The bytes of a check.
    static let checkBytes = 16

    /// The bytes of the file up to there.
    package let endBytes: Int
    /// The last bytes before it, which tell another file from this one.
    package let check: [UInt8]

    /// The place as `<bytes>-<32 hex>`.
    package var text: String { "\(endBytes)-\(Hex.text(check.span))" }

    /// Reads a place; `nil` for another form.
    ///
    /// - Parameter text: what was written.
    package init?(text: some StringProtocol) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, let endBytes = Int(parts[0]), endBytes > 0,
        let check = Hex.decode16(Array(parts[1].utf8).span)
      else { return nil }
      self.init(endBytes: endBytes, check: (0..<Self.checkBytes).map { check[$0] })
      guard self.text == text else { return nil }
    }

    fileprivate init(endBytes: Int, check: [UInt8]) {
      self.endBytes = endBytes
      self.check = check
    }
  }

  /// What was read.
  package struct Found: Sendable {
    /// What is said of a node, and by which remote; many nodes share one.
    fileprivate struct Statement: Sendable {
      let source: String
      let list: AccessList
    }

    fileprivate var statements: [Statement] = []
    fileprivate var numbers: [[UInt8]: Int32] = [:]
    fileprivate var nodes: [ObjectID: Int32] = [:]
    /// The end of the last whole record, 0 when there is no file.
    package fileprivate(set) var endBytes = 0
    /// How many bytes of a record follow that a writer has not ended.
    package fileprivate(set) var tornBytes = 0
    /// What is wrong with the file from there on.
    package fileprivate(set) var damage: RefsError?
    /// The file as it was before it was read, for `update`.
    fileprivate var file: FileStatus?

    /// Nothing.
    package init() {}

    /// Whether no node has a list.
    package var isEmpty: Bool { nodes.isEmpty }

    /// The list of a node; `nil` when it has none.
    package subscript(id: ObjectID) -> AccessList? { statement(id)?.list }

    /// The name of the remote that has said so; empty where this store has, `nil` where there is no list.
    package func source(of id: ObjectID) -> String? { statement(id)?.source }

    private func statement(_ id: ObjectID) -> Statement? { nodes[id].map { statements[Int($0)] } }

    /// Tells which nodes an account is shown.
    ///
    /// - Parameter account: its id.
    /// - Returns: whether it is on the list of a node; never for a node without a list.
    package func shows(to account: String) -> (ObjectID) -> Bool {
      let named = statements.map { $0.list.contains(account) }
      return { [nodes] id in nodes[id].map { named[Int($0)] } ?? false }
    }

    fileprivate mutating func put(_ row: Entry) {
      guard let list = row.list else {
        nodes[row.id] = nil
        return
      }
      if let number = numbers[row.key] {
        nodes[row.id] = number
      } else {
        let number = Int32(statements.count)
        statements.append(Statement(source: row.source, list: list))
        numbers[row.key] = number
        nodes[row.id] = number
      }
    }
  }

  /// A row of the file.
  fileprivate struct Entry {
    let id: ObjectID
    let source: String
    let list: AccessList?
    /// Its bytes without the id.
    let key: [UInt8]
  }

  /// Reads the lists of nodes, as far as the file is good.
  ///
  /// - Parameter ids: the nodes; `nil` for all.
  /// - Returns: what was found; nothing when there is no file.
  /// - Complexity: O(*n*) for *n* rows; one system call when there is no file.
  package func read(of ids: Set<ObjectID>? = nil) -> Found {
    let reading = notes.read(from: Found()) { found, payload in
      Self.forEach(payload) { if ids?.contains($0.id) ?? true { found.put($0) } }
    }
    var found = reading.value
    found.endBytes = reading.endBytes
    found.tornBytes = reading.tornBytes
    found.damage = reading.damage
    return found
  }

  /// Reads what has been said since the lists were read.
  ///
  /// - Parameter known: the lists as they were read; then as they are, without any if the file is damaged.
  /// - Returns: the nodes whose lists may be others now, each at least once.
  package func update(_ known: inout Found) -> [ObjectID] {
    let old = known
    if let file = try? notes.open(), let status = try? file.status(), let before = old.file,
      before.isSameFile(as: status), status.size >= old.endBytes
    {
      if status.size == before.size { return [] }
      var changed: [ObjectID] = []
      var end = old.endBytes
      let damage = notes.scan(file, status.size, &end) { payload in
        Self.forEach(payload) {
          known.put($0)
          changed.append($0.id)
        }
      }
      known.endBytes = end
      known.file = status
      if damage == nil { return changed }
    } else if old.file == nil, old.nodes.isEmpty,
      (try? notes.directory.status(Layout.access)) == nil
    {
      return []
    }
    known = read()
    if known.damage != nil { known.nodes = [:] }
    known.file = (try? notes.directory.status(Layout.access)) ?? nil
    return Set(old.nodes.keys).union(known.nodes.keys).filter { old[$0] != known[$0] }
  }

  /// Copies the lists of nodes, and which remotes have said so, as far as the file is good.
  ///
  /// - Parameters:
  ///   - ids: the nodes.
  ///   - writer: takes them.
  /// - Throws: as `AccessWriter.append`; `corrupt` when the file is damaged, and then nothing is copied.
  package func copy(of ids: Set<ObjectID>, to writer: AccessWriter) throws(RefsError) {
    let found = read(of: ids)
    if let damage = found.damage { throw damage }
    var rows: [String: [Row]] = [:]
    for id in ids.sorted() {
      if let source = found.source(of: id) { rows[source, default: []].append((id, found[id])) }
    }
    for (source, rows) in rows.sorted(by: { $0.key < $1.key }) {
      try writer.append(rows, from: source) { _, _ in true }
    }
  }

  /// What was said since a place.
  package struct Changes: Sendable {
    /// The nodes of the rows in their order, and their lists.
    package fileprivate(set) var rows: [Row] = []
    /// Up to where this is; `nil` when there is no row at all.
    package fileprivate(set) var place: Place?
  }

  /// Reads what was said since a place; everything, if the file is not the one that the place is in.
  ///
  /// - Parameter start: the place; `nil` for the beginning.
  /// - Returns: the rows.
  /// - Throws: `corrupt` or `system` when the file cannot be read to its end.
  package func changes(since start: Place?) throws(RefsError) -> Changes {
    let file = try RefsError.wrapping { () throws(SystemError) in try notes.open() }
    guard let file else { return Changes() }
    let size = try RefsError.wrapping { () throws(SystemError) in try NotesFile.size(of: file) }
    var end = 0
    if let start, start.endBytes <= size, try check(file, before: start.endBytes) == start.check {
      end = start.endBytes
    }
    var changes = Changes()
    let damage = notes.scan(file, size, &end) { payload in
      Self.forEach(payload) { changes.rows.append(($0.id, $0.list)) }
    }
    if let damage { throw damage }
    changes.place = try check(file, before: end).map { Place(endBytes: end, check: $0) }
    return changes
  }

  /// The bytes before a place of an open file; `nil` when no record can end there.
  private func check(
    _ file: borrowing File, before end: Int
  ) throws(RefsError) -> [UInt8]? {
    guard end >= Self.form.firstLine.count + RecordReader.overheadBytes else { return nil }
    let bytes = try RefsError.wrapping { () throws(SystemError) in
      try file.read(Place.checkBytes, at: end - Place.checkBytes)
    }
    return bytes.count == Place.checkBytes ? bytes : nil
  }

  /// Visits the rows of a payload.
  ///
  /// - Returns: `false` when it has another form; then none was visited.
  fileprivate static func forEach(_ payload: [UInt8], _ visit: (Entry) -> Void) -> Bool {
    var entries: [Entry] = []
    var place = 0
    while place < payload.count {
      guard let entry = entry(payload, &place) else { return false }
      entries.append(entry)
    }
    for entry in entries { visit(entry) }
    return true
  }

  private static func entry(_ payload: [UInt8], _ place: inout Int) -> Entry? {
    let start = place + Digest.byteCount
    guard start < payload.count, let digest = Digest(raw: payload.span.extracting(place..<start))
    else { return nil }
    let sourceEnd = start + 1 + Int(payload[start])
    guard sourceEnd - start - 1 <= sourceLimit, sourceEnd + 2 <= payload.count,
      let source = String(validating: payload[start + 1..<sourceEnd], as: UTF8.self)
    else { return nil }
    let count = Int(payload[sourceEnd]) << 8 | Int(payload[sourceEnd + 1])
    let end = sourceEnd + 2 + (count == noList ? 0 : count)
    guard end <= payload.count else { return nil }
    var list: AccessList?
    if count != noList {
      guard let read = AccessList(decoding: Array(payload[sourceEnd + 2..<end])) else { return nil }
      list = read
    }
    place = end
    return Entry(
      id: ObjectID(digest: digest), source: source, list: list, key: Array(payload[start..<end]))
  }

  fileprivate static func payloads(_ rows: [Row], from source: String) -> [[UInt8]] {
    let name = Array(source.utf8.prefix(sourceLimit))
    var payloads: [[UInt8]] = []
    var payload: [UInt8] = []
    for (id, list) in rows {
      id.appendRaw(to: &payload)
      payload.append(UInt8(name.count))
      payload += name
      let count = list?.bytes.count ?? noList
      payload += [UInt8(count >> 8), UInt8(count & 0xFF)]
      payload += list?.bytes ?? []
      guard payload.count >= recordBytes else { continue }
      payloads.append(payload)
      payload = []
    }
    if !payload.isEmpty { payloads.append(payload) }
    return payloads
  }

  /// A payload without the rows of some nodes; `nil` when it has another form.
  private static func without(_ payload: [UInt8], _ ids: Set<ObjectID>) -> [UInt8]? {
    var rest: [UInt8] = []
    let isGood = forEach(payload) { entry in
      guard !ids.contains(entry.id) else { return }
      entry.id.appendRaw(to: &rest)
      rest += entry.key
    }
    return isGood ? rest : nil
  }

  /// Waits for the right to change the file.
  ///
  /// - Parameter options: how long to wait, and what a change waits for.
  /// - Returns: the right; `nil` when there is no file.
  /// - Throws: `locked` when another process still holds it.
  package func hold(_ options: RefsOptions) throws(RefsError) -> NotesHold? {
    try notes.hold(options)
  }
}

/// Adds rows to the access lists of a store.
///
/// A class, because everything that learns of lists adds to the same value.
package final class AccessWriter {
  private let access: AccessNotes
  private let options: RefsOptions
  private var known: NotesFile.Known<AccessNotes.Found>?

  /// Adds rows to the file of a store.
  ///
  /// - Parameters:
  ///   - directory: the store's directory, `.redo`.
  ///   - options: how long to wait for others, and what an addition waits for.
  package init(in directory: borrowing Directory, _ options: RefsOptions) {
    access = AccessNotes(in: directory)
    self.options = options
  }

  /// Adds those rows that say something new, and that whoever says it may say.
  ///
  /// The file is made with the first row, and what others have added is read once.
  ///
  /// - Parameters:
  ///   - rows: nodes, and their lists.
  ///   - source: the name of the remote that says so; empty where this store does.
  ///   - may: whether it may, for a node and the source of the list that the node has; `nil` where it has none.
  /// - Returns: the nodes whose lists are others now.
  /// - Throws: `locked`, `corrupt` when the file is damaged, which it stays, or `system`; rows may be missing then.
  @discardableResult
  package func append(
    _ rows: [AccessNotes.Row], from source: String = "", where may: (ObjectID, String?) -> Bool
  ) throws(RefsError) -> [ObjectID] {
    guard !rows.isEmpty else { return [] }
    var changed: [ObjectID] = []
    try access.notes.append(&known, from: AccessNotes.Found(), options) { found, payload in
      AccessNotes.forEach(payload) { found.put($0) }
    } _: { found in
      var new: [ObjectID: AccessList?] = [:]
      for (id, list) in rows where may(id, found.source(of: id)) {
        new.updateValue(list, forKey: id)
      }
      new = new.filter { id, list in
        list != found[id] || list != nil && source != found.source(of: id)
      }
      changed = new.keys.sorted()
      return AccessNotes.payloads(changed.map { ($0, new[$0] ?? nil) }, from: source)
    }
    return changed
  }
}
