// Trust files: every line is read back as it was written, and what is not understood is refused at its place.
// What they say about a signature is compared with the definition.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite("Trust files")
struct TrustTests {
  static let ada = String(repeating: "ad", count: 32)
  static let bob = String(repeating: "b0", count: 32)
  static let user = String(repeating: "0c", count: 16)
  static let id = "sha256:" + String(repeating: "5", count: 64)

  static func text(_ text: String) throws(TrustFault) -> TrustText {
    try TrustText(Array(text.utf8))
  }

  static func key(_ hex: String) throws -> PublicKey {
    let signer = Signer(hex: Array(hex.utf8).span)
    return try #require(signer?.key)
  }

  static func time(_ text: String) throws -> WallTime {
    let parsed = WallTime.parse(Array(text.utf8).span)
    return try #require(parsed).time
  }

  @Test("random lines are read back as they were written")
  func roundTrip() throws {
    for seed in SeededRandom.seeds("trust lines") {
      var random = SeededRandom(seed: seed)
      var text = TrustText()
      var lines: [TrustLine] = []
      for _ in 0..<200 {
        let bytes = random.bytes(32)
        let signer =
          random.once(in: 3)
          ? Signer.user(UserID(bytes: InlineArray { bytes[$0] }))
          : .key(PublicKey(bytes: InlineArray { bytes[$0] }))
        var line = TrustLine(signer)
        if random.once(in: 3) { line.role = random.once(in: 2) ? .author : .auditor }
        if random.once(in: 3) {
          line.validAfter = WallTime(milliseconds: Int64(random.below(1_000_000_000)))
        }
        if random.once(in: 3) {
          line.validBefore = WallTime(milliseconds: Int64(1_000_000_000 + random.below(1 << 40)))
        }
        if random.once(in: 3) { line.isRevoked = true }
        if line.isRevoked {
          for _ in 0..<random.below(4) {
            let bytes = random.bytes(32)
            line.validThrough.append(
              ObjectID(digest: Digest(bytes: InlineArray { bytes[$0] })))
          }
        }
        if random.once(in: 4) { line.sameAs = .user(.none) }
        if signer.key != nil, random.once(in: 4) {
          let bytes = random.bytes(128)
          line.sameAs = .key(PublicKey(bytes: InlineArray { bytes[$0] }))
          line.proof = KeyLink(
            time: WallTime(milliseconds: Int64(random.below(1 << 40))),
            old: Signature(bytes: InlineArray { bytes[$0] }),
            new: Signature(bytes: InlineArray { bytes[64 + $0] }))
        }
        if random.once(in: 3) {
          let comment = random.bytes(random.below(20)).filter { $0 != 10 }
          let isBlank: (UInt8) -> Bool = { $0 == 32 || $0 == 9 || $0 == 13 }
          line.comment = Array(
            comment.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        }
        lines.append(line)
      }
      try text.append(lines)
      #expect(text.entries.map(\.line) == lines)
      #expect(text.entries.map(\.number) == Array(1...200))
      #expect(text.list.entries.map(\.signer) == lines.map(\.signer))
      let again = try TrustText(text.bytes)
      #expect(again.entries.map(\.line) == lines)
    }
  }

  @Test(
    "blanks, comments, CRLF and a missing last line feed are read, and stay when lines are added")
  func kept() throws {
    let before = "# \u{FF} é\r\n\r\n \t\(Self.ada)\t role=auditor,revoked   #  a # b \t\r\n\t# end"
    var text = try Self.text(before)
    #expect(text.entries.map(\.number) == [3])
    let line = try #require(text.entries.first).line
    #expect(line.role == .auditor && line.isRevoked)
    #expect(line.comment.map { String(decoding: $0, as: UTF8.self) } == "a # b")
    try text.append([TrustLine(.user(.none))])
    let after = before + "\n" + String(repeating: "0", count: 32) + "\n"
    #expect(text.bytes == Array(after.utf8))
  }

  @Test(
    "what is not understood is refused where it stands",
    arguments: [
      ("x", 0, "a signer is 64 or 32 lower-case hex digits, not 'x'"),
      ("@ role=king", 5, "a role is 'author' or 'auditor', not 'king'"),
      ("@ revokd", 0, "unknown option 'revokd'"),
      ("@ ,", 0, "an option is empty"),
      ("@ role=author,,revoked", 12, "an option is empty"),
      ("@ revoked comment", 8, "options are separated by commas"),
      ("@ revoked,valid-through=5", 22, "an id is 'sha256:'"),
      ("@ valid-after=now", 12, "a time is written"),
      ("@ valid-after=2024-05-01T00:00:60.000Z", 12, "a time is written"),
      ("@ role=author,role=auditor", 12, "'role' is given twice"),
      ("@ same-as=", 8, "'same-as' names"),
      ("@ \u{0}", 0, "unknown option '\u{0}'"),
    ])
  func refused(line: String, offset: Int, reason: String) {
    // The offset is the one after the signer and its blank, if there is one.
    let whole = "#\n\n" + line.replacingSigner(Self.ada) + "\n"
    let start = 3 + (line.hasPrefix("@") ? 65 : 0)
    do {
      _ = try Self.text(whole)
      Issue.record("it is read")
    } catch {
      #expect(error.line == 3 && error.offset == start + offset, "\(error.description)")
      #expect(error.reason.hasPrefix(reason), "\(error.reason)")
    }
  }

  @Test(
    "lines that contradict one before them",
    arguments: [
      ("A;A", 2), ("A;A role=auditor", 2), ("A revoked;A revoked", 2),
      ("A revoked;A revoked,valid-through=I", 2), ("A revoked,valid-through=I;A revoked", 2),
      ("A;A revoked;A role=author", 3), ("U;K", 2), ("K;U revoked", 2),
    ])
  func contradicting(lines: String, number: Int) {
    #expect(throws: TrustFault.self) { try Self.text(Self.expand(lines)) }
    do { _ = try Self.text(Self.expand(lines)) } catch { #expect(error.line == number) }
  }

  @Test(
    "lines that add up",
    arguments: [
      "A;A revoked", "A revoked;A role=author",
      "A;A revoked,valid-through=I;A revoked,valid-through=I",
      "A valid-before=2024-01-01T00:00:00Z,revoked,valid-through=I;A revoked,valid-through=I",
      "A;B;U", "A same-as=B;B same-as=A",
    ])
  func addingUp(lines: String) throws {
    _ = try Self.text(Self.expand(lines))
  }

  /// A and B are keys, U is a user, K a key of U, I an id; lines end in semicolons.
  static func expand(_ lines: String) -> String {
    lines.map { character in
      switch character {
      case "A": ada
      case "B": bob
      case "U": user
      case "K": user + user
      case "I": id
      case ";": "\n"
      default: String(character)
      }
    }.joined()
  }

  @Test("the first instant counts, the last does not; the first reason of several is told")
  func standing() throws {
    let list = try Self.text(
      Self.expand(
        "A valid-after=2024-01-01T00:00:00Z,valid-before=2025-01-01T00:00:00Z\nU role=auditor\n"
          + "B;B revoked,valid-through=I")
    ).list
    let (ada, bob, other) = (
      try Self.key(Self.ada), try Self.key(Self.bob), try Self.key(Self.user + Self.user)
    )
    func letter(_ key: PublicKey, _ time: String, isReached: Bool = false) throws -> String {
      let standing = list.standing(of: key, at: try Self.time(time), isReached: isReached)
      return "\(standing.letter)\(standing.line.map { "\($0)" } ?? "-")"
    }
    #expect(try letter(ada, "2023-12-31T23:59:59.999Z") == "X1")
    #expect(try letter(ada, "2024-01-01T00:00:00.000Z") == "G1")
    #expect(try letter(ada, "2024-12-31T23:59:59.999Z") == "G1")
    #expect(try letter(ada, "2025-01-01T00:00:00.000Z") == "X1")
    #expect(try letter(other, "2024-06-01T00:00:00.000Z") == "U2")
    #expect(try letter(bob, "2024-06-01T00:00:00.000Z") == "R4")
    #expect(try letter(bob, "2024-06-01T00:00:00.000Z", isReached: true) == "G3")
    #expect(try letter(try Self.key(Self.id.suffix(64) + ""), "2024-06-01T00:00:00.000Z") == "U-")
    let checkpoint = list.standing(
      of: other, for: .checkpoint, at: try Self.time("2024-06-01T00:00:00Z"))
    #expect(checkpoint.letter == "G")
  }

  @Test("the key of a user: the one that the file names, if it is one")
  func keys() throws {
    let other = Self.ada.prefix(32) + String(repeating: "0", count: 32)
    let found = UserID(hex: Array(Self.ada.prefix(32).utf8).span)
    let user = try #require(found)
    #expect(try Self.text(Self.ada).list.key(of: user) == Self.key(Self.ada))
    #expect(try Self.text("\(Self.ada)\n\(other)\n").list.key(of: user) == nil)
    #expect(
      try Self.text("\(Self.ada)\n\(other)\n\(Self.ada.dropLast())1").list.key(of: user) == nil)
    #expect(try Self.text("\(Self.ada.prefix(32))").list.key(of: user) == nil)
  }
}

extension String {
  fileprivate func replacingSigner(_ signer: String) -> String {
    hasPrefix("@") ? signer + dropFirst() : self
  }
}
