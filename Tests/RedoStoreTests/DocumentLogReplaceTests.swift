// A log of documents that is written anew while it is in use: whatever a crash leaves of it has everything that was
// acknowledged.

import Foundation
import RedoStore
import TestSupport
import Testing

@Suite("A log of documents that is written anew")
struct DocumentLogReplaceTests {
  private let directory = TemporaryDirectory()

  private var path: String { directory.path }
  private var folder: String { path + "/firestore" }

  private func open(
    _ path: String, _ payloads: inout [[UInt8]], sync: SyncPolicy = .batch
  ) throws(DocumentLogError) -> DocumentLog {
    let store: Directory
    do throws(SystemError) { store = try Directory.open(path) } catch { throw .system(error) }
    var found: [[UInt8]] = []
    let log = try DocumentLog.open(in: store, sync, timeoutMilliseconds: 0) { _, payload, _ in
      found.append(payload)
    }.log
    payloads = found
    return log
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// What a process finds that starts where another was killed now.
  private func crash() throws -> [[UInt8]] {
    let copy = TemporaryDirectory()
    try FileManager.default.copyItem(atPath: folder, toPath: copy.path + "/firestore")
    var payloads: [[UInt8]] = []
    do {
      let log = try open(copy.path, &payloads)
      _ = try log.append([99])
    }
    var again: [[UInt8]] = []
    _ = try open(copy.path, &again)
    #expect(again == payloads + [[99]])
    #expect(try names(copy.path + "/firestore") == ["documents", "lock"])
    return payloads
  }

  @Test("killed at each step: everything acknowledged is there, in the old form or in the new one")
  func steps() throws {
    var payloads: [[UInt8]] = []
    let old = try open(path, &payloads)
    let all: [[UInt8]] = [[1], [2], [3]]
    for payload in all { _ = try old.append(payload) }
    #expect(try crash() == all)
    var writer = try old.replacement()
    #expect(try crash() == all)
    _ = try writer.append([1, 2, 3])
    #expect(try crash() == all)
    try writer.verify()
    #expect(try crash() == all)
    // The old one grows while the new one is written.
    _ = try old.append([4])
    #expect(try crash() == all + [[4]])
    let place = try writer.append([4])
    #expect(try crash() == all + [[4]])
    let new = try old.replace(by: writer)
    #expect(try crash() == [[1, 2, 3], [4]])
    #expect(try names(folder) == ["documents", "lock"])
    #expect(try new.read(1, at: place) == [4])
    _ = try new.append([5])
    #expect(try crash() == [[1, 2, 3], [4], [5]])
  }

  @Test("the old log can be read by who has it still, and takes nothing more")
  func retired() throws {
    var payloads: [[UInt8]] = []
    let old = try open(path, &payloads)
    let place = try old.append([1, 2])
    var writer = try old.replacement()
    _ = try writer.append([3])
    let new = try old.replace(by: writer)
    #expect(try old.read(2, at: place) == [1, 2])
    #expect(old.isBroken && !new.isBroken)
    #expect(throws: DocumentLogError.broken(folder + "/documents")) { try old.append([4]) }
    #expect(try crash() == [[3]])
  }

  @Test("one that is not read back as it was written does not take the place")
  func damaged() throws {
    var payloads: [[UInt8]] = []
    let old = try open(path, &payloads)
    _ = try old.append([1])
    for isVerified in [false, true] {
      var writer = try old.replacement()
      _ = try writer.append([1])
      if isVerified {
        try writer.verify()
        _ = try writer.append([2])
      }
      let name = try #require(try names(folder).first { $0.hasPrefix("tmp_") })
      let handle = try #require(FileHandle(forWritingAtPath: folder + "/" + name))
      try handle.seek(toOffset: UInt64(writer.end - 33))
      try handle.write(contentsOf: [7])
      try handle.close()
      do throws(DocumentLogError) {
        _ = try old.replace(by: writer)
        Issue.record("a damaged log takes the place")
      } catch {
        guard case .corrupt = error else {
          Issue.record("\(error)")
          continue
        }
      }
      #expect(!old.isBroken)
    }
    _ = try old.append([2])
    #expect(try crash() == [[1], [2]])
  }

  @Test("a log of version 1 is read, and becomes one of version 2; another one is refused")
  func versions() throws {
    var payloads: [[UInt8]] = []
    do {
      let log = try open(path, &payloads)
      #expect(!log.isOld)
      _ = try log.append([1])
    }
    let file = URL(filePath: folder + "/documents")
    var bytes = Array(try Data(contentsOf: file))
    #expect(Array(bytes[..<17]) == Array("redo-firestore 2\n".utf8))
    bytes[15] = UInt8(ascii: "1")
    try Data(bytes).write(to: file)
    do {
      let log = try open(path, &payloads)
      #expect(log.isOld && payloads == [[1]])
      _ = try log.append([2])
      var writer = try log.replacement()
      _ = try writer.append([1, 2])
      #expect(try !log.replace(by: writer).isOld)
    }
    #expect(try crash() == [[1, 2]])
    bytes[15] = UInt8(ascii: "3")
    try Data(bytes).write(to: file)
    #expect(throws: DocumentLogError.self) { try open(path, &payloads) }
  }
}
