// Work ahead: once, on a thread of its own, and never left running.

import Foundation
import RedoStore
import Synchronization
import Testing

@Suite("Work ahead")
struct AheadTests {
  @Test("a value is made once, on another thread")
  func once() {
    let calls = Mutex<[pthread_t]>([])
    let ahead = Ahead {
      calls.withLock { $0.append(pthread_self()) }
      return 7
    }
    #expect(ahead.value() == 7)
    let own = pthread_self()
    #expect(calls.withLock { $0.count == 1 && $0[0] != own })
  }

  @Test("whoever drops it waits for it")
  func dropped() {
    let isDone = Mutex(false)
    do {
      _ = Ahead {
        usleep(20_000)
        isDone.withLock { $0 = true }
      }
    }
    #expect(isDone.withLock { $0 })
  }
}
