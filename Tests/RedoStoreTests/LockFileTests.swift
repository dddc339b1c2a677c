import Foundation
import Testing

@testable import RedoStore

@Suite("Locks and programs")
struct LockFileTests {
  /// Programs that other tests start have such copies for some moments, and so has whatever a command
  /// of ours starts.
  @Test("a lock ends with its holder, though a program that is about to run has its descriptor")
  func copied() throws {
    let scratch = try Scratch()
    var copy: Int32 = -1
    defer { _ = close(copy) }
    do {
      let lock = try LockFile.acquire(
        in: scratch.directory, name: "lock", part: .byte(3), timeoutMilliseconds: 0)
      let isLocked = lock != nil
      #expect(isLocked)
      let here = "/proc/self/fd"
      for name in try FileManager.default.contentsOfDirectory(atPath: here) {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(here)/\(name)")
        if target == scratch.path + "/lock", let number = Int32(name) { copy = dup(number) }
      }
      #expect(copy >= 0)
      #expect(try LockFile.isHeld(in: scratch.directory, name: "lock"))
      extendLifetime(lock)
    }
    #expect(try !LockFile.isHeld(in: scratch.directory, name: "lock"))
  }
}
