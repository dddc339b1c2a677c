// Several writers and readers at once. Open-file-description locks keep threads apart as they do processes, so
// threads represent both.

import RedoObject
import Synchronization
import Testing

@testable import RedoStore

@Suite("Refs, concurrent")
struct RefsConcurrencyTests {
  @Test("eight writers that compare and set lose nothing")
  func compareAndSet() throws {
    let fixture = try RefsFixture()
    let path = fixture.scratch.path
    let rounds = 25
    let failures = Mutex<[String]>([])
    let conflicts = Atomic<Int>(0)
    let thread = Atomic<Int>(0)
    Threads.run(threads: 8) {
      let own = thread.add(1, ordering: .relaxed).oldValue
      do {
        let refs = Refs(in: try Directory.open(path))
        let options = RefsOptions(sync: .none, lockTimeoutMilliseconds: 60_000, foldBytes: 4_000)
        for round in 0..<rounds {
          var isDone = false
          while !isDone {
            // The counter's value is the object of a number; the next value is that of the next.
            var snapshot = try refs.snapshot()
            let old = try snapshot.ids(of: name("tags/counter"))
            let count = snapshot.entry
            var transaction = RefTransaction(message: "\(own) \(round)")
            transaction.update(
              name("tags/counter"), to: id(count + 1),
              expecting: old.first ?? RefTransaction.zero)
            transaction.add(id(own * 1_000 + round), to: name("heads/all"))
            transaction.received = [id(own * 1_000 + round)]
            switch try refs.commit(transaction, at: 0, options) {
            case .committed: isDone = true
            case .refused: conflicts.add(1, ordering: .relaxed)
            }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    var snapshot = try fixture.refs.snapshot()
    #expect(snapshot.entry == 8 * rounds)
    #expect(try snapshot.ids(of: name("heads/all")).count == 8 * rounds)
    #expect(try snapshot.ids(of: name("tags/counter")) == [id(8 * rounds)])
    let received = try Received(in: fixture.scratch.directory).load(to: snapshot.receivedBytes)
    #expect(received.count == 8 * rounds)
    // Each change has replaced the value that the one before it set.
    var values: [ObjectID] = []
    #expect(
      try fixture.refs.forEachEntry { entry in
        let counter = name("tags/counter")
        let removed = entry.removals.filter { $0.name == counter }.map(\.id)
        if removed != values.suffix(1) { Issue.record("entry \(entry.number) does not follow") }
        values += entry.additions.filter { $0.name == counter }.map(\.id)
        return true
      } == 8 * rounds)
  }

  @Test("a reader never sees a mixture while a writer writes and folds")
  func readerDuringFolds() throws {
    let fixture = try RefsFixture()
    let path = fixture.scratch.path
    let isOver = Atomic<Bool>(false)
    let role = Atomic<Int>(0)
    let written = Atomic<Int>(0)
    let seen = Mutex<(reads: Int, generations: Set<Int>, failures: [String])>((0, [], []))
    Threads.run(threads: 3) {
      let isWriter = role.add(1, ordering: .relaxed).oldValue == 0
      do {
        let refs = Refs(in: try Directory.open(path))
        if isWriter {
          defer { isOver.store(true, ordering: .sequentiallyConsistent) }
          let options = RefsOptions(sync: .none, foldBytes: 2_000)
          // As often as the readers need, which may get less of the processors.
          for round in 1...100_000 {
            let isEnough = seen.withLock {
              !$0.failures.isEmpty || $0.reads > 10 && $0.generations.count > 5
            }
            if round > 150, isEnough { break }
            // Forty refs that always change together.
            var transaction = RefTransaction(message: "")
            for number in 0..<40 { transaction.update(name("tags/\(number)"), to: id(round)) }
            _ = try refs.commit(transaction, at: 0, options)
            written.store(round, ordering: .relaxed)
          }
        } else {
          while !isOver.load(ordering: .sequentiallyConsistent) {
            var snapshot = try refs.snapshot()
            var ids: Set<ObjectID> = []
            var count = 0
            try snapshot.forEach {
              ids.insert($0.id)
              count += 1
              return true
            }
            let isGood =
              snapshot.entry == 0 ? count == 0 : count == 40 && ids == [id(snapshot.entry)]
            let (entry, generation) = (snapshot.entry, snapshot.generation)
            seen.withLock {
              $0.reads += 1
              $0.generations.insert(generation)
              if !isGood { $0.failures.append("entry \(entry): \(count) refs, \(ids.count) ids") }
            }
          }
        }
      } catch {
        seen.withLock { $0.failures.append("\(error)") }
      }
    }
    let result = seen.withLock { $0 }
    #expect(result.failures == [])
    #expect(result.reads > 10 && result.generations.count > 5)
    #expect(try fixture.refs.snapshot().entry == written.load(ordering: .relaxed))
  }
}
