// Which accounts may see nodes: the last row counts, whoever may not change a list does not, a torn record is skipped and
// overwritten, and what is damaged is not gone by.

import RedoCrypto
import RedoObject
import RedoStore
import Testing

@Suite("Access lists")
struct AccessNotesTests {
  private static let file = "access"
  private static let options = RefsOptions(sync: .none, lockTimeoutMilliseconds: 0)

  private func id(_ number: UInt8) -> ObjectID {
    ObjectID(digest: SHA256.digest(of: [number].span))
  }

  private func rows(_ lists: KeyValuePairs<UInt8, [String]?>) -> [AccessNotes.Row] {
    lists.map { (id($0.key), $0.value.map { AccessList(of: $0) }) }
  }

  private func writer(_ scratch: borrowing Scratch) -> AccessWriter {
    AccessWriter(in: scratch.directory, Self.options)
  }

  /// The lists of nodes 0 to 9 that are there.
  private func lists(_ scratch: borrowing Scratch) -> [UInt8: [String]] {
    let found = AccessNotes(in: scratch.directory).read()
    var lists: [UInt8: [String]] = [:]
    for number in 0..<UInt8(10) { lists[number] = found[id(number)]?.accounts }
    return lists
  }

  @Test("a list has each account once, in the order of bytes, and what cannot be one is left out")
  func list() throws {
    let long = String(repeating: "x", count: 129)
    let list = AccessList(of: ["bob", "ada", "", "bob", long, "é"])
    #expect(list.accounts == ["ada", "bob", "é"])
    #expect(list.contains("bob") && !list.contains("bo") && !list.contains("e\u{301}"))
    #expect(AccessList(decoding: list.bytes) == list)
    #expect(AccessList.nobody.accounts.isEmpty && AccessList(decoding: []) == .nobody)
    let many = AccessList(of: (0..<1_000).map { "\($0)-" + String(repeating: "y", count: 100) })
    #expect(many.bytes.count <= AccessList.byteLimit && AccessList(decoding: many.bytes) == many)
  }

  @Test(
    "bytes of another form are no list",
    arguments: [
      [0], [2, 97], [1, 0xFF], [129] + [UInt8](repeating: 97, count: 129), [1, 98, 1, 97],
      [1, 97, 1, 97],
    ] as [[UInt8]])
  func noList(_ bytes: [UInt8]) { #expect(AccessList(decoding: bytes) == nil) }

  @Test("without a file there is nothing, and asking makes none")
  func nothing() throws {
    let scratch = try Scratch()
    let found = AccessNotes(in: scratch.directory).read()
    #expect(found.isEmpty && found.damage == nil && found.endBytes == 0)
    #expect(try writer(scratch).append([]) { _, _ in true }.isEmpty)
    #expect(try AccessNotes(in: scratch.directory).changes(since: nil).place == nil)
    #expect(try scratch.directory.list().isEmpty)
  }

  @Test("the bytes are those that redo-store(5) describes")
  func bytes() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: ["ada", "bob"]]), from: "hub") { _, _ in true }
    let bytes = try scratch.read(Self.file)
    let line = Array("@0000002e ".utf8)
    #expect(bytes.starts(with: Array("redo-access 1\n".utf8) + line))
    let row =
      (0..<32).map { id(1)[$0] } + [3] + Array("hub".utf8) + [0, 8, 3] + Array("ada".utf8) + [3]
      + Array("bob".utf8)
    #expect(Array(bytes[33..<79]) == row)
    let check = SHA256.digest(of: Array(bytes[14..<79]).span)
    #expect(Array(bytes[79...]) == (0..<32).map { check.bytes[$0] })
  }

  @Test("the last row counts; what says nothing new is not added, and what may not be said neither")
  func last() throws {
    let scratch = try Scratch()
    let first = writer(scratch)
    let all: (ObjectID, String?) -> Bool = { _, _ in true }
    #expect(try first.append(rows([1: ["ada"], 2: ["bob"], 3: []]), where: all).count == 3)
    #expect(lists(scratch) == [1: ["ada"], 2: ["bob"], 3: []])
    let size = try scratch.read(Self.file).count
    #expect(try first.append(rows([1: ["ada"], 4: nil]), where: all).isEmpty)
    #expect(try writer(scratch).append(rows([1: ["eve"]])) { $1 == nil }.isEmpty)
    // A remote has no say about what this store has said, and neither has another remote about what it has.
    #expect(
      try first.append(rows([1: ["eve"], 5: ["ann"]]), from: "hub") { $1 ?? "hub" == "hub" } == [
        id(5)
      ])
    #expect(try first.append(rows([5: ["eve"]]), from: "other") { $1 == "other" }.isEmpty)
    #expect(try writer(scratch).append(rows([5: []]), from: "hub") { $1 == "hub" } == [id(5)])
    #expect(try scratch.read(Self.file).count > size)
    // The first one sees what another one has added.
    #expect(try first.append(rows([5: []]), from: "hub") { $1 == "hub" }.isEmpty)
    #expect(try first.append(rows([2: nil]), where: all) == [id(2)])
    #expect(lists(scratch) == [1: ["ada"], 3: [], 5: []])
    let found = AccessNotes(in: scratch.directory).read()
    #expect(found.source(of: id(5)) == "hub" && found.source(of: id(1)) == "")
    let shows = found.shows(to: "ada")
    #expect(shows(id(1)) && !shows(id(3)) && !shows(id(7)))
    #expect(AccessNotes(in: scratch.directory).read(of: [id(3)])[id(1)] == nil)
  }

  @Test("who knows a place reads what follows it, and everything where that is another file")
  func changes() throws {
    let scratch = try Scratch()
    let all: (ObjectID, String?) -> Bool = { _, _ in true }
    try writer(scratch).append(rows([1: ["ada"]]), where: all)
    let notes = AccessNotes(in: scratch.directory)
    let first = try notes.changes(since: nil)
    let place = try #require(first.place)
    #expect(first.rows.map(\.id) == [id(1)])
    #expect(try notes.changes(since: place).rows.isEmpty)
    #expect(try notes.changes(since: place).place == place)
    #expect(AccessNotes.Place(text: place.text) == place)
    for text in ["", "0", "1-", "x-\(place.text)", "0\(place.text)", "\(place.text)0", "-5-ab"] {
      #expect(AccessNotes.Place(text: text) == nil, "\(text)")
    }
    try writer(scratch).append(rows([2: ["bob"], 1: nil]), where: all)
    let then = try notes.changes(since: place)
    #expect(Set(then.rows.map(\.id)) == [id(1), id(2)])
    #expect(then.rows.first { $0.id == id(1) }?.list == nil)
    for text in [
      "99999-\(place.text.split(separator: "-")[1])",
      "9223372036854775807-" + String(repeating: "a", count: 32),
    ] {
      let foreign = try #require(AccessNotes.Place(text: text))
      #expect(try notes.changes(since: foreign).rows.count == 3)
    }
    // A list that is followed reads on, and starts anew where the file has been replaced.
    var known = AccessNotes.Found()
    #expect(Set(notes.update(&known)) == [id(2)])
    #expect(notes.update(&known).isEmpty)
    try writer(scratch).append(rows([3: ["eve"]]), where: all)
    #expect(notes.update(&known) == [id(3)])
    let hold = try notes.hold(Self.options)
    _ = try hold?.remove([id(3)])
    #expect(notes.update(&known) == [id(3)])
    #expect(known[id(3)] == nil && known[id(2)]?.accounts == ["bob"])
    _ = try notes.hold(Self.options)?.remove(nil)
    #expect(notes.update(&known) == [id(2)])
    #expect(known.isEmpty)
  }

  @Test("wherever the end is torn off, whole records stay, and the next one follows them")
  func torn() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: ["ada"]])) { _, _ in true }
    let first = try scratch.read(Self.file).count
    try writer(scratch).append(rows([2: ["bob"], 3: []])) { _, _ in true }
    let whole = try scratch.read(Self.file)
    for end in 0..<whole.count {
      try scratch.write(Self.file, Array(whole[..<end]))
      let found = AccessNotes(in: scratch.directory).read()
      #expect(found.damage == nil)
      #expect(found.endBytes + found.tornBytes == end)
      #expect(lists(scratch) == (end < first ? [:] : [1: ["ada"]]))
      #expect(try writer(scratch).append(rows([4: ["eve"]])) { _, _ in true }.count == 1)
      #expect(lists(scratch) == (end < first ? [4: ["eve"]] : [1: ["ada"], 4: ["eve"]]))
    }
    try scratch.write(Self.file, whole + [UInt8](repeating: 0, count: 5_000))
    #expect(lists(scratch) == [1: ["ada"], 2: ["bob"], 3: []])
    #expect(AccessCheck.findings(in: scratch.directory).map(\.rule) == [.fileUnfinished])
  }

  @Test(
    "a byte that is changed is damage, the check tells, nothing is added, and who follows sees no list"
  )
  func damaged() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: ["ada"]])) { _, _ in true }
    let first = try scratch.read(Self.file).count
    try writer(scratch).append(rows([1: []])) { _, _ in true }
    let whole = try scratch.read(Self.file)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x10
      try scratch.write(Self.file, bytes)
      let found = AccessNotes(in: scratch.directory).read()
      #expect(found.damage != nil, "byte \(place)")
      #expect(found[id(1)]?.accounts == (place < first ? nil : ["ada"]), "byte \(place)")
      #expect(throws: RefsError.self) { try writer(scratch).append(rows([4: []])) { _, _ in true } }
      #expect(throws: RefsError.self) { try AccessNotes(in: scratch.directory).changes(since: nil) }
      #expect(try scratch.read(Self.file) == bytes)
      #expect(AccessCheck.findings(in: scratch.directory).map(\.rule) == [.accessCorrupt])
      var known = AccessNotes.Found()
      _ = AccessNotes(in: scratch.directory).update(&known)
      #expect(known.isEmpty, "byte \(place)")
    }
  }

  @Test("rows are taken out, and the file with the last one")
  func removal() throws {
    let scratch = try Scratch()
    let isThere = try AccessNotes(in: scratch.directory).hold(Self.options) != nil
    #expect(!isThere)
    let old = writer(scratch)
    try old.append(rows([1: ["ada"], 2: ["bob"]])) { _, _ in true }
    try old.append(rows([2: [], 3: ["eve"]]), from: "hub") { _, _ in true }
    let before = try scratch.read(Self.file)
    #expect(try AccessNotes(in: scratch.directory).hold(Self.options)?.remove([id(7)]) == nil)
    #expect(try scratch.read(Self.file) == before)
    _ = try AccessNotes(in: scratch.directory).hold(Self.options)?.remove([id(2)])
    #expect(lists(scratch) == [1: ["ada"], 3: ["eve"]])
    try old.append(rows([2: ["ann"]])) { _, _ in true }
    #expect(lists(scratch) == [1: ["ada"], 2: ["ann"], 3: ["eve"]])
    _ = try AccessNotes(in: scratch.directory).hold(Self.options)?.remove([id(1), id(2), id(3)])
    #expect(try scratch.directory.list().isEmpty)
  }

  @Test("lists are copied with who has said them, and a damaged file is not")
  func copy() throws {
    let scratch = try Scratch()
    let other = try Scratch()
    try writer(scratch).append(rows([1: ["ada"], 2: ["bob"]]), from: "hub") { _, _ in true }
    try writer(scratch).append(rows([3: []])) { _, _ in true }
    try AccessNotes(in: scratch.directory).copy(of: [id(1), id(3), id(9)], to: writer(other))
    #expect(lists(other) == [1: ["ada"], 3: []])
    let found = AccessNotes(in: other.directory).read()
    #expect(found.source(of: id(1)) == "hub" && found.source(of: id(3)) == "")
    var bytes = try scratch.read(Self.file)
    bytes[bytes.count - 1] ^= 1
    try scratch.write(Self.file, bytes)
    #expect(throws: RefsError.self) {
      try AccessNotes(in: scratch.directory).copy(of: [id(2)], to: writer(other))
    }
  }

  @Test("one writer waits for another")
  func locked() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: ["ada"]])) { _, _ in true }
    let hold = try AccessNotes(in: scratch.directory).hold(Self.options)
    #expect(throws: RefsError.self) { try writer(scratch).append(rows([2: []])) { _, _ in true } }
    extendLifetime(hold)
  }
}
