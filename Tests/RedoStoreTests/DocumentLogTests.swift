// The log of documents: a torn record is cut off, damage is reported, and only one process writes.

import Foundation
import RedoStore
import TestSupport
import Testing

@Suite("A log of documents")
struct DocumentLogTests {
  private let directory = TemporaryDirectory()

  private var path: String { directory.path }

  private var file: String { path + "/firestore/documents" }

  private func open(
    _ payloads: inout [[UInt8]]
  ) throws(DocumentLogError) -> (log: DocumentLog, cutBytes: Int) {
    var found: [[UInt8]] = []
    let store: Directory
    do throws(SystemError) { store = try Directory.open(path) } catch { throw .system(error) }
    let opened = try DocumentLog.open(in: store, .none, timeoutMilliseconds: 0) { _, payload, _ in
      found.append(payload)
    }
    payloads = found
    return opened
  }

  /// A log with three records, closed again.
  private func make() throws {
    var payloads: [[UInt8]] = []
    let log = try open(&payloads).log
    for payload in [[1, 2, 3], [], [UInt8](repeating: 7, count: 100_000)] {
      let start = try log.append(payload)
      #expect(try log.read(payload.count, at: start) == payload)
    }
    #expect(log.byteCount == (try bytes().count))
  }

  private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: file))) }

  @Test("what was added is there again, in order")
  func order() throws {
    try make()
    var payloads: [[UInt8]] = []
    #expect(try open(&payloads).cutBytes == 0)
    #expect(payloads.map(\.count) == [3, 0, 100_000])
  }

  @Test("wherever the end is torn off, all whole records stay, and the next one follows them")
  func torn() throws {
    try make()
    let whole = try bytes()
    let last = whole.count - 100_000 - DocumentLog.overheadBytes
    for end in [last + 1, last + 8, last + 18, last + 19, last + 500, whole.count - 1] {
      try Data(whole[..<end]).write(to: URL(filePath: file))
      var payloads: [[UInt8]] = []
      do {
        let (log, cutBytes) = try open(&payloads)
        #expect(cutBytes == end - last)
        #expect(payloads.count == 2)
        _ = try log.append([9])
      }
      _ = try open(&payloads)
      #expect(payloads == [[1, 2, 3], [], [9]])
    }
  }

  @Test("zeros at the end are what some file systems leave of a write")
  func zeros() throws {
    try make()
    try Data(try bytes() + [UInt8](repeating: 0, count: 70_000)).write(to: URL(filePath: file))
    var payloads: [[UInt8]] = []
    #expect(try open(&payloads).cutBytes == 70_000)
    #expect(payloads.count == 3)
  }

  @Test("a flipped bit before the end is told with its place, and nothing is changed")
  func damage() throws {
    try make()
    let whole = try bytes()
    for place in [3, 17, 18, 25, 37, 39, 70, 90, 120, 5_000, whole.count - 1] {
      var damaged = whole
      damaged[place] ^= 4
      try Data(damaged).write(to: URL(filePath: file))
      var payloads: [[UInt8]] = []
      let error = #expect(throws: DocumentLogError.self, "byte \(place)") { try open(&payloads) }
      guard case .corrupt(_, let offset, _) = error else {
        Issue.record("byte \(place): \(String(describing: error))")
        continue
      }
      #expect(offset <= place)
      #expect(try bytes() == damaged)
    }
  }

  @Test("who comes second is refused, until the first is gone")
  func lock() throws {
    var payloads: [[UInt8]] = []
    do {
      let first = try open(&payloads)
      #expect(throws: DocumentLogError.locked(path + "/firestore/lock")) { try open(&payloads) }
      _ = try first.log.append([1])
    }
    _ = try open(&payloads)
    #expect(payloads == [[1]])
  }

  @Test("another log takes the place of one, under the same lock")
  func replaced() throws {
    try make()
    var payloads: [[UInt8]] = []
    do {
      let old = try open(&payloads).log
      var writer = try old.replacement()
      let start = try writer.append([5, 6])
      let new = try old.replace(by: writer)
      #expect(try new.read(2, at: start) == [5, 6])
      #expect(throws: DocumentLogError.self) { try open(&payloads) }
      _ = try new.append([8])
    }
    _ = try open(&payloads)
    #expect(payloads == [[5, 6], [8]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/firestore").count == 2)
  }

  @Test("a log that is given up leaves the old one, and nothing else")
  func givenUp() throws {
    try make()
    var payloads: [[UInt8]] = []
    let old = try open(&payloads).log
    do {
      var writer = try old.replacement()
      _ = try writer.append([5, 6])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/firestore").count == 2)
    #expect(try old.append([1]) > 0)
  }
}
