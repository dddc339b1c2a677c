// Connections over descriptors: both sides full, the other side gone, silent or talking out of turn; and
// programs at the other end.

import Glibc
import RedoStore
import Testing

/// What a thread found; unchecked: it is read when the thread has ended.
private final class Found: @unchecked Sendable {
  var error: StreamError?
}

// The limit also counts the time in which other tests have all threads, scripts among them.
@Suite("Two-way streams", .timeLimit(.minutes(60)))
struct TwoWayStreamTests {
  private static let many = [UInt8](repeating: 7, count: 1_000_000)

  /// As commands do that hold signals.
  init() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Runs `body` with one end in a thread.
  private func pair(
    _ patience: TwoWayStream.Patience = .init(),
    _ body: @escaping @Sendable (TwoWayStream) throws(StreamError) -> Void
  ) throws -> (TwoWayStream, Threads.Started) {
    let (ours, theirs) = try TwoWayStream.pair(patience)
    let thread = Threads.start {
      try? body(theirs)
      theirs.close()
    }
    return (ours, try #require(thread))
  }

  private func readAll(_ stream: TwoWayStream) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try stream.read(atMost: 10_000)
      if more.isEmpty { return bytes }
      bytes += more
    }
  }

  @Test("more than a pipe holds goes through, in both directions one after the other")
  func large() throws {
    let (ours, thread) = try pair { stream throws(StreamError) in
      var count = 0
      while count < Self.many.count { count += try stream.read(atMost: 65_536).count }
      try stream.write(Self.many)
    }
    try ours.write(Self.many)
    ours.endOutput()
    #expect(try readAll(ours) == Self.many)
    thread.join()
  }

  @Test("two sides that both write do not wait for ever: one is told, and goes")
  func bothWrite() throws {
    let (ours, theirs) = try TwoWayStream.pair(.init())
    let found = Found()
    let thread = Threads.start {
      do throws(StreamError) { try theirs.write(Self.many) } catch { found.error = error }
      theirs.close()
    }
    var mine: StreamError?
    do throws(StreamError) { try ours.write(Self.many) } catch { mine = error }
    ours.close()
    try #require(thread).join()
    let errors = [mine, found.error]
    #expect(errors.contains(.flooded) && errors.allSatisfy { $0 == .flooded || $0 == .closed })
  }

  @Test("what the other side said before it went is read after a write has failed")
  func lastWord() throws {
    let (ours, thread) = try pair { stream throws(StreamError) in try stream.write([1, 2, 3]) }
    thread.join()
    #expect(throws: StreamError.closed) { try ours.write(Self.many) }
    #expect(try readAll(ours) == [1, 2, 3])
    #expect(try ours.read(atMost: 1) == [])
  }

  @Test("silence and signals end a wait")
  func waits() throws {
    let (ours, theirs) = try TwoWayStream.pair(.init(seconds: 1))
    #expect(throws: StreamError.silent(seconds: 1)) { try ours.read(atMost: 1) }
    #expect(throws: StreamError.silent(seconds: 1)) { try ours.write(Self.many) }
    theirs.close()
    let (mine, others) = try TwoWayStream.pair(.init { true })
    #expect(throws: StreamError.interrupted) { try mine.read(atMost: 1) }
    others.close()
  }

  @Test("a program: what it is given, says, and ends with")
  func program() throws {
    let cat = try ChildProcess("/bin/cat", ["cat"], .init())
    try cat.stream.write(Array("hello".utf8))
    cat.stream.endOutput()
    #expect(try readAll(cat.stream) == Array("hello".utf8))
    #expect(cat.wait(graceMilliseconds: 60_000) == .exited(0))
    #expect(cat.wait(graceMilliseconds: 0) == .exited(0))
    let words = ["sh", "-c", "echo \"$1|$VARIABLE\"; exit 7", "sh", "a b$(id)"]
    let shell = try ChildProcess("/bin/sh", words, variables: ["VARIABLE": "x y"], .init())
    #expect(String(decoding: try readAll(shell.stream), as: UTF8.self) == "a b$(id)|x y\n")
    #expect(shell.wait(graceMilliseconds: 60_000) == .exited(7))
    let killed = try ChildProcess("/bin/sh", ["sh", "-c", "kill -9 $$"], .init())
    _ = try readAll(killed.stream)
    #expect(killed.wait(graceMilliseconds: 60_000) == .signaled(9))
    #expect(throws: SystemError.self) { try ChildProcess("/nowhere/x", ["x"], .init()) }
  }

  @Test("a program that does not end is stopped, whatever it does about it")
  func stubborn() throws {
    let deaf = try ChildProcess(
      "/bin/sh", ["sh", "-c", "trap '' TERM; echo; while :; do sleep 0.1; done"], .init())
    _ = try deaf.stream.read(atMost: 1)
    #expect(deaf.wait(graceMilliseconds: 200) == .stopped)
  }

  @Test("programs are found on the PATH, and nowhere else")
  func find() {
    let here = ":relative:/nowhere:/bin"
    #expect(Programs.find("sh", in: here) == "/bin/sh")
    #expect(Programs.find("no-such-program", in: here) == nil)
    #expect(Programs.find("", in: here) == nil)
    #expect(Programs.find("/bin/sh", in: here) == "/bin/sh")
    #expect(Programs.find("/etc/passwd", in: here) == nil)
    #expect(Programs.find("/bin", in: here) == nil)
    #expect(Programs.find("sh", in: Programs.usualPath) != nil)
  }
}
