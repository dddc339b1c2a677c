// Who may ask, and how often.

import RedoCrypto
import RedoObject
import RedoRepository
import RedoServer
import Testing

@Suite("Accounts and limits")
struct AccountTests {
  private func digest(_ token: String) -> String {
    let digest = SHA256.digest(of: Array(token.utf8).span)
    var text: [UInt8] = []
    Hex.append(digest.bytes.span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private func parse(_ text: String) throws -> Accounts { try Accounts(parsing: Array(text.utf8)) }

  @Test("a token finds its account, and nothing else does")
  func tokens() throws {
    let accounts = try parse(
      "# who\n\nada \(digest("one")) replica:write /srv/a\nbob@x \(digest("two")) read /srv/with blank\n"
    )
    #expect(
      accounts.account(token: Array("one".utf8))
        == Account(name: "ada", rights: .writeReplica, store: "/srv/a"))
    #expect(
      accounts.account(token: Array("two".utf8))
        == Account(name: "bob@x", rights: .readDocuments, store: "/srv/with blank"))
    for other in ["", "One", "on", "onee", digest("one")] {
      #expect(accounts.account(token: Array(other.utf8)) == nil, "\(other)")
    }
    #expect(accounts.stores == ["/srv/a", "/srv/with blank"])
  }

  @Test("a token is good until it expires, to the millisecond; a line reads as it was written")
  func expiry() throws {
    let time = try #require(WallTime.parse(Array("2026-03-01T12:00:00.500Z".utf8).span)?.time)
    let account = Account(name: "ada", rights: .readReplica, store: "/srv/a b", expires: time)
    let line = Accounts.line(account, SHA256.digest(of: Array("one".utf8).span))
    let found = try #require(try parse(line).account(token: Array("one".utf8)))
    #expect(found == account)
    #expect(!found.hasExpired(at: time.milliseconds - 1))
    #expect(found.hasExpired(at: time.milliseconds))
    #expect(try parse("# nobody\n").isEmpty)
  }

  @Test(
    "each rule of the file has a line that breaks it",
    arguments: [
      ("ada HASH write", "it is not"),
      ("a/b HASH write /a", "a name has"),
      ("ada 00 write /a", "64 lower-case hex digits"),
      ("ada HASH own /a", "'replica:read', 'replica:write', 'admin'"),
      ("ada HASH replica /a", "the right is none of"),
      ("ada HASH Documents:read /a", "the right is none of"),
      ("ada HASH admin:write /a", "the right is none of"),
      ("ada HASH read a", "begins with '/'"),
      ("b HASH2 read /a\nb HASH read /a", "there is an account 'b' already"),
      ("b HASH read /a\nc HASH read /a", "the same token"),
      ("ada HASH read;expires=tomorrow /a", "';expires=' and a time"),
      ("ada HASH read;until=2026-01-01T00:00:00.000Z /a", "';expires=' and a time"),
      ("ada HASH read; /a", "';expires=' and a time"),
      ("ada  HASH read /a", "64 lower-case hex digits"),
    ])
  func wrong(_ text: String, _ rule: String) {
    let text = text.replacing("HASH2", with: digest("two")).replacing("HASH", with: digest("one"))
    do {
      _ = try parse(text)
      Issue.record("it was taken: \(text)")
    } catch {
      #expect((error as? Accounts.Wrong)?.rule.contains(rule) == true, "\(error)")
    }
  }

  @Test(
    "a right is a role and what it may do; the words of earlier versions are those of documents",
    arguments: [
      ("read", Account.Rights.readDocuments, false, true),
      ("write", .writeDocuments, true, true), ("documents:read", .readDocuments, false, true),
      ("documents:write", .writeDocuments, true, true),
      ("replica:read", .readReplica, false, false),
      ("replica:write", .writeReplica, true, false), ("admin", .admin, true, false),
    ])
  func rights(_ word: String, _ rights: Account.Rights, _ mayWrite: Bool, _ isListed: Bool) throws {
    let account = try #require(parse("ada \(digest("one")) \(word) /a").all.first)
    #expect(account.rights == rights)
    #expect(rights.mayWrite == mayWrite && rights.isListed == isListed)
  }

  @Test("a wrong line is told by its number")
  func line() throws {
    let wrong = #expect(throws: Accounts.Wrong.self) { try parse("#\n\nx") }
    #expect(wrong?.line == 3)
  }

  @Test("a bucket gives its burst, then as much as time brings")
  func rate() {
    var limit = RateLimit(perSecond: 2, burst: 3)
    let second: Int64 = 1_000_000_000
    for _ in 0..<3 { #expect(limit.take("a", now: 0) == nil) }
    #expect(limit.take("a", now: 0) == 1)
    #expect(limit.take("b", now: 0) == nil)
    #expect(limit.take("a", now: second / 2) == nil)
    #expect(limit.take("a", now: second / 2) == 1)
    // A long rest is worth no more than the burst.
    for _ in 0..<3 { #expect(limit.take("a", now: 100 * second) == nil) }
    #expect(limit.secondsToWait("a", now: 100 * second) == 1)
    #expect(limit.secondsToWait("a", now: 101 * second) == nil)
  }

  @Test("without a limit nobody waits; with many names memory has a bound")
  func bounds() {
    var none = RateLimit(perSecond: 0, burst: 0)
    for _ in 0..<100 { #expect(none.take("a", now: 0) == nil) }
    var slow = RateLimit(perSecond: 1, burst: 1)
    for name in 0..<20_001 { #expect(slow.take("\(name)", now: 0) == nil) }
    #expect(slow.take("20000", now: 0) == 1)
  }

  @Test(
    "an address is a number of a host and a port",
    arguments: [
      ("127.0.0.1:0", .host("127.0.0.1", port: 0), true),
      ("localhost:80", .host("127.0.0.1", port: 80), true),
      ("[::1]:8080", .host("::1", port: 8080), true),
      ("0.0.0.0:65535", .host("0.0.0.0", port: 65_535), false),
      ("[::]:1", .host("::", port: 1), false),
    ] as [(String, ListenAddress.Place, Bool)])
  func address(_ text: String, _ place: ListenAddress.Place, _ isLoopback: Bool) {
    let address = ListenAddress(text)
    #expect(address?.place == place)
    #expect(address?.isLoopback == isLoopback)
  }

  @Test(
    "what is no address is refused",
    arguments: [
      "", "80", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "[::1]",
      "example.org:1",
      "127.0.0.1:+1", "[127.0.0.1]:1",
    ])
  func noAddress(_ text: String) { #expect(ListenAddress(text) == nil) }
}
