// Exports of histories: as a stream, as a file, and as a directory of files.

import Foundation
import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("An export")
struct HistoryExportTests {
  private static func run(
    _ request: HistoryExport.Request, _ store: VectorStore, tell: (String) throws -> Void = { _ in }
  ) throws -> (outcome: HistoryExport.Outcome, bytes: [UInt8]) {
    var bytes: [UInt8] = []
    let outcome = try HistoryExport.run(
      request, try store.open(), store.effects, write: { bytes += $0 }, tell: tell)
    return (outcome, bytes)
  }

  @Test("is a node a line, of the history or of what revisions reach")
  func lines() throws {
    let store = try VectorStore("linear")
    let all = try Self.run(.init(to: .stream(.lines)), store)
    #expect(all.bytes.count { $0 == 10 } == 18)
    let some = try Self.run(.init([store.nodes[2].id.text], to: .stream(.lines)), store)
    #expect(some.bytes.count { $0 == 10 } == 3)
  }

  @Test("is a file of the usual name in a directory, and does not replace one that is there")
  func file() throws {
    let store = try VectorStore("linear")
    var request = HistoryExport.Request(to: .file(.app, path: ""))
    guard case .file(let path, let count, let remarks) = try Self.run(request, store).outcome else {
      Issue.record()
      return
    }
    #expect(path == "redo_backup_1760000000.json")
    #expect(store.has(path))
    #expect(count == 18)
    #expect(remarks.counts.isEmpty)
    let refusal = fault(ExportFault.self) { _ = try Self.run(request, store) }
    guard case .unwritten(FileFault.taken) = refusal else {
      Issue.record()
      return
    }
    request.isForced = true
    _ = try Self.run(request, store)
  }

  @Test("is a directory that gets new files alone, and says which are others")
  func directory() throws {
    let store = try VectorStore("linear")
    var request = HistoryExport.Request(to: .directory(path: "out"))
    func files(_ tell: (String) throws -> Void = { _ in }) throws -> HistoryExport.Files? {
      guard case .directory(let files) = try Self.run(request, store, tell: tell).outcome else {
        return nil
      }
      return files
    }
    #expect(
      try files()
        == HistoryExport.Files(path: "out", new: 18, same: 0, replaced: 0, different: 0))
    let name = "out/\(store.nodes[3].id.hex).json"
    try store.write("other", to: name)
    var told: [String] = []
    #expect(
      try files { told.append($0) }
        == HistoryExport.Files(path: "out", new: 0, same: 17, replaced: 0, different: 1))
    #expect(told == [name])
    request.isForced = true
    #expect(
      try files()
        == HistoryExport.Files(path: "out", new: 0, same: 17, replaced: 1, different: 0))
  }
}
