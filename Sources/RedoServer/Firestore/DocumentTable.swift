// The documents in memory: rows by name, and for each account that may read nodes the order of their
// creation. All of it is derived from the log and from the store.

internal import FirestoreModel
internal import RedoObject

/// The rows of all documents.
struct DocumentTable: Sendable {
  private var slots: [DocumentKey: Int32] = [:]
  private var rows: [DocumentRow?] = []
  private var free: [Int32] = []
  /// For each account the slots of the nodes that it may read, by (createdAt, name).
  private var readable: [[UInt8]: [Int32]] = [:]
  /// How many documents are in the log.
  private(set) var loggedCount = 0
  /// How many bytes they have there.
  private(set) var loggedBytes = 0

  /// How many documents there are.
  var count: Int { slots.count }

  /// A document.
  subscript(key: DocumentKey) -> DocumentRow? { slots[key].flatMap { rows[Int($0)] } }

  /// Replaces the document of the same name.
  mutating func put(_ row: DocumentRow) {
    remove(row.key)
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
    for reader in Set(row.held.readers) {
      var list = readable.removeValue(forKey: reader) ?? []
      list.insert(slot, at: place(of: row, in: list))
      readable[reader] = list
    }
  }

  /// Takes a document away.
  @discardableResult
  mutating func remove(_ key: DocumentKey) -> DocumentRow? {
    guard let slot = slots.removeValue(forKey: key), let row = rows[Int(slot)] else { return nil }
    for reader in Set(row.held.readers) {
      var list = readable.removeValue(forKey: reader) ?? []
      let place = place(of: row, in: list)
      if place < list.count, list[place] == slot { list.remove(at: place) }
      if !list.isEmpty { readable[reader] = list }
    }
    if case .log(_, let count) = row.place {
      loggedCount -= 1
      loggedBytes -= count
    }
    rows[Int(slot)] = nil
    free.append(slot)
    return row
  }

  /// Remembers what became of a node.
  mutating func set(_ fate: DocumentRow.Fate, _ id: ObjectID) {
    if let slot = slots[.node(id)] { rows[Int(slot)]?.fate = fate }
  }

  /// All documents, in no order.
  var all: some Sequence<DocumentRow> { rows.lazy.compactMap { $0 } }

  /// The nodes that an account may read.
  func readable(by reader: [UInt8]) -> ReadableRows {
    ReadableRows(rows: rows, slots: readable[reader] ?? [])
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
