// The documents in memory: rows by name, for each account of the server the order of creation of the nodes that it may
// read, and how much each account uses. All of it is derived from the log and from the store. Who else is on the list of a
// document takes no memory but that of the list.

internal import FirestoreModel
internal import RedoObject
internal import RedoStore

/// The rows of all documents.
struct DocumentTable: Sendable {
  private var slots: [DocumentKey: Int32] = [:]
  private var rows: [DocumentRow?] = []
  private var free: [Int32] = []
  /// For each account that is indexed the slots of the nodes that it may read, by (createdAt, name).
  private var readable: [[UInt8]: [Int32]] = [:]
  /// How many documents are in the log.
  private(set) var loggedCount = 0
  /// How many bytes they have there.
  private(set) var loggedBytes = 0
  /// What each account that has written documents uses; its name is kept once, however many there are.
  private var uses: [String: DocumentUse] = [:]

  /// How many documents there are.
  var count: Int { slots.count }

  /// A document.
  subscript(key: DocumentKey) -> DocumentRow? { slots[key].flatMap { rows[Int($0)] } }

  /// Replaces the document of the same name.
  mutating func put(_ row: DocumentRow) {
    remove(row.key)
    var row = row
    if let known = uses.index(forKey: row.account) { row.account = uses[known].key }
    let slot: Int32
    if let last = free.popLast() {
      slot = last
      rows[Int(slot)] = row
    } else {
      slot = Int32(rows.count)
      rows.append(row)
    }
    slots[row.key] = slot
    if case .log(_, let count) = row.place {
      loggedCount += 1
      loggedBytes += count
    }
    if let use = row.use { uses[row.account, default: DocumentUse()] += use }
    for reader in indexed(row) {
      var list = readable.removeValue(forKey: reader) ?? []
      list.insert(slot, at: place(of: row, in: list))
      readable[reader] = list
    }
  }

  /// The accounts on the list of a document that are indexed, each once.
  private func indexed(_ row: DocumentRow) -> Set<[UInt8]> {
    readable.isEmpty ? [] : Set(row.held.readers.filter { readable[$0] != nil })
  }

  /// Takes a document away.
  @discardableResult
  mutating func remove(_ key: DocumentKey) -> DocumentRow? {
    guard let slot = slots.removeValue(forKey: key), let row = rows[Int(slot)] else { return nil }
    for reader in indexed(row) {
      var list = readable.removeValue(forKey: reader) ?? []
      let place = place(of: row, in: list)
      if place < list.count, list[place] == slot { list.remove(at: place) }
      readable[reader] = list
    }
    if case .log(_, let count) = row.place {
      loggedCount -= 1
      loggedBytes -= count
    }
    if let use = row.use { lessen(row.account, by: use) }
    rows[Int(slot)] = nil
    free.append(slot)
    return row
  }

  private mutating func lessen(_ account: String, by use: DocumentUse) {
    uses[account]? -= use
    if uses[account] == DocumentUse() { uses[account] = nil }
  }

  /// Remembers what became of a node.
  mutating func set(_ fate: DocumentRow.Fate, _ id: ObjectID) {
    guard let slot = slots[.node(id)], let old = rows[Int(slot)] else { return }
    rows[Int(slot)]?.fate = fate
    if let use = old.use { lessen(old.account, by: use) }
    if let use = rows[Int(slot)]?.use { uses[old.account, default: DocumentUse()] += use }
  }

  /// Remembers that a document is in another log.
  ///
  /// - Parameters:
  ///   - key: its name.
  ///   - log: the log.
  ///   - offset: where its entry begins there; it has as many bytes as before.
  mutating func move(_ key: DocumentKey, to log: DocumentLog, at offset: Int) {
    guard let slot = slots[key], let row = rows[Int(slot)],
      case .log(_, let count) = row.place
    else { return }
    rows[Int(slot)]?.place = .log(offset: offset, count: count)
    rows[Int(slot)]?.log = log
  }

  /// How much an account uses.
  func use(of account: String) -> DocumentUse { uses[account] ?? DocumentUse() }

  /// Keeps for some accounts what they may read in order from now on.
  ///
  /// - Parameter readers: the accounts, as lists of documents have them; each is worth the memory of an index.
  /// - Complexity: O(*n* log *n*) for the first time that an account is named, however the documents have come.
  mutating func index(_ readers: some Sequence<[UInt8]>) {
    let new = Set(readers).filter { readable[$0] == nil }
    guard !new.isEmpty else { return }
    for (reader, list) in ordered(by: new) { readable[reader] = list }
  }

  private func ordered(by readers: Set<[UInt8]>) -> [[UInt8]: [Int32]] {
    var lists: [[UInt8]: [Int32]] = [:]
    for reader in readers { lists[reader] = [] }
    for (slot, row) in rows.enumerated() {
      guard let row else { continue }
      for reader in Set(row.held.readers).intersection(readers) {
        lists[reader]?.append(Int32(slot))
      }
    }
    return lists.mapValues { list in
      list.sorted { one, other in
        guard let one = rows[Int(one)], let other = rows[Int(other)] else { return false }
        return Self.isBefore(one, other)
      }
    }
  }

  /// All documents, in no order.
  var all: some Sequence<DocumentRow> { rows.lazy.compactMap { $0 } }

  /// The nodes that an account may read; they are looked for where it is not indexed.
  func readable(by reader: [UInt8]) -> ReadableRows {
    ReadableRows(rows: rows, slots: readable[reader] ?? ordered(by: [reader])[reader] ?? [])
  }

  /// The place of a row in the order of creation, or the place where it would be.
  private func place(of row: DocumentRow, in list: [Int32]) -> Int {
    // Nearly all that comes is the newest.
    if let last = list.last, let newest = rows[Int(last)], Self.isBefore(newest, row) {
      return list.count
    }
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if let other = rows[Int(list[middle])], Self.isBefore(other, row) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private static func isBefore(_ one: DocumentRow, _ other: DocumentRow) -> Bool {
    let (first, second) = (one.held.createdAt, other.held.createdAt)
    if first.elementsEqual(second) { return one.key < other.key }
    return first.lexicographicallyPrecedes(second)
  }
}

/// The nodes that one account may read, by (createdAt, name).
struct ReadableRows: RandomAccessCollection, Sendable {
  fileprivate let rows: [DocumentRow?]
  fileprivate let slots: [Int32]

  var startIndex: Int { 0 }
  var endIndex: Int { slots.count }

  subscript(position: Int) -> DocumentRow {
    guard let row = rows[Int(slots[position])] else {
      preconditionFailure("BUG: a document that is gone can be read")
    }
    return row
  }
}
