// An audit of a whole store: what it finds, and that it can be continued where it stopped.

import RedoObject
import RedoStore
import Testing

@testable import RedoRepository

@Suite("An audit of a store")
struct StoreAuditTests {
  @Test("finds nothing where all is well")
  func clean() throws {
    let store = try VectorStore("linear")
    var findings: [StoreFinding] = []
    let outcome = try StoreAudit.run(.init(.v1), store.effects) { finding, _ in
      findings.append(finding)
    }
    #expect(findings.isEmpty)
    #expect(!outcome.hasError && outcome.token == nil)
    #expect(outcome.judged.filter { $0.value > 0 } == [.good: 18])
  }

  @Test("finds what is missing, and says that it is an error")
  func missing() throws {
    let store = try VectorStore("linear")
    try store.loseObjects()
    var ids: Set<ObjectID> = []
    var severities: Set<Severity> = []
    let outcome = try StoreAudit.run(.init(.v1), store.effects) { finding, severity in
      if let id = finding.id { ids.insert(id) }
      severities.insert(severity)
    }
    #expect(outcome.hasError)
    #expect(outcome.token == nil)
    #expect(severities.contains(.error))
    #expect(ids.isSuperset(of: [store.nodes[5].id, store.nodes[11].id, store.nodes[17].id]))
  }

  @Test("stops when its time is over, and is done once others have gone on")
  func resumed() throws {
    let store = try VectorStore("linear")
    var part = AuditPart(duration: 0)
    var runs = 0
    while true {
      let outcome = try StoreAudit.run(.init(.v1, part), store.effects) { _, _ in }
      runs += 1
      guard let token = outcome.token else { break }
      let resumption = try #require(AuditPart.Resumption(token))
      part = AuditPart(resume: resumption, duration: 0)
      try #require(runs < 100)
    }
    #expect(runs > 2)
  }

  @Test("ends with what it is told to end with")
  func ended() throws {
    struct Enough: Error {}
    let store = try VectorStore("linear")
    try store.loseObjects()
    let error = fault(Enough.self) {
      _ = try StoreAudit.run(.init(.v1), store.effects) { _, _ in throw Enough() }
    }
    #expect(error != nil)
  }
}
