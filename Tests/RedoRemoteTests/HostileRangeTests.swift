import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoRemote

@Suite("Ranges of a hostile peer")
struct HostileRangeTests {
  private func source(_ count: Int, seed: UInt64 = 1) -> MemoryRangeSource {
    var random = SeededRandom(seed: seed)
    return MemoryRangeSource(random.items(count, spread: 100))
  }

  private let digests = RangeDigests(salt: RangeSalt { 7 })

  private func bound(_ lamport: UInt64, _ wall: Int64 = 0) -> RangeBound {
    RangeBound(lamport: lamport, wall: wall, id: ObjectID(words: (0, 0, 0, 0)))
  }

  /// Messages that no side sends, with the reason that is given.
  static let malformedMessages: [(bytes: [UInt8], reason: String)] = [
    ([1], "it ends too early"),
    ([7, 0xFF], "a range of mode 7"),
    ([0, 33, 1, 0], "an id of 33 bytes"),
    ([4, 0xFE, 1, 0], "an id of 254 bytes"),
    ([4, 0, 0, 0], "a lamport out of its limits"),
    ([4, 0] + [UInt8](repeating: 0xFF, count: 9) + [1, 0], "a lamport out of its limits"),
    ([4, 0, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 0], "a lamport out of its limits"),
    ([4, 0, 0x80, 0, 0], "a number is not written in its shortest form"),
    ([4, 0] + [UInt8](repeating: 0xFF, count: 10), "a number is not written in its shortest form"),
    ([4, 0, 1] + [UInt8](repeating: 0xFF, count: 9) + [1], "a wall out of its limits"),
    ([4, 0, 1] + [0xFE] + [UInt8](repeating: 0xFF, count: 8) + [1], "a wall out of its limits"),
    ([4, 2, 1, 0, 5], "it ends too early"),
    ([4, 2, 1, 0, 5, 0], "an id that ends with 0"),
    // Bounds that do not ascend: the same again, a wall before, an id before.
    ([4, 0, 1, 4, 4, 0, 0, 0], "bounds that do not ascend"),
    ([4, 0, 1, 4, 4, 0, 0, 1], "bounds that do not ascend"),
    ([4, 1, 1, 4, 9, 4, 1, 0, 0, 8], "bounds that do not ascend"),
    ([4, 0xFF, 4, 0xFF], "a bound behind the end"),
    ([4, 0xFF, 4, 0, 1, 0], "a lamport out of its limits"),
    // More than one form of the same.
    ([0, 0, 1, 0, 0, 0, 1, 0, 4, 0xFF], "two ranges that are one"),
    ([4, 0, 1, 0, 0, 0xFF], "a settled range at the end"),
    ([6, 0, 1, 0], "ranges behind those that are left for later"),
    // Counts.
    ([2, 0xFF, 0], "an empty list"),
    ([2, 0xFF, 1, 1, 2, 3, 4, 5, 6, 7], "it ends too early"),
    ([2, 0xFF, 0x81, 8], "1025, more than 1024"),
    ([2, 0xFF] + [UInt8](repeating: 0xFF, count: 9) + [1], "18446744073709551615, more than 1024"),
    ([1, 0xFF] + [UInt8](repeating: 1, count: 15), "it ends too early"),
    ([3, 0xFF, 0, 0], "an answer to a list of 0"),
    ([3, 0xFF, 0x81, 8, 0], "an answer to a list of 1025"),
    ([3, 0xFF, 9, 0xFF], "it ends too early"),
    ([3, 0xFF, 9, 0xFF, 2, 0], "bits behind the last one"),
  ]

  @Test("malformed messages are refused", arguments: malformedMessages)
  func malformed(_ bytes: [UInt8], _ reason: String) throws {
    do throws(RemoteError) {
      _ = try RangeMessage(decoding: bytes)
      Issue.record("\(bytes) is accepted")
    } catch .malformed(_, let found) {
      #expect(found == reason, "\(bytes)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("a message beyond the limit is refused before it is read")
  func oversized() {
    #expect(throws: RemoteError.limit("ranges of 1048577 bytes, at most 1048576")) {
      try RangeMessage(decoding: [UInt8](repeating: 0xFF, count: 1_048_577))
    }
  }

  @Test("messages come back as they were", arguments: SeededRandom.seeds("messages"))
  func roundTrip(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let ends = random.items(random.below(30) + 1, spread: 4).map(\.place).sorted() + [.end]
      var message = RangeMessage()
      var start = RangeBound.start
      for end in ends {
        let fingerprints = (0..<random.below(30)).map { _ in ShortFingerprint(value: random.next())
        }
        let contents: [RangeMessage.Content] = [
          .settled, .nothing, .everything, .list(fingerprints + [ShortFingerprint(value: 0)]),
          .fingerprint(RangeFingerprint(low: random.next(), high: random.next())),
          .difference(lacks: [true] + fingerprints.map { $0.value & 1 == 0 }, new: fingerprints),
        ]
        message.append(contents[random.below(contents.count)], from: start, to: end)
        start = end
      }
      let bytes = message.bytes
      #expect(bytes.count <= message.byteBound)
      #expect(try RangeMessage(decoding: bytes) == message)
      // Every part of it is refused, or another message that is written as it was read.
      var changed = bytes
      Mutation.apply(to: &changed, &random)
      for bytes in [changed, Array(bytes.prefix(random.below(bytes.count + 1)))] {
        if let other = try? RangeMessage(decoding: bytes) { #expect(other.bytes == bytes) }
      }
    }
  }

  @Test(
    "damaged answers end in an error or in some difference",
    arguments: SeededRandom.seeds("answers"))
  func damaged(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let common = random.items(800, spread: 300)
    let ours = MemoryRangeSource(common.union(random.items(50, spread: 300)))
    let responder = RangeResponder(
      MemoryRangeSource(common.union(random.items(50, spread: 300))), digests)
    for _ in 0..<20 {
      var initiator = RangeInitiator(ours, digests)
      do throws(RemoteError) {
        while let message = try initiator.next() {
          var bytes = try responder.answer(message).bytes
          if random.once(in: 2) { Mutation.apply(to: &bytes, &random) }
          try initiator.take(RangeMessage(decoding: bytes))
        }
        // No node is counted twice, whatever the other side says.
        let have = initiator.difference.have
        #expect(zip(have, have.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      } catch {}
    }
  }

  @Test("endless division is given up")
  func endless() {
    let ours = source(100)
    // Every range is answered with a fingerprint that matches nothing.
    var initiator = RangeInitiator(ours, digests)
    #expect(throws: RemoteError.limit("still different after 256 messages")) {
      while let message = try initiator.next() {
        var answer = RangeMessage()
        var start = RangeBound.start
        for part in message.parts {
          if part.content != .settled {
            answer.append(
              .fingerprint(RangeFingerprint(low: 1, high: 2)), from: start, to: part.end)
          }
          start = part.end
        }
        try initiator.take(answer)
      }
    }
  }

  @Test("a side that always answers later is given up")
  func later() {
    var initiator = RangeInitiator(source(100), digests)
    #expect(throws: RemoteError.limit("still different after 256 messages")) {
      while try initiator.next() != nil {
        var answer = RangeMessage()
        answer.append(.later, from: .start, to: .end)
        try initiator.take(answer)
      }
    }
  }

  @Test("what was left for later is asked again")
  func asksAgain() throws {
    let ours = source(900, seed: 1)
    let theirs = source(900, seed: 2)
    let whole = try compare(ours, theirs, salt: digests.salt)
    let cut = try compare(ours, theirs, salt: digests.salt) { answer in
      guard answer.parts.count > 8 else { return }
      var short = RangeMessage()
      var start = RangeBound.start
      for part in answer.parts.prefix(7) {
        short.append(part.content, from: start, to: part.end)
        start = part.end
      }
      short.append(.later, from: start, to: .end)
      answer = short
    }
    #expect(cut.have == whole.have && cut.want == whole.want)
    #expect(cut.roundTrips > whole.roundTrips)
  }

  @Test("answers for what was not asked are refused")
  func notAsked() throws {
    let ours = source(1000)
    let wrong = RemoteError.unexpected("an answer for a range that was not asked for")
    // A range over a border of two that were asked, and one that was settled before.
    var initiator = RangeInitiator(ours, digests)
    let first = try #require(try initiator.next())
    #expect(first.parts.count == 16)
    var over = RangeMessage()
    over.append(.everything, from: .start, to: first.parts[1].end)
    #expect(throws: wrong) { try initiator.take(over) }

    initiator = RangeInitiator(ours, digests)
    _ = try initiator.next()
    var only = RangeMessage()
    only.append(
      .fingerprint(RangeFingerprint(low: 1, high: 2)), from: .start, to: first.parts[0].end)
    try initiator.take(only)
    _ = try initiator.next()
    var settled = RangeMessage()
    settled.append(.everything, from: first.parts[3].end, to: first.parts[4].end)
    #expect(throws: wrong) { try initiator.take(settled) }
  }

  @Test("answers to lists that were not sent are refused")
  func noList() throws {
    let wrong = RemoteError.unexpected("an answer to a list that was not sent")
    for count in [1, 15, 17] {
      var initiator = RangeInitiator(source(16), digests)
      _ = try initiator.next()
      var answer = RangeMessage()
      let lacks = [Bool](repeating: true, count: count)
      answer.append(.difference(lacks: lacks, new: []), from: .start, to: .end)
      #expect(throws: wrong) { try initiator.take(answer) }
    }
    var initiator = RangeInitiator(source(1000), digests)
    let first = try #require(try initiator.next())
    var answer = RangeMessage()
    answer.append(.difference(lacks: [true], new: []), from: .start, to: first.parts[0].end)
    #expect(throws: wrong) { try initiator.take(answer) }
  }

  @Test("requests for what is not here are refused")
  func requests() throws {
    let responder = RangeResponder(source(100), digests)
    var request = RangeMessage()
    request.append(.list([ShortFingerprint(value: 1)]), from: .start, to: .end)
    #expect(throws: RemoteError.unexpected("a request for 1 nodes that are not here")) {
      try responder.positions(of: request)
    }
    request = RangeMessage()
    request.append(.nothing, from: .start, to: .end)
    #expect(throws: RemoteError.unexpected("ranges that are no request")) {
      try responder.positions(of: request)
    }
    request = RangeMessage()
    request.append(.everything, from: .start, to: .end)
    #expect(try responder.positions(of: request) == [0..<100])
    #expect(throws: RemoteError.unexpected("requests that do not ascend")) {
      try responder.positions(of: request, from: 1)
    }
    request = RangeMessage()
    request.append(.everything, from: bound(1000), to: .end)
    #expect(try responder.positions(of: request, from: 100) == [])
    for content in [RangeMessage.Content.everything, .later, .difference(lacks: [true], new: [])] {
      var message = RangeMessage()
      message.append(content, from: .start, to: .end)
      #expect(throws: RemoteError.unexpected("ranges that only an answer has")) {
        try responder.answer(message)
      }
    }
  }

  @Test("an answer that would be too long leaves the rest for later")
  func full() throws {
    // Ranges, each with a fingerprint that does not hold, of nodes enough to divide each.
    var random = SeededRandom(seed: 1)
    var big = MemoryRangeSource()
    var message = RangeMessage()
    var start = RangeBound.start
    for lamport in 1...1500 as ClosedRange<UInt64> {
      for wall in 0..<21 as Range<Int64> {
        big.append(bound(lamport, wall), NodeFingerprint(digest: random.digest()))
      }
      let end = bound(lamport, 1000)
      message.append(.fingerprint(RangeFingerprint(low: 0, high: 0)), from: start, to: end)
      start = end
    }
    let answer = try RangeResponder(big, digests).answer(message)
    #expect(answer.bytes.count <= RangeMessage.byteLimit)
    #expect(answer.parts.last?.content == .later)
    #expect(answer.parts.last?.end == .end)
    #expect(answer.parts.count > 10_000)
  }
}
