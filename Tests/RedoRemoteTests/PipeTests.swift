// Two threads and pipes that hold little: sides that take turns never wait for each other for ever.

import Foundation
import RedoRemote
import TestSupport
import Testing

/// Bytes in one direction; a writer waits while it is full.
///
/// Unchecked: everything is behind the condition.
private final class Pipe: @unchecked Sendable {
  private let condition = NSCondition()
  private let limit: Int
  private var bytes: [UInt8] = []
  private var isClosed = false

  init(limit: Int) { self.limit = limit }

  func write(_ new: [UInt8]) -> Bool {
    var rest = new[...]
    condition.lock()
    defer { condition.unlock() }
    while !rest.isEmpty {
      while bytes.count == limit, !isClosed { condition.wait() }
      guard !isClosed else { return false }
      let count = min(rest.count, limit - bytes.count)
      bytes += rest.prefix(count)
      rest = rest.dropFirst(count)
      condition.broadcast()
    }
    return true
  }

  func read(_ count: Int) -> [UInt8] {
    condition.lock()
    defer { condition.unlock() }
    while bytes.isEmpty, !isClosed { condition.wait() }
    let next = Array(bytes.prefix(count))
    bytes.removeFirst(next.count)
    condition.broadcast()
    return next
  }

  func close() {
    condition.lock()
    isClosed = true
    condition.broadcast()
    condition.unlock()
  }
}

/// One end of two pipes.
private final class PipeStream: ByteStream {
  private let incoming: Pipe
  private let outgoing: Pipe

  init(_ incoming: Pipe, _ outgoing: Pipe) {
    self.incoming = incoming
    self.outgoing = outgoing
  }

  func read(atMost limit: Int) throws(RemoteError) -> [UInt8] { incoming.read(limit) }

  func write(_ bytes: [UInt8]) throws(RemoteError) {
    guard outgoing.write(bytes) else { throw .closed }
  }

  func close() {
    incoming.close()
    outgoing.close()
  }
}

/// Why a server has ended; unchecked: it is read when the thread has ended.
private final class Found: @unchecked Sendable {
  var error: RemoteError?
}

// The limit also counts the time in which other tests have all threads, scripts among them.
@Suite("Two threads and small pipes", .timeLimit(.minutes(60)))
struct PipeTests {
  /// Runs a server in a thread of its own while `body` talks to it; gives the server's error.
  private func serve(
    _ theirs: Set<Item>, refusing: Bool = false, _ body: (PipeStream) throws -> Void
  ) throws -> RemoteError? {
    let (up, down) = (Pipe(limit: 100), Pipe(limit: 100))
    let done = DispatchSemaphore(value: 0)
    let found = Found()
    let thread = Thread {
      let stream = PipeStream(up, down)
      let store = MemoryStore(theirs, filling: 100)
      let none = NoPacks()
      var server = ServerExchange(
        stream, source: store.source, greeting: .init(store: nil), maker: store,
        taker: refusing ? none : store)
      do throws(RemoteError) { try server.run() } catch { found.error = error }
      stream.close()
      done.signal()
    }
    thread.start()
    let stream = PipeStream(down, up)
    defer { stream.close() }
    try body(stream)
    stream.close()
    done.wait()
    return found.error
  }

  @Test("large packs in both directions in one turn")
  func both() throws {
    var random = SeededRandom(seed: 1)
    let (ours, theirs) = (random.items(700, spread: 900), random.items(900, spread: 900))
    let store = MemoryStore(ours, filling: 100)
    let salt = random.salt()
    let error = try serve(theirs) { stream in
      var client = ClientExchange(stream, source: store.source, hello: ClientHello(salt: salt))
      let difference = try client.compare { _ in }
      let outcome = try client.transfer(
        want: difference.want, store, have: difference.have, store)
      #expect(outcome.here?.taken == 900 && outcome.there?.taken == 700)
    }
    #expect(error == nil)
    #expect(store.items == ours.union(theirs))
  }

  @Test("a server that gives up while a client still sends says why")
  func givesUp() throws {
    var random = SeededRandom(seed: 1)
    let store = MemoryStore(random.items(700, spread: 900), filling: 100)
    let salt = random.salt()
    let error = try serve([], refusing: true) { stream in
      var client = ClientExchange(stream, source: store.source, hello: ClientHello(salt: salt))
      let difference = try client.compare { _ in }
      #expect(throws: RemoteError.peer(PeerFault(.stopped, "nothing is taken here"))) {
        try client.transfer(want: [], NoPacks(), have: difference.have, store)
      }
    }
    #expect(error == .stopped("nothing is taken here"))
  }
}
