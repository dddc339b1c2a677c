// Directories that are gone with their process: also while another thread is still at work in them.

import Foundation
import RedoStore
import Synchronization
import Testing

@Suite("Directories for the time of a process")
struct ScratchDirectoryTests {
  @Test("one that is removed is gone with what is in it, and removing it again is no error")
  func removes() throws {
    let place = try Scratch()
    let scratch = try ScratchDirectory(in: place.path)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/a/b", withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: scratch.path + "/a/b/c"))
    scratch.remove()
    scratch.remove()
    #expect(try place.directory.list().isEmpty)
  }

  @Test("one in which a thread makes files meanwhile is gone all the same")
  func removesWhileUsed() throws {
    let place = try Scratch()
    for _ in 0..<40 {
      let scratch = try ScratchDirectory(in: place.path)
      let inner = scratch.path + "/inner"
      try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
      let made = Atomic<Int>(0)
      _ = Threads.parallelMap([true, false], threads: 2, makeState: {}) { _, makes in
        if makes {
          while made.load(ordering: .relaxed) < 2000,
            FileManager.default.createFile(
              atPath: "\(inner)/\(made.load(ordering: .relaxed))", contents: nil)
          {
            made.add(1, ordering: .relaxed)
            usleep(50)
          }
        } else {
          while made.load(ordering: .relaxed) < 20 { sched_yield() }
          scratch.remove()
        }
      }
      #expect(made.load(ordering: .relaxed) < 2000, "it was removed while files were made")
    }
    #expect(try place.directory.list().isEmpty)
  }
}
