// Work by several threads: each input once, the results in order, no more ahead than allowed, nothing left
// behind.

import Foundation
import RedoStore
import Synchronization
import Testing

@Suite("Ordered work")
struct OrderedWorkTests {
  private typealias Numbers = OrderedWork<[Int], Int, Int, Int>

  /// Work on numbers, which takes them from the front.
  private func work(
    on numbers: [Int], limit: Int = .max,
    _ make: @escaping @Sendable (Int, Bool) -> Int
  ) -> Numbers {
    Numbers(
      numbers, limit: limit,
      Numbers.Steps(
        next: { $0.isEmpty ? nil : $0.removeFirst() }, makeState: { 0 },
        make: { calls, number, isAlone in
          calls += 1
          return make(number, isAlone)
        }, cost: { _ in 1 }))
  }

  private func wait(until isDone: () -> Bool) {
    while !isDone() { usleep(1_000) }
  }

  @Test(
    "each input is worked on once, and the results have their order", .timeLimit(.minutes(60)),
    arguments: [0, 1, 3])
  func order(threads: Int) {
    let made = Mutex<[Int: Int]>([:])
    let work = work(on: Array(0..<400)) { number, isAlone in
      #expect(isAlone == (threads == 0))
      made.withLock { $0[number, default: 0] += 1 }
      if number % 7 == 0 { usleep(UInt32(number % 5) * 300) }
      return number * 2
    }
    work.begin(threads: threads)
    #expect(work.isBegun == (threads > 0))
    var results: [Int] = []
    while let result = work.next() { results.append(result) }
    #expect(results == (0..<400).map { $0 * 2 })
    #expect(made.withLock { $0.count == 400 && $0.values.allSatisfy { $0 == 1 } })
    #expect(work.next() == nil)
  }

  @Test("no more is begun ahead than the limit allows", .timeLimit(.minutes(60)))
  func limit() {
    let made = Mutex(0)
    let work = work(on: Array(0..<1_000), limit: 5) { number, _ in
      made.withLock { $0 += 1 }
      return number
    }
    work.begin(threads: 2)
    wait { made.withLock { $0 >= 5 } }
    usleep(30_000)
    // Both threads may have been at one when the fifth was done.
    #expect(made.withLock { (5...6).contains($0) })
    for number in 0..<100 { #expect(work.next() == number) }
    wait { made.withLock { $0 >= 105 } }
    usleep(30_000)
    #expect(made.withLock { (105...107).contains($0) })
  }

  @Test("behind a result that takes long no more is begun either", .timeLimit(.minutes(60)))
  func slow() {
    let made = Mutex(0)
    let isGoing = Mutex(false)
    let work = work(on: Array(0..<1_000), limit: 5) { number, _ in
      made.withLock { $0 += 1 }
      while number == 0, !isGoing.withLock({ $0 }) { usleep(1_000) }
      return number
    }
    work.begin(threads: 2)
    wait { made.withLock { $0 > 0 } }
    let release = Ahead {
      usleep(100_000)
      let count = made.withLock { $0 }
      isGoing.withLock { $0 = true }
      return count
    }
    // This one would have gone on with all of them.
    #expect(work.next() == 0)
    #expect(release.value() <= 8)
  }

  @Test("whoever asks takes part instead of waiting", .timeLimit(.minutes(60)))
  func takingPart() {
    let isTaken = Mutex(false)
    let isHelped = Mutex<pthread_t?>(nil)
    let work = work(on: [0, 1]) { number, _ in
      if number == 0 {
        isTaken.withLock { $0 = true }
        while isHelped.withLock({ $0 == nil }) { usleep(1_000) }
      } else {
        isHelped.withLock { $0 = pthread_self() }
      }
      return number
    }
    work.begin(threads: 1)
    wait { isTaken.withLock { $0 } }
    #expect(work.next() == 0)
    let own = pthread_self()
    #expect(isHelped.withLock { $0 == own })
    #expect(work.next() == 1)
    #expect(work.next() == nil)
  }

  @Test("what had no more inputs may get some", .timeLimit(.minutes(60)), arguments: [0, 2])
  func extending(threads: Int) {
    let work = work(on: [1, 2]) { number, _ in number }
    work.begin(threads: threads)
    #expect([work.next(), work.next(), work.next()] == [1, 2, nil])
    work.extend { $0 += [3] }
    #expect([work.next(), work.next()] == [3, nil])
  }

  @Test("dropping it waits for what its threads are at, and for no more", .timeLimit(.minutes(60)))
  func dropping() {
    let begun = Mutex(0)
    let ended = Mutex(0)
    do {
      let work = work(on: Array(0..<1_000)) { number, _ in
        begun.withLock { $0 += 1 }
        usleep(20_000)
        ended.withLock { $0 += 1 }
        return number
      }
      work.begin(threads: 2)
      wait { begun.withLock { $0 > 0 } }
    }
    let counts = (begun.withLock { $0 }, ended.withLock { $0 })
    #expect(counts.0 == counts.1 && counts.0 < 1_000)
    usleep(30_000)
    #expect(begun.withLock { $0 } == counts.0)
  }
}
