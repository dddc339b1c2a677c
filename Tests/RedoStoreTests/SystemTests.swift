import Glibc
import Synchronization
import Testing

@testable import RedoStore

@Suite("System")
struct SystemTests {
  @Test("an error reads as one line, fault first")
  func errorText() {
    let error = SystemError(code: EACCES, operation: "open", path: "/x/y")
    #expect(error.description == "cannot open '/x/y': permission denied")
    #expect(SystemError(code: 0, operation: "x", path: "").description == "cannot x: success")
    #expect(SystemError(code: EIO, operation: "x", path: "").reason == "input/output error")
  }

  @Test("what is written is read again, in every way of reading")
  func readAndWrite() throws {
    let scratch = try Scratch()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try scratch.write("file", bytes)
    let file = try scratch.directory.openFile("file", .readWrite, [.noFollow])
    #expect(try file.status().kind == .regular)
    #expect(try file.status().size == bytes.count)
    #expect(try file.readAll() == bytes)
    #expect(try file.read(10, at: 199_995) == Array(bytes.suffix(5)))
    #expect(try file.read(10, at: 300_000) == [])
    try file.writeAll([1, 2, 3].span, at: 5)
    try file.truncate(to: 9)
    try file.sync()
    try file.dataSync()
    #expect(try scratch.read("file") == Array(bytes[0..<5]) + [1, 2, 3, bytes[8]])
    var out: [UInt8] = [9]
    let again = try scratch.directory.openFile("file")
    #expect(try again.read(into: &out, atMost: 3) == 3)
    #expect(out == [9] + bytes[0..<3])
    #expect(throws: SystemError(code: EFBIG, operation: "read", path: scratch.path + "/file")) {
      _ = try scratch.directory.readFile("file", limit: 8)
    }
    #expect(try scratch.directory.readFile("file", limit: 9)?.count == 9)
    #expect(try scratch.directory.readFile("missing") == nil)
  }

  @Test("by a path that somebody else names, only regular files are opened")
  func regular() throws {
    let scratch = try Scratch()
    try scratch.write("file", "x")
    #expect(unsafe symlink("file", scratch.path + "/link") == 0)
    #expect(unsafe symlink("/dev/zero", scratch.path + "/zero") == 0)
    #expect(unsafe mkfifo(scratch.path + "/pipe", 0o644) == 0)
    #expect(try File.openRegular(scratch.path + "/file").readAll() == [UInt8(ascii: "x")])
    #expect(try File.openRegular(scratch.path + "/link").readAll() == [UInt8(ascii: "x")])
    for name in [
      "/dev/zero", "/dev/tty", "\(scratch.path)/zero", "\(scratch.path)/pipe", scratch.path,
    ] {
      #expect { _ = try File.openRegular(name) } throws: {
        guard let error = $0 as? SystemError else { return false }
        return error.isNotRegular
          && error.description == "cannot read '\(name)': it is no regular file"
      }
    }
    #expect { _ = try File.openRegular(scratch.path + "/missing") } throws: {
      ($0 as? SystemError)?.isMissing == true
    }
  }

  @Test("only regular files are read, and pipes do not hold us up")
  func kinds() throws {
    let scratch = try Scratch()
    try scratch.write("file", "x")
    #expect(unsafe symlink("file", scratch.path + "/link") == 0)
    #expect(unsafe mkfifo(scratch.path + "/pipe", 0o644) == 0)
    try scratch.directory.makeDirectory("sub")
    #expect(try scratch.directory.status("link")?.kind == .symbolicLink)
    #expect(try scratch.directory.status("link", isFollowing: true)?.kind == .regular)
    #expect(try scratch.directory.readFile("link") == [UInt8(ascii: "x")])
    #expect { try scratch.directory.readFile("link", isFollowing: false) } throws: {
      ($0 as? SystemError)?.isSymbolicLink == true
    }
    #expect(throws: SystemError.self) { try scratch.directory.readFile("pipe") }
    #expect(throws: SystemError.self) { try scratch.directory.readFile("sub") }
    #expect(try scratch.directory.list().sorted() == ["file", "link", "pipe", "sub"])
    #expect(try scratch.directory.list().count == 4, "listing twice gives the same")
  }

  @Test("directories are made once, renamed over or not, removed")
  func names() throws {
    let scratch = try Scratch()
    #expect(try scratch.directory.makeDirectory("d"))
    #expect(try !scratch.directory.makeDirectory("d"))
    #expect(throws: SystemError.self) { try scratch.directory.makeDirectory("d", mayExist: false) }
    try scratch.write("a", "a")
    try scratch.write("b", "b")
    #expect(throws: SystemError.self) { try scratch.directory.makeDirectory("a") }
    #expect(try !scratch.directory.renameNoReplace("a", to: "b"))
    #expect(try !scratch.directory.linkAndUnlink("a", to: "b"))
    #expect(try scratch.read("b") == Array("b".utf8))
    #expect(try scratch.directory.renameNoReplace("a", to: "c"))
    #expect(try scratch.directory.linkAndUnlink("c", to: "e"))
    try scratch.directory.rename("e", to: "b")
    #expect(try scratch.read("b") == Array("a".utf8))
    #expect(try scratch.directory.unlink("b"))
    #expect(try !scratch.directory.unlink("b"))
    try scratch.directory.sync()
    let sub = try scratch.directory.openSubdirectory("d")
    #expect(sub.path == scratch.path + "/d")
    try scratch.directory.removeDirectory("d")
    #expect(try scratch.directory.list() == [])
    #expect { _ = try scratch.directory.openSubdirectory("d") } throws: {
      ($0 as? SystemError)?.isMissing == true
    }
  }

  @Test("a temporary file is committed or vanishes")
  func temporary() throws {
    let scratch = try Scratch()
    do {
      let temporary = try TemporaryFile(in: scratch.directory, prefix: "tmp_", mode: 0o444)
      try temporary.file.writeAll([1])
      #expect(temporary.name.utf8.count == 4 + 16)
      #expect(try scratch.directory.list() == [temporary.name])
    }
    #expect(try scratch.directory.list() == [])
    for (content, replacing, result) in [
      (UInt8(1), TemporaryFile.Replacing.never, true), (2, .never, false), (3, .always, true),
    ] {
      var temporary = try TemporaryFile(in: scratch.directory, prefix: "tmp_", mode: 0o444)
      try temporary.file.writeAll([content])
      #expect(try temporary.commit(as: "x", replacing: replacing) == result)
    }
    #expect(try scratch.directory.list() == ["x"])
    #expect(try scratch.read("x") == [3])
    #expect(try scratch.directory.status("x")?.mode == 0o444)
  }

  @Test("one holder of a lock, told apart from an error")
  func lock() throws {
    let scratch = try Scratch()
    #expect(try !LockFile.isHeld(in: scratch.directory, name: "lock"))
    do {
      let first = try LockFile.acquire(in: scratch.directory, name: "lock", timeoutMilliseconds: 0)
      let isFirst = first != nil
      #expect(isFirst)
      #expect(try LockFile.isHeld(in: scratch.directory, name: "lock"))
      let start = SystemClock.monotonicNanoseconds()
      let second = try LockFile.acquire(
        in: scratch.directory, name: "lock", timeoutMilliseconds: 30)
      let isSecond = second == nil
      #expect(isSecond)
      let waited = SystemClock.monotonicNanoseconds() - start
      #expect(waited >= 30_000_000)
    }
    #expect(try !LockFile.isHeld(in: scratch.directory, name: "lock"))
    let third = try LockFile.acquire(in: scratch.directory, name: "lock", timeoutMilliseconds: .max)
    let isThird = third != nil
    #expect(isThird)
  }

  @Test("a waiter gets the lock when it becomes free")
  func lockWait() throws {
    let scratch = try Scratch()
    let path = scratch.path
    let counter = Mutex((inside: 0, most: 0, total: 0))
    Threads.run(threads: 4) {
      for _ in 0..<20 {
        guard let directory = try? Directory.open(path),
          let lock = try? LockFile.acquire(
            in: directory, name: "lock", timeoutMilliseconds: 600_000)
        else { return }
        counter.withLock {
          $0.inside += 1
          $0.most = max($0.most, $0.inside)
          $0.total += 1
        }
        SystemClock.sleep(microseconds: 20)
        counter.withLock { $0.inside -= 1 }
        _ = consume lock
      }
    }
    #expect(counter.withLock { $0.most } == 1)
    #expect(counter.withLock { $0.total } == 80)
  }

  @Test("parallel work keeps the order", arguments: [1, 2, 3, 8], [0, 1, 2, 7, 1_000, 10_001])
  func parallel(threads: Int, count: Int) {
    let states = Atomic<Int>(0)
    let outputs = Threads.parallelMap(Array(0..<count), threads: threads) { () -> [Int] in
      states.add(1, ordering: .relaxed)
      return []
    } _: { state, input in
      state.append(input)
      return "\(input * 2)"
    }
    #expect(outputs == (0..<count).map { "\($0 * 2)" })
    let made = states.load(ordering: .relaxed)
    #expect(made <= threads)
  }

  @Test("clock, random, environment and process answer")
  func surroundings() throws {
    #expect(SystemClock.wallMilliseconds() > 1_700_000_000_000)
    let before = SystemClock.monotonicNanoseconds()
    SystemClock.sleep(microseconds: 1_000)
    #expect(SystemClock.monotonicNanoseconds() - before >= 1_000_000)
    #expect(Set((0..<100).map { _ in Random.hex16() }).count == 100)
    #expect(Random.hex16().utf8.count == 16)
    #expect(try CurrentProcess.workingDirectory().utf8.first == UInt8(ascii: "/"))
    #expect(Threads.processorCount >= 1)
  }
}
