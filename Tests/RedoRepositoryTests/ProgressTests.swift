// Long work says how far it has come: from a beginning to an end, upward, and to the number that it said.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("Progress")
struct ProgressTests {
  /// What was reported of one kind of work.
  private func steps(_ work: WorkProgress.Work, _ log: EventLog) -> [WorkProgress] {
    log.events.compactMap {
      if case .progress(let progress) = $0, progress.work == work { progress } else { nil }
    }
  }

  /// Checks that work began, came to a number, and ended.
  private func expect(
    _ log: EventLog, _ work: WorkProgress.Work, reaches count: Int, of total: Int?,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let steps = steps(work, log)
    #expect(steps.first?.step == .begun, sourceLocation: location)
    #expect(steps.last?.step == .ended, sourceLocation: location)
    var done = 0
    for step in steps {
      #expect(step.total == total, sourceLocation: location)
      guard case .done(let now) = step.step else { continue }
      #expect(now >= done, sourceLocation: location)
      done = now
    }
    #expect(done == count, sourceLocation: location)
  }

  @Test("of exports: reading, and then writing")
  func exports() throws {
    let store = try VectorStore("linear")
    let count = store.nodes.count
    for content in [ExportContent.lines, .app, .car(.node)] {
      let log = EventLog()
      _ = try HistoryExport.run(
        .init(to: .stream(content)), try store.open(), store.effects.telling(log),
        write: { _ in }, tell: { _ in })
      expect(log, .readingNodes, reaches: count, of: nil)
      expect(log, .exporting, reaches: count, of: count)
    }
    let log = EventLog()
    _ = try HistoryExport.run(
      .init(to: .directory(path: "files")), try store.open(), store.effects.telling(log),
      write: { _ in }, tell: { _ in })
    expect(log, .exporting, reaches: count, of: count)
  }

  @Test("of archives, and of packs")
  func packing() throws {
    let store = try VectorStore("linear")
    let count = store.nodes.count
    let log = EventLog()
    var request = ArchiveMaking.Request(.all)
    request.path = "all.redo"
    _ = try ArchiveMaking.run(
      request, try store.open(), store.effects.telling(log), write: { _ in }, tell: { _ in })
    expect(log, .packing, reaches: count, of: count)
    let other = EventLog()
    try StoreTidying.run(
      .init(before: 0), try store.open(), store.effects.telling(other)
    ) { _ in }
    expect(other, .readingNodes, reaches: count, of: nil)
    expect(other, .packing, reaches: count, of: count)
  }
}
