// The file of accounts: changed in one step, by one at a time, and never to what a server would refuse.

import RedoCrypto
import RedoObject
import RedoStore
import Synchronization
import TestSupport
import Testing

@testable import RedoRepository

/// A directory of its own with a file of accounts.
private struct Place {
  let scratch: ScratchDirectory
  var path: String { joinPath(scratch.path, "accounts") }
  var file: AccountFile { AccountFile(path: path, name: "accounts") }

  init() throws {
    scratch = try ScratchDirectory(in: "/tmp")
  }

  func read() throws -> [UInt8] { try File.open(path, .read).readAll(limit: 1 << 20) }
  func write(_ bytes: [UInt8]) throws { try File.open(path, .write, [.truncate]).writeAll(bytes) }
}

@Suite("The file of accounts")
struct AccountFileTests {
  private func account(_ name: String, _ store: String = "/srv/a") -> Account {
    Account(name: name, rights: .readReplica, store: store)
  }
  private func digest(_ text: String) -> Digest { SHA256.digest(of: Array(text.utf8).span) }

  @Test("a new file is for its owner alone; comments and other lines stay as they are")
  func changes() throws {
    let place = try Place()
    let file = place.file
    try file.add(account("ada"), token: digest("a"))
    #expect((try FileStatus.at(place.path)?.mode ?? 0) & 0o777 == 0o600)
    try place.write(Array("# who\n\n".utf8) + place.read() + Array("# end".utf8))
    try file.add(account("ada.b", "/srv/with blank"), token: digest("b"))
    try file.revoke("ada")
    let text = String(decoding: try place.read(), as: UTF8.self)
    #expect(
      text == "# who\n\n# end\n" + Accounts.line(account("ada.b", "/srv/with blank"), digest("b")))
    #expect(try file.read().account(token: Array("b".utf8))?.name == "ada.b")
    try file.revoke("ada.b")
    #expect(try file.read().isEmpty)
  }

  @Test("what a server would refuse is not written")
  func refusals() throws {
    let place = try Place()
    let file = place.file
    try file.add(account("ada"), token: digest("a"))
    let before = try place.read()
    func refused(_ body: () throws -> Void) -> String {
      do {
        try body()
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(refused { try file.add(account("ada"), token: digest("b")) }.contains("already"))
    #expect(refused { try file.add(account("bob"), token: digest("a")) }.contains("same token"))
    #expect(refused { try file.add(account("b b"), token: digest("b")) }.contains("accounts:2"))
    #expect(
      refused { try file.add(account("bob", "a"), token: digest("b")) }.contains("begins with '/'"))
    #expect(
      refused { try file.add(account("bob", "/a\nx"), token: digest("b")) }.contains("accounts:3"))
    #expect(refused { try file.revoke("bob") }.contains("no account 'bob'"))
    #expect(try place.read() == before)
    let mode = try File.open(place.path, .readWrite)
    try mode.setMode(0o644)
    #expect(refused { _ = try file.read() }.contains("open to others (mode 644)"))
    #expect(refused { try file.revoke("ada") }.contains("open to others"))
  }

  @Test("many at once: each is there in the end")
  func together() throws {
    let place = try Place()
    let file = place.file
    let next = Atomic<Int>(0)
    let failed = Atomic<Int>(0)
    Threads.run(threads: 4) {
      for _ in 0..<10 {
        let number = next.add(1, ordering: .relaxed).oldValue
        let new = Account(name: "n\(number)", rights: .admin, store: "/a")
        do {
          try file.add(new, token: SHA256.digest(of: Array("\(number)".utf8).span))
        } catch {
          failed.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(failed.load(ordering: .relaxed) == 0)
    #expect(Set(try file.read().all.map(\.name)) == Set((0..<40).map { "n\($0)" }))
  }
}
