import Glibc
import RedoCommands
import RedoReadCommands
import RedoWriteCommands
import RedoRepository
import RedoShell
import RedoStore
import Testing

/// A record with its bytes.
private struct Row: Equatable {
  var bytes: [UInt8]
  var offset: Int
  var byteCount: Int
  var number: Int
  var state: LineRecord.State

  init(_ record: LineRecord, of buffer: [UInt8]) {
    bytes = Array(buffer[record.range])
    offset = record.offset
    byteCount = record.byteCount
    number = record.number
    state = record.state
  }
}

@Suite("Records of a stream")
struct ShellLineReaderTests {
  private func rows(
    _ bytes: [UInt8], separator: UInt8 = 10, limitBytes: Int = 1_048_576
  ) throws -> [Row] {
    try withStream(bytes) { descriptor in
      var reader = LineReader(
        descriptor: descriptor, separator: separator, limitBytes: limitBytes)
      var rows: [Row] = []
      while let record = try reader.next() { rows.append(Row(record, of: reader.bytes)) }
      return rows
    }
  }

  private func texts(_ text: String, separator: UInt8 = 10) throws -> [String] {
    try rows(Array(text.utf8), separator: separator).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
  }

  /// Some lines of given lengths, with their numbers in them.
  private func lines(_ counts: [Int]) -> [UInt8] {
    counts.enumerated().flatMap { index, count in
      [UInt8](repeating: UInt8(ascii: "a") + UInt8(index % 26), count: count) + [10]
    }
  }

  @Test("a stream that cannot be read")
  func unreadable() {
    var reader = LineReader(descriptor: -1, limitBytes: 10)
    var error: CommandError?
    do { _ = try reader.next() } catch let failure { error = CommandError(failure) }
    #expect(error == .fatal("read error: bad file descriptor"))
  }

  @Test("separators and ends")
  func small() throws {
    #expect(try texts("") == [])
    #expect(try texts("\n") == [""])
    #expect(try texts("a") == ["a"])
    #expect(try texts("a\n\nb\n") == ["a", "", "b"])
    #expect(try texts("a\n\0b\r\nc") == ["a", "\0b\r", "c"])
    #expect(try texts("a\nb\0\0c", separator: 0) == ["a\nb", "", "c"])
    let states = try rows(Array("a\nb".utf8)).map(\.state)
    #expect(states == [.complete, .unterminated])
  }

  @Test(
    "a record that is too long is counted, not kept",
    arguments: [
      11, 12, 65_535, 65_536, 65_537, 131_072, 262_144, 1_000_000,
    ])
  func tooLong(count: Int) throws {
    let found = try rows(lines([10, count, 3, count]) + [120], limitBytes: 10)
    #expect(found.map(\.state) == [.complete, .tooLong, .complete, .tooLong, .unterminated])
    #expect(found.map(\.byteCount) == [10, count, 3, count, 1])
    #expect(found.map(\.offset) == [0, 11, count + 12, count + 16, 2 * count + 17])
    #expect(found.map(\.number) == [1, 2, 3, 4, 5])
    #expect(found.map(\.bytes.count) == [10, 0, 3, 0, 1])
    let last = try rows([UInt8](repeating: 1, count: count), limitBytes: 10)
    #expect(last.map(\.byteCount) == [count])
    #expect(last.map(\.state) == [.tooLong])
  }

  @Test(
    "records across the borders of the buffer are whole",
    arguments: [
      65_535, 65_536, 65_537, 131_071, 131_072, 262_143, 262_144, 262_145, 700_000,
    ])
  func borders(count: Int) throws {
    let counts = [count, 71, count - 1, 0, count + 1, 71]
    let bytes = lines(counts)
    var offset = 0
    for (row, count) in zip(try rows(bytes), counts) {
      #expect(row.offset == offset)
      #expect(row.byteCount == count)
      #expect(row.bytes == Array(bytes[offset..<(offset + count)]))
      offset += count + 1
    }
    #expect(offset == bytes.count)
  }

  @Test("any mixture is split as a plain split would do it", arguments: [1, 2, 3, 4])
  func mixture(seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    let counts = (0..<3000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Int(state >> 33)
      return value % 50 == 0 ? value % 90_000 : value % 200
    }
    let bytes = lines(counts)
    let found = try rows(bytes, limitBytes: 60_000)
    #expect(found.map(\.byteCount) == counts)
    #expect(found.map { $0.state == .tooLong } == counts.map { $0 > 60_000 })
    #expect(found.allSatisfy { $0.bytes.elementsEqual(bytes[$0.offset...].prefix($0.bytes.count)) })
  }

  @Test("a pause of the input is noticed")
  func pauses() throws {
    var ends: [Int32] = [0, 0]
    // SAFETY: pipe fills in two descriptors.
    try #require(unsafe pipe(&ends) == 0)
    defer { close(ends[0]) }
    try #require(unsafe write(ends[1], "a\nb\nc", 5) == 5)
    var reader = LineReader(descriptor: ends[0], limitBytes: 10)
    var isBuffered = [reader.hasBufferedRecord()]
    var records = [try reader.next()]
    isBuffered.append(reader.hasBufferedRecord())
    records.append(try reader.next())
    isBuffered.append(reader.hasBufferedRecord())
    try #require(unsafe write(ends[1], "c\nd", 3) == 3)
    records.append(try reader.next())
    close(ends[1])
    for _ in 0..<3 { records.append(try reader.next()) }
    #expect(isBuffered == [false, true, false])
    #expect(records.map { $0?.byteCount } == [1, 1, 2, 1, nil, nil])
    #expect(records.map { $0?.offset } == [0, 2, 4, 7, nil, nil])
    #expect(records[3]?.state == .unterminated)
  }

  @Test("batches hold neighbours, up to a count of records or bytes")
  func batches() throws {
    try withStream(lines([3, 3, 90, 3, 4, 3])) { descriptor in
      var batches = BatchReader(
        LineReader(descriptor: descriptor, limitBytes: 50), recordLimit: 4, byteLimit: 7)
      let found = [try batches.next(), try batches.next(), try batches.next()]
      let first = try #require(found[0])
      #expect(first.records.map(\.range) == [0..<3, 3..<6, 6..<6, 6..<9])
      #expect(first.records.map(\.offset) == [0, 4, 8, 99])
      #expect(first.records.map(\.state) == [.complete, .complete, .tooLong, .complete])
      #expect(first.bytes == Array("aaabbbddd".utf8))
      #expect(found[1]?.records.map(\.number) == [5, 6])
      #expect(found[2] == nil)
    }
  }

  @Test("an impatient batch does not wait")
  func impatient() throws {
    var ends: [Int32] = [0, 0]
    // SAFETY: pipe fills in two descriptors.
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try #require(unsafe write(ends[1], "a\nb\nc", 5) == 5)
    var batches = BatchReader(
      LineReader(descriptor: ends[0], limitBytes: 10), patience: .untilInputPauses)
    let batch = try batches.next()
    #expect(batch?.bytes == Array("ab".utf8))
  }
}
