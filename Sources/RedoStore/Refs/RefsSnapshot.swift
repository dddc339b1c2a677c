// All refs at one moment: the blocks of `refs`, and over them the changes of the journal.

package import RedoCrypto
package import RedoObject

/// A consistent view of the refs of a store.
package struct RefsSnapshot: ~Copyable, Sendable {
  private var reader: RefsReader
  /// What of the journal counts; of a stale one, nothing.
  private(set) var journal: RefsJournal
  /// Whether a crash kept a folded journal from being replaced.
  let isJournalStale: Bool
  /// Why it may not be all: others know of more, or the received log has less than it counts.
  package internal(set) var doubt: RefsError?
  /// For each name the ids that the journal adds (true) or removes (false), the last word of each.
  private var changes: [RefName: [ObjectID: Bool]] = [:]

  init(reader: consuming RefsReader, journal: RefsJournal) {
    self.reader = reader
    self.journal = journal
    isJournalStale = false
    for entry in journal.entries { apply(entry) }
  }

  init(reader: consuming RefsReader, staleJournal: RefsJournal) {
    self.reader = reader
    journal = staleJournal
    isJournalStale = true
  }

  var header: RefsHeader { reader.header }
  private var lastEntry: ReflogEntry? { isJournalStale ? nil : journal.entries.last }

  /// How often `refs` has been written.
  package var generation: Int { header.generation }
  /// The number of the last change, 0 at first.
  package var entry: Int { lastEntry?.number ?? header.entry }
  /// The hash over all changes, 32 zeros at first.
  package var chain: Digest { lastEntry?.chain ?? header.chain }
  /// The bytes of `reflog` that count; what comes after them is in the journal.
  package var reflogBytes: Int { header.reflogBytes }
  /// The bytes of `received` that count.
  package var receivedBytes: Int { lastEntry?.receivedBytes ?? header.receivedBytes }
  /// The number of records in the journal.
  package var journalCount: Int { isJournalStale ? 0 : journal.entries.count }
  /// The bytes of a record in the journal that a crash left unfinished.
  package var tornBytes: Int { isJournalStale ? 0 : journal.tornCount }

  /// The chain after a change.
  ///
  /// - Returns: `nil` when it is neither in the journal nor the last one before.
  func chain(at number: Int) -> Digest? {
    if number == header.entry { return header.chain }
    let index = number - header.entry - 1
    return !isJournalStale && journal.entries.indices.contains(index)
      ? journal.entries[index].chain : nil
  }

  /// How refs have changed since an earlier moment.
  package struct Changes: Sendable {
    /// The bytes of `received` that counted then.
    package let receivedBytes: Int
    /// The refs that stand now and did not stand then.
    package fileprivate(set) var added: Set<Ref> = []
    /// The refs that stood then and do not stand now.
    package fileprivate(set) var removed: Set<Ref> = []

    /// Takes in a later change.
    mutating func apply(_ entry: ReflogEntry) {
      for ref in entry.removals where added.remove(ref) == nil { removed.insert(ref) }
      for ref in entry.additions where removed.remove(ref) == nil { added.insert(ref) }
    }
  }

  /// How refs have changed since an earlier moment, as far as the journal goes back.
  ///
  /// - Parameter chain: the chain of that moment.
  /// - Returns: `nil` when the journal does not have it.
  package func changes(since chain: Digest) -> Changes? {
    guard !isJournalStale else { return nil }
    var start = 0
    var receivedBytes = header.receivedBytes
    if chain != header.chain {
      guard let place = journal.entries.lastIndex(where: { $0.chain == chain }) else { return nil }
      start = place + 1
      receivedBytes = journal.entries[place].receivedBytes
    }
    var changes = Changes(receivedBytes: receivedBytes)
    for entry in journal.entries[start...] { changes.apply(entry) }
    return changes
  }

  private mutating func apply(_ entry: ReflogEntry) {
    for ref in entry.removals { changes[ref.name, default: [:]][ref.id] = false }
    for ref in entry.additions { changes[ref.name, default: [:]][ref.id] = true }
  }

  /// Takes in a record that has just been written.
  mutating func append(_ entry: ReflogEntry, record: [UInt8]) {
    journal.append(entry, record: record)
    apply(entry)
  }

  /// The ids under a name, in order.
  ///
  /// - Parameter name: the name.
  /// - Returns: its ids; empty when there is no such ref.
  /// - Throws: what is wrong with a block that had to be read.
  /// - Complexity: O(log n) reads for n refs, and one or two blocks of 16 KiB; names asked for in order share blocks.
  package mutating func ids(of name: RefName) throws(RefsError) -> [ObjectID] {
    var ids: [ObjectID] = []
    _ = try reader.forEach(from: name.bytes) { (ref) throws(RefsError) in
      guard ref.name == name else { return false }
      ids.append(ref.id)
      return true
    }
    if let changed = changes[name] {
      ids.removeAll { changed[$0] != nil }
      for case (let id, true) in changed { ids.append(id) }
      ids.sort()
    }
    guard ids.count <= 1 || name.isMultiValued else { throw Self.isTwice(name, reader.path) }
    return ids
  }

  /// What is wrong with a name that holds one id and has more.
  static func isTwice(_ name: RefName, _ path: String) -> RefsError {
    .corrupt(path, at: 0, "'\(name.text)' stands more than once")
  }

  /// Visits all refs in order, in bounded memory.
  ///
  /// - Parameters:
  ///   - prefix: what the visited names begin with, such as `heads/`; all when empty.
  ///   - visit: answers whether to go on.
  /// - Throws: the first thing that is wrong, or what the visitor threw.
  package mutating func forEach(
    prefix: String = "", _ visit: (Ref) throws(RefsError) -> Bool
  ) throws(RefsError) {
    let start = Array(prefix.utf8)
    let changed = changes.keys.filter { $0.hasPrefix(start) }.sorted().flatMap { name in
      (changes[name] ?? [:]).map { (ref: Ref(name: name, id: $0.key), stands: $0.value) }
        .sorted { $0.ref < $1.ref }
    }
    var next = 0
    var last: RefName?
    let path = reader.path
    /// Visits a ref; those of a name come one after the other.
    func visitNext(_ ref: Ref) throws(RefsError) -> Bool {
      guard ref.name != last || ref.name.isMultiValued else { throw Self.isTwice(ref.name, path) }
      last = ref.name
      return try visit(ref)
    }
    /// Visits what the journal adds before a ref, or all that it adds.
    func visitAdded(before ref: Ref?) throws(RefsError) -> Bool {
      while next < changed.count, ref == nil || ref.map({ changed[next].ref < $0 }) == true {
        defer { next += 1 }
        if changed[next].stands, !(try visitNext(changed[next].ref)) { return false }
      }
      return true
    }
    var isGoingOn = true
    _ = try reader.forEach(from: start) { (ref) throws(RefsError) in
      guard ref.name.hasPrefix(start) else { return false }
      isGoingOn = try visitAdded(before: ref)
      guard isGoingOn else { return false }
      if next < changed.count, changed[next].ref == ref {
        next += 1
        guard changed[next - 1].stands else { return true }
      }
      isGoingOn = try visitNext(ref)
      return isGoingOn
    }
    if isGoingOn { _ = try visitAdded(before: nil) }
  }

  /// The number of refs.
  ///
  /// - Returns: how many lines `forEach` would visit.
  /// - Throws: what is wrong with a block that had to be read.
  /// - Complexity: one look-up for each name that the journal changes.
  package mutating func count() throws(RefsError) -> Int {
    var count = header.refCount
    for name in changes.keys.sorted() {
      var old = 0
      _ = try reader.forEach(from: name.bytes) { (ref) throws(RefsError) in
        if ref.name == name { old += 1 }
        return ref.name == name
      }
      count += try ids(of: name).count - old
    }
    return count
  }
}
