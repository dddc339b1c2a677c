// Between event loops and threads: nothing is lost, nobody waits for ever, and memory is bounded.

import Foundation
import NIOCore
import RedoNIO
import RedoRemote
import Synchronization
import Testing

// The limit also counts the time in which other tests have all threads, scripts among them.
@Suite("Bytes between threads", .timeLimit(.minutes(60)))
struct FlowTests {
  @Test("what was pushed is read, in order, and then the end")
  func order() throws {
    let bytes = IncomingBytes(limit: 100) {}
    #expect(bytes.push(ByteBuffer(bytes: [1, 2, 3])))
    #expect(bytes.push(ByteBuffer(bytes: [4])))
    bytes.finish()
    #expect(bytes.push(ByteBuffer(bytes: [5])), "what comes after the end is dropped")
    #expect(try bytes.read(atMost: 2, waitingSeconds: 1) == [1, 2])
    #expect(try bytes.read(atMost: 9, waitingSeconds: 1) == [3, 4])
    #expect(try bytes.read(atMost: 9, waitingSeconds: 1) == [])
    #expect(try bytes.read(atMost: 9, waitingSeconds: 1) == [])
  }

  @Test("a failure is told after what had come, and again")
  func failure() throws {
    let bytes = IncomingBytes(limit: 100) {}
    _ = bytes.push(ByteBuffer(bytes: [1]))
    bytes.fail(.closed)
    bytes.finish()
    #expect(bytes.hasEnded)
    #expect(try bytes.read(atMost: 9, waitingSeconds: 1) == [1])
    for _ in 0..<2 {
      #expect(throws: RemoteError.closed) { try bytes.read(atMost: 9, waitingSeconds: 1) }
    }
  }

  @Test("when the time is over there is nothing, and bytes that come later are read")
  func time() throws {
    let bytes = IncomingBytes(limit: 100) {}
    #expect(try bytes.read(atMost: 9, waitingSeconds: 0.01) == nil)
    #expect(try bytes.read(atMost: 9, waitingSeconds: -1) == nil)
    _ = bytes.push(ByteBuffer(bytes: [1]))
    #expect(try bytes.read(atMost: 9, waitingSeconds: 0) == [1])
  }

  @Test("the loop is asked to stop at the limit, and told to go on once at half of it")
  func pressure() throws {
    let resumed = Atomic<Int>(0)
    let bytes = IncomingBytes(limit: 10) { resumed.add(1, ordering: .relaxed) }
    #expect(bytes.push(ByteBuffer(repeating: 0, count: 9)))
    #expect(!bytes.push(ByteBuffer(repeating: 0, count: 1)))
    _ = try bytes.read(atMost: 4, waitingSeconds: 1)
    #expect(resumed.load(ordering: .relaxed) == 0)
    _ = try bytes.read(atMost: 1, waitingSeconds: 1)
    #expect(resumed.load(ordering: .relaxed) == 1)
    _ = try bytes.read(atMost: 9, waitingSeconds: 1)
    #expect(resumed.load(ordering: .relaxed) == 1)
  }

  @Test("what was still on its way when the loop was asked to stop takes nothing back")
  func late() throws {
    let resumed = Atomic<Int>(0)
    let bytes = IncomingBytes(limit: 10) { resumed.add(1, ordering: .relaxed) }
    #expect(!bytes.push(ByteBuffer(repeating: 0, count: 10)))
    _ = try bytes.read(atMost: 4, waitingSeconds: 1)
    #expect(!bytes.push(ByteBuffer(repeating: 0, count: 1)))
    _ = try bytes.read(atMost: 9, waitingSeconds: 1)
    #expect(resumed.load(ordering: .relaxed) == 1)
    #expect(bytes.push(ByteBuffer(repeating: 0, count: 9)))
  }

  @Test("a window lets a thread wait until there is room, or nothing is sent any more")
  func window() {
    let window = SendWindow(limit: 10)
    #expect(window.open(for: 9, waitingSeconds: 0) == .room)
    // One beyond the limit: a piece that is larger than the window must pass some time.
    #expect(window.open(for: 100, waitingSeconds: 0) == .room)
    #expect(window.open(for: 1, waitingSeconds: 0.01) == .late)
    window.sent(9)
    #expect(window.open(for: 1, waitingSeconds: 0.01) == .late)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      window.sent(100)
    }
    #expect(window.open(for: 100, waitingSeconds: 60) == .room)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.05)
      window.stop()
    }
    #expect(window.open(for: 1, waitingSeconds: 60) == .stopped)
    window.sent(100)
    #expect(window.open(for: 1, waitingSeconds: 0) == .stopped)
  }

  @Test("patience ends: with nobody who says nothing, and with somebody who says too little")
  func patience() {
    var patience = PeerPatience(limitSeconds: 10)
    #expect(patience.seconds == 10)
    for _ in 0..<9 { patience.count(waitedSeconds: 1, bytes: 1) }
    #expect(patience.seconds > 1 && patience.seconds < 1.1)
    patience.count(waitedSeconds: 9, bytes: 0)
    #expect(patience.seconds == 0)
    // A peer that sends much has earned a pause, but none beyond the limit.
    patience.count(waitedSeconds: 0, bytes: 1_000_000)
    #expect(patience.seconds == 10)
  }
}
