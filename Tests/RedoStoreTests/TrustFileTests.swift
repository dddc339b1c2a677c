import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

@Suite("Trust file: reading and changing")
struct TrustFileTests {
  private static let ada = String(repeating: "ad", count: 32)
  private static let bob = String(repeating: "b0", count: 32)

  private static func line(_ hex: String) throws -> TrustLine {
    let signer = Signer(hex: Array(hex.utf8).span)
    return TrustLine(try #require(signer))
  }

  @Test("a store without one has none; one that is named must be there")
  func missing() throws {
    let scratch = try Scratch()
    #expect(try TrustFile.store(scratch.path).read()?.text.bytes == nil)
    for path in ["\(scratch.path)/other", "\(scratch.path)/no/where"] {
      do throws(TrustError) {
        _ = try TrustFile.named(path).read()
        Issue.record("it is read")
      } catch {
        guard case .missing(path) = error else { throw error }
      }
    }
  }

  @Test("the first file is never half there, and the second of two who make it sees the first")
  func made() throws {
    let scratch = try Scratch()
    let file = TrustFile.store(scratch.path)
    let one = try file.hold(RefsOptions())
    let other = try file.hold(RefsOptions())
    #expect(one.isNew && other.isNew)
    #expect(try scratch.directory.status(Layout.trust)?.size == nil)
    var text = TrustText()
    try text.append([try Self.line(Self.ada)])
    #expect(try one.commit(text, .none))
    var late = TrustText()
    try late.append([try Self.line(Self.bob)])
    #expect(try !other.commit(late, .none))
    #expect(try scratch.read(Layout.trust) == text.bytes)
    #expect(try scratch.directory.list() == [Layout.trust])
  }

  @Test("one writer at a time; whoever waited for a file that was replaced starts anew")
  func locked() throws {
    let scratch = try Scratch()
    try scratch.write(Layout.trust, Self.ada + "\n")
    let file = TrustFile.store(scratch.path)
    let held = try file.hold(RefsOptions())
    do throws(TrustError) {
      _ = try file.hold(RefsOptions(lockTimeoutMilliseconds: 0))
      Issue.record("two hold it")
    } catch {
      guard case .locked = error else { throw error }
    }
    var text = held.text
    try text.append([try Self.line(Self.bob)])
    #expect(try held.commit(text, .batch))
    let next = try file.hold(RefsOptions(lockTimeoutMilliseconds: 0))
    #expect(next.text.entries.count == 2 && !next.isNew)
  }

  @Test("many writers at once: no line is lost")
  func crowd() throws {
    let scratch = try Scratch()
    let file = TrustFile.store(scratch.path)
    let (threads, rounds) = (8, 50)
    let failures = Threads.parallelMap(
      Array(0..<threads), threads: threads, makeState: { 0 }
    ) { _, thread -> String? in
      do {
        for round in 0..<rounds {
          let user = UserID(bytes: InlineArray { UInt8($0 == 0 ? thread : $0 == 1 ? round : 1) })
          while true {
            let held = try file.hold(RefsOptions(lockTimeoutMilliseconds: 600_000))
            var text = held.text
            try text.append([TrustLine(.user(user))])
            if try held.commit(text, .none) { break }
          }
        }
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(failures.compactMap { $0 } == [])
    #expect(try file.read()?.text.entries.count == threads * rounds)
  }

  @Test(
    "a file that others may write is told of; too large a one, and no regular file, are refused")
  func odd() throws {
    let scratch = try Scratch()
    try scratch.write(Layout.trust, Self.ada)
    let file = TrustFile.store(scratch.path)
    #expect(try file.read()?.isExposed == false)
    try scratch.directory.openFile(Layout.trust).setMode(0o620)
    #expect(try file.read()?.isExposed == true)
    try scratch.directory.openFile(Layout.trust, .write).truncate(to: TrustFile.byteLimit + 1)
    do throws(TrustError) {
      _ = try file.read()
      Issue.record("it is read")
    } catch {
      guard case .tooLarge = error else { throw error }
    }
    _ = try scratch.directory.unlink(Layout.trust)
    try scratch.directory.makeDirectory(Layout.trust)
    do throws(TrustError) {
      _ = try file.read()
      Issue.record("it is read")
    } catch {
      guard case .irregular = error else { throw error }
    }
  }
}
