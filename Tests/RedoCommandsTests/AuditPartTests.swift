// The parts of an audit: samples have no object in common, and tokens can be read back.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoCommands
@testable import RedoReadCommands
@testable import RedoWriteCommands
@testable import RedoRepository
@testable import RedoShell

@Suite("Parts of an audit")
struct AuditPartTests {
  private func part(_ given: (OptionSpec, String)...) throws -> AuditPart {
    var options = ParsedOptions()
    options.given = given.map { GivenOption(spec: $0.0, value: $0.1, isNegated: false) }
    return try AuditPart(options)
  }

  private static let ids = (0..<1000).map {
    ObjectID(digest: SHA256.digest(of: Array("object \($0)".utf8).span))
  }

  @Test(
    "every object is in exactly one of the parts, which are of about one size",
    arguments: [1, 2, 7])
  func samples(count: Int) throws {
    let parts = try (1...count).map { number in
      try part((AuditPart.sample, "\(number)/\(count)"))
    }
    var sizes = [Int](repeating: 0, count: count)
    for id in Self.ids {
      let places = parts.indices.filter { parts[$0].contains(id) }
      #expect(places.count == 1)
      sizes[places[0]] += 1
    }
    #expect(sizes.allSatisfy { abs($0 - 1000 / count) < 100 })
  }

  @Test("a token leads to the rest of the same sample", arguments: [1, 16, 255, 256])
  func tokens(shard: Int) throws {
    let first = try part((AuditPart.sample, "2/3"))
    #expect(first.isFirst)
    let rest = try part((AuditPart.resume, first.token(next: shard)))
    #expect(rest.start == shard && rest.number == 2 && rest.count == 3 && !rest.isFirst)
    for id in Self.ids {
      #expect(rest.contains(id) == (first.contains(id) && id[0] >= shard))
    }
  }

  @Test("a token leads to the next frame of the same packs, and to the first one of others")
  func frames() throws {
    let packs = AuditPart.name(of: ["one", "two"])
    #expect(packs != AuditPart.name(of: ["one two "]) && packs.utf8.count == 8)
    let first = try part((AuditPart.sample, "2/3"))
    let token = first.token(nextFrame: 17, of: packs)
    let rest = try part((AuditPart.resume, token))
    #expect(rest.start == AuditPart.shardCount && rest.number == 2 && rest.count == 3)
    #expect(rest.firstFrame(of: packs) == 17)
    #expect(rest.firstFrame(of: AuditPart.name(of: ["one"])) == 0)
    #expect(first.firstFrame(of: packs) == 0)
    for id in Self.ids { #expect(rest.isSampled(id) == first.isSampled(id)) }
    for changed in [token.dropLast(), token.replacing("-17-", with: "-18-")[...]] {
      #expect(throws: CommandError.self) { _ = try part((AuditPart.resume, String(changed))) }
    }
  }

  @Test("no changed digit of a token is taken")
  func changedTokens() throws {
    let token = try part().token(next: 16)
    #expect(token.hasPrefix("016-1-1-"))
    for place in token.indices {
      var changed = token
      changed.replaceSubrange(place...place, with: token[place] == "2" ? "3" : "2")
      #expect(throws: CommandError.self) { _ = try part((AuditPart.resume, changed)) }
    }
  }

  @Test("times have one number and one unit")
  func times() throws {
    for (text, milliseconds) in [
      ("0s", 0), ("500ms", 500), ("30s", 30_000), ("5m", 300_000),
      ("1h", 3_600_000),
    ] {
      #expect(try part((AuditPart.maxDuration, text)).duration == Int64(milliseconds))
    }
    for text in ["", "s", "5", "5x", "-1s", "1.5s", "5 m", "+5m", "99999999999h"] {
      #expect(throws: CommandError.self) { _ = try part((AuditPart.maxDuration, text)) }
    }
  }
}
