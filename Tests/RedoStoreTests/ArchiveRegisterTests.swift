// The list of registered archives: what is written is read, and nothing else.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("The list of registered archives")
struct ArchiveRegisterTests {
  private static func archive(
    _ number: Int, _ state: RegisteredArchive.State = .kept, path: String
  ) -> RegisteredArchive {
    RegisteredArchive(
      name: id(number).digest, nodes: number, bytes: 1000 + number, hash: id(number + 100).digest,
      state: state, path: path)
  }

  private static let some = [
    archive(1, path: "/a"), archive(2, .removing, path: "/with space/and \\ and \n \u{7f}"),
    archive(3, path: "/Grüße/\u{1F4E6}.redopack"), archive(0, path: "/x20"),
  ]

  private static var register: ArchiveRegister {
    var register = ArchiveRegister()
    for archive in some { register.put(archive) }
    return register
  }

  @Test("a list is read as it was written, sorted by name")
  func roundTrip() throws {
    let register = Self.register
    #expect(register.archives == Self.some.sorted { $0.name < $1.name })
    #expect(try ArchiveRegister(register.encoded()) == register)
    #expect(try ArchiveRegister(ArchiveRegister().encoded()) == ArchiveRegister())
    for archive in Self.some { #expect(register.archive(archive.name) == archive) }
  }

  @Test("an archive takes the place of the one of its name, and can be taken out")
  func put() {
    var register = Self.register
    var moved = Self.some[1]
    moved.path = "/elsewhere"
    register.put(moved)
    #expect(register.archives.count == 4 && register.archive(moved.name)?.path == "/elsewhere")
    register.remove(moved.name)
    #expect(register.archives.count == 3 && register.archive(moved.name) == nil)
  }

  @Test("every changed, missing or added byte is found, and the good lines are told")
  func damage() throws {
    let good = Self.register.encoded()
    var least = Int.max
    func expectDamage(_ bytes: [UInt8], _ what: String) {
      do throws(ArchiveRegister.Failure) {
        _ = try ArchiveRegister(bytes)
        Issue.record("\(what) is not found")
      } catch {
        switch error {
        case .damaged(_, let rest):
          least = min(least, rest.archives.count)
          #expect(rest.archives.count <= 4)
        case .unsupported: break
        case .system: Issue.record("\(what): \(error)")
        }
      }
    }
    for place in good.indices {
      for bit in 0..<8 {
        var bad = good
        bad[place] ^= 1 << UInt8(bit)
        expectDamage(bad, "bit \(bit) of byte \(place)")
      }
      expectDamage(Array(good[..<place]), "the end before byte \(place)")
    }
    #expect(least == 0)
    expectDamage(good + [UInt8(ascii: "\n")], "a line more")
    expectDamage(good + good, "the same twice")
  }

  @Test("one changed byte costs one line at most")
  func salvage() throws {
    let good = Self.register.encoded()
    for place in 16..<good.count - 66 {
      var bad = good
      bad[place] ^= 0x04
      do throws(ArchiveRegister.Failure) {
        _ = try ArchiveRegister(bad)
        Issue.record("byte \(place) is not found")
      } catch {
        guard case .damaged(_, let rest) = error else {
          Issue.record("byte \(place): \(error)")
          continue
        }
        let known = rest.archives.filter { Self.some.contains($0) }
        // A changed line feed makes one line of two.
        #expect(known.count >= (good[place] == 0x0A ? 2 : 3), "byte \(place)")
      }
    }
  }

  @Test("lines out of order, or twice, and paths in another spelling are damage")
  func spelling() {
    func list(_ lines: [String]) -> [UInt8] {
      var bytes = Array("redo-archives 1\n".utf8)
      for line in lines { bytes += (line + "\n").utf8 }
      let digest = SHA256.digest(of: bytes.span)
      Hex.append(digest.bytes.span, to: &bytes)
      return bytes + [0x0A]
    }
    let (one, two) = (String(repeating: "1", count: 64), String(repeating: "2", count: 64))
    func line(_ name: String, _ rest: String) -> String { "\(name) 1 2 \(two) \(rest)" }
    #expect(throws: Never.self) { try ArchiveRegister(list([line(one, "kept /a")])) }
    for lines in [
      [line(two, "kept /a"), line(one, "kept /a")], [line(one, "kept /a"), line(one, "kept /a")],
      [line(one, "kept a")], [line(one, "kept ")], [line(one, "gone /a")],
      [line(one, "kept /\\x41")], [line(one, "kept /\\x5C")], [line(one, "kept /\\")],
      [line(one, "kept /\u{1}")], ["\(one) 01 2 \(two) kept /a"],
    ] {
      #expect(throws: ArchiveRegister.Failure.self, "\(lines)") {
        try ArchiveRegister(list(lines))
      }
    }
  }

  @Test("a list is replaced in one step, and read where there is none")
  func file() throws {
    let scratch = try Scratch()
    #expect(try ArchiveRegister.read(in: scratch.directory) == ArchiveRegister())
    try Self.register.write(in: scratch.directory)
    #expect(try ArchiveRegister.read(in: scratch.directory) == Self.register)
    try ArchiveRegister().write(in: scratch.directory)
    #expect(try ArchiveRegister.read(in: scratch.directory) == ArchiveRegister())
    let folder = try scratch.directory.openSubdirectory(ArchiveRegister.folder)
    #expect(try folder.list() == [ArchiveRegister.fileName])
  }
}
