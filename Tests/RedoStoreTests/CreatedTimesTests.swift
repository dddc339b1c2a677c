// When remotes first had nodes: the earliest time counts, a torn record is skipped and overwritten, and damage costs
// what follows it and nothing else.

import RedoCrypto
import RedoObject
import RedoStore
import Testing

@Suite("Times of creation")
struct CreatedTimesTests {
  private typealias Row = (id: ObjectID, time: WallTime)
  private static let file = "created"
  private static let options = RefsOptions(sync: .none, lockTimeoutMilliseconds: 0)

  private func id(_ number: UInt8) -> ObjectID {
    ObjectID(digest: SHA256.digest(of: [number].span))
  }

  private func rows(_ times: KeyValuePairs<UInt8, Int64>) -> [Row] {
    times.map { (id($0.key), WallTime(milliseconds: $0.value)) }
  }

  private func writer(_ scratch: borrowing Scratch) -> CreatedWriter {
    CreatedWriter(in: scratch.directory, Self.options)
  }

  /// Takes rows out of the file, which is there.
  private func remove(
    _ ids: Set<ObjectID>?, _ scratch: borrowing Scratch
  ) throws -> RefsError? {
    guard let hold = try CreatedTimes(in: scratch.directory).hold(Self.options) else {
      Issue.record("there is no file")
      return nil
    }
    return try hold.remove(ids)
  }

  /// The times of nodes 0 to 9 that are there.
  private func times(_ scratch: borrowing Scratch) -> [UInt8: Int64] {
    let found = CreatedTimes(in: scratch.directory).read()
    var times: [UInt8: Int64] = [:]
    for number in 0..<UInt8(10) { times[number] = found.times[id(number)]?.milliseconds }
    return times
  }

  @Test("without a file there is nothing, and asking makes none")
  func nothing() throws {
    let scratch = try Scratch()
    let found = CreatedTimes(in: scratch.directory).read()
    #expect(found.times.isEmpty && found.damage == nil && found.endBytes == 0)
    #expect(try writer(scratch).append([]) == 0)
    #expect(try scratch.directory.list().isEmpty)
  }

  @Test("the bytes are those that redo-store(5) describes")
  func bytes() throws {
    let scratch = try Scratch()
    try writer(scratch).append([(id(1), WallTime(milliseconds: 0x0102_0304_0506))])
    let line = Array("@00000028 ".utf8)
    let bytes = try scratch.read(Self.file)
    #expect(bytes.starts(with: Array("redo-created 1\n".utf8) + line))
    let row = (0..<32).map { id(1)[$0] } + [0, 0, 1, 2, 3, 4, 5, 6]
    #expect(Array(bytes[34..<74]) == row)
    let check = SHA256.digest(of: Array(bytes[15..<74]).span)
    #expect(Array(bytes[74...]) == (0..<32).map { check.bytes[$0] })
  }

  @Test("the earliest time holds, before 1970 too; what says nothing new is not added")
  func earliest() throws {
    let scratch = try Scratch()
    let first = writer(scratch)
    #expect(try first.append(rows([1: 500, 2: 700, 2: 600, 3: -62_135_596_800_000])) == 3)
    let size = try scratch.read(Self.file).count
    #expect(try first.append(rows([1: 500, 2: 601])) == 0)
    #expect(try writer(scratch).append(rows([1: 900, 3: 0])) == 0)
    #expect(try scratch.read(Self.file).count == size)
    #expect(try writer(scratch).append(rows([1: 499, 2: 800])) == 1)
    // The first one sees what another one has added.
    #expect(try first.append(rows([1: 499, 4: 1])) == 1)
    #expect(times(scratch) == [1: 499, 2: 600, 3: -62_135_596_800_000, 4: 1])
    let asked = CreatedTimes(in: scratch.directory).read(of: [id(2), id(9)])
    #expect(asked.times == [id(2): WallTime(milliseconds: 600)])
  }

  @Test("wherever the end is torn off, whole records stay, and the next one follows them")
  func torn() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: 10]))
    let first = try scratch.read(Self.file).count
    try writer(scratch).append(rows([2: 20, 3: 30]))
    let whole = try scratch.read(Self.file)
    for end in 0..<whole.count {
      try scratch.write(Self.file, Array(whole[..<end]))
      let found = CreatedTimes(in: scratch.directory).read()
      #expect(found.damage == nil)
      #expect(found.times.count == (end < first ? 0 : 1))
      #expect(found.endBytes + found.tornBytes == end)
      #expect(try writer(scratch).append(rows([4: 40])) == 1)
      #expect(times(scratch) == (end < first ? [4: 40] : [1: 10, 4: 40]))
    }
    try scratch.write(Self.file, whole + [UInt8](repeating: 0, count: 5_000))
    #expect(times(scratch) == [1: 10, 2: 20, 3: 30])
    #expect(CreatedCheck.findings(in: scratch.directory).map(\.rule) == [.fileUnfinished])
    try writer(scratch).append(rows([4: 40]))
    #expect(times(scratch) == [1: 10, 2: 20, 3: 30, 4: 40])
    #expect(CreatedCheck.findings(in: scratch.directory).isEmpty)
  }

  @Test("a byte that is changed costs what stands behind it; nothing is added, and the check tells")
  func damaged() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: 10]))
    let first = try scratch.read(Self.file).count
    try writer(scratch).append(rows([2: 20]))
    let whole = try scratch.read(Self.file)
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x10
      try scratch.write(Self.file, bytes)
      let found = CreatedTimes(in: scratch.directory).read()
      #expect(found.damage != nil, "byte \(place)")
      #expect(found.times.count == (place < first ? 0 : 1), "byte \(place)")
      #expect(throws: RefsError.self) { try writer(scratch).append(rows([4: 40])) }
      #expect(try scratch.read(Self.file) == bytes)
      #expect(CreatedCheck.findings(in: scratch.directory).map(\.rule) == [.createdCorrupt])
    }
  }

  @Test("times that do not exist are damage")
  func range() throws {
    let scratch = try Scratch()
    for time in [253_402_300_800_000, -62_135_596_800_001, Int64.max, Int64.min] {
      try scratch.write(Self.file, [])
      try writer(scratch).append(rows([1: time]))
      let found = CreatedTimes(in: scratch.directory).read()
      #expect(found.times.isEmpty && found.damage != nil)
    }
  }

  @Test("rows are taken out, and the file with the last one")
  func removal() throws {
    let scratch = try Scratch()
    let isThere = try CreatedTimes(in: scratch.directory).hold(Self.options) != nil
    #expect(!isThere)
    let old = writer(scratch)
    try old.append(rows([1: 10, 2: 20, 3: 30]))
    try old.append(rows([2: 15]))
    let before = try scratch.read(Self.file)
    #expect(try remove([id(7)], scratch) == nil)
    #expect(try scratch.read(Self.file) == before)
    #expect(try remove([id(2)], scratch) == nil)
    #expect(times(scratch) == [1: 10, 3: 30])
    #expect(try scratch.directory.list() == [Self.file])
    // A reader of the file that was replaced then reads the new one.
    try old.append(rows([2: 90]))
    #expect(times(scratch) == [1: 10, 2: 90, 3: 30])
    #expect(try remove([id(1), id(2), id(3)], scratch) == nil)
    #expect(try scratch.directory.list().isEmpty)
    try old.append(rows([1: 1]))
    #expect(try remove(nil, scratch) == nil)
    #expect(try scratch.directory.list().isEmpty)
  }

  @Test("of a damaged file nothing is kept from there on when rows are taken out")
  func removalOfDamage() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: 10, 2: 20]))
    try writer(scratch).append(rows([3: 30]))
    var bytes = try scratch.read(Self.file)
    bytes[bytes.count - 1] ^= 1
    try scratch.write(Self.file, bytes)
    #expect(try remove([id(1)], scratch) != nil)
    #expect(times(scratch) == [2: 20])
    #expect(CreatedCheck.findings(in: scratch.directory).isEmpty)
  }

  @Test("one writer waits for another")
  func locked() throws {
    let scratch = try Scratch()
    try writer(scratch).append(rows([1: 10]))
    let hold = try CreatedTimes(in: scratch.directory).hold(Self.options)
    #expect(throws: RefsError.self) { try writer(scratch).append(rows([2: 20])) }
    extendLifetime(hold)
  }
}
