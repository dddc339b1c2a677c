import RedoCrypto
import RedoObject
import RedoRemote
import TestSupport
import Testing

@Suite("Comparing what two sides have")
struct ReconciliationTests {
  private func check(_ ours: Set<Item>, _ theirs: Set<Item>, _ salt: RangeSalt) throws -> Outcome {
    let outcome = try compare(MemoryRangeSource(ours), MemoryRangeSource(theirs), salt: salt)
    #expect(outcome.have == ours.subtracting(theirs))
    #expect(outcome.haveCount == outcome.have.count)
    #expect(outcome.want == theirs.subtracting(ours))
    #expect(outcome.asked == outcome.want)
    return outcome
  }

  @Test("what only one side has is found", arguments: SeededRandom.seeds("ranges"))
  func difference(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for spread in [1, 3, 1000] {
      for count in [0, 1, 20, 21, 100, 600] {
        let both = random.items(count, spread: spread)
        for (few, many) in [(0, 0), (0, 1), (1, 0), (3, 5), (0, 400), (300, 2), (100, 100)] {
          let ours = both.union(random.items(few, spread: spread))
          let theirs = both.union(random.items(many, spread: spread))
          let outcome = try check(ours, theirs, random.salt())
          if ours == theirs { #expect(outcome.roundTrips == 1) }
        }
      }
    }
  }

  @Test("sets without anything in common", arguments: SeededRandom.seeds("disjoint"))
  func disjoint(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for (few, many) in [(1, 1), (20, 20), (21, 21), (1, 3000), (3000, 1), (700, 700)] {
      let ours = random.items(few, spread: 500)
      _ = try check(ours, random.items(many, spread: 500), random.salt())
    }
  }

  @Test("the same nodes with other signatures", arguments: SeededRandom.seeds("signatures"))
  func signatures(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let both = random.items(1000, spread: 50)
    let signed = both.shuffled(using: &random).prefix(7)
    let theirs = both.subtracting(signed).union(
      signed.map { Item(place: $0.place, fingerprint: NodeFingerprint(digest: random.digest())) })
    let outcome = try check(both, theirs, random.salt())
    #expect(outcome.have.count == 7 && outcome.want.count == 7)
    #expect(Set(outcome.have.map(\.place)) == Set(outcome.want.map(\.place)))
  }

  @Test("a fingerprint covers the id and the signature")
  func nodeFingerprints() {
    var random = SeededRandom(seed: 1)
    let id = ObjectID(digest: random.digest())
    let one = Signature(bytes: InlineArray { UInt8($0) })
    let other = Signature(bytes: InlineArray { UInt8($0 + 1) })
    let fingerprints = [
      NodeFingerprint(id: id, signature: nil), NodeFingerprint(id: id, signature: one),
      NodeFingerprint(id: id, signature: other),
      NodeFingerprint(id: ObjectID(digest: random.digest()), signature: one),
    ]
    #expect(Set(fingerprints).count == 4)
    #expect(fingerprints[0].digest == SHA256.digest(of: id.digest.bytes.span))
  }

  @Test("a fingerprint depends on the nodes, their order, their count and the salt")
  func fingerprints() {
    var random = SeededRandom(seed: 1)
    let items = random.items(5, spread: 100).sorted()
    let salt = random.salt()
    func print(_ items: some Sequence<Item>, _ salt: RangeSalt) -> RangeFingerprint {
      let source = MemoryRangeSource(Set(items))
      return RangeDigests(salt: salt).fingerprint(of: 0..<source.count, in: source)
    }
    let all = print(items, salt)
    #expect(all == print(items.reversed(), salt))
    #expect(all != print(items.dropLast(), salt))
    #expect(all != print(items, random.salt()))
    var fingerprints = SHA256()
    MemoryRangeSource(Set(items)).hashFingerprints(of: 1..<3, into: &fingerprints)
    var byHand = SHA256()
    for item in items[1..<3] { byHand.update(item.fingerprint.digest.bytes.span) }
    #expect(fingerprints.finalize() == byHand.finalize())
  }

  @Test("the shortest bound between neighbours", arguments: SeededRandom.seeds("bounds"))
  func bounds(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for spread in [1, 2, 1000] {
      let places = random.items(500, spread: spread).map(\.place).sorted()
      for (one, next) in zip(places, places.dropFirst()) {
        let bound = RangeBound(between: one, and: next)
        #expect(one < bound && bound <= next)
        #expect(bound > .start && next < .end)
      }
    }
  }

  // MARK: Costs

  @Test("equal sets of any size: one round trip, few bytes")
  func equal() throws {
    var random = SeededRandom(seed: 1)
    for count in [0, 1, 20, 21, 300, 10_000] {
      let items = random.items(count, spread: 1_000_000)
      let source = MemoryRangeSource(items)
      let outcome = try compare(source, source, salt: random.salt())
      #expect(outcome.roundTrips == 1)
      #expect(outcome.bytes < 600, "\(count) nodes")
    }
  }

  @Test("nothing against many: no node is listed")
  func empty() throws {
    var random = SeededRandom(seed: 1)
    let many = MemoryRangeSource(random.items(10_000, spread: 1_000_000))
    let nothing = MemoryRangeSource()
    let fetched = try compare(nothing, many, salt: random.salt())
    #expect(fetched.want.count == 10_000)
    #expect(fetched.roundTrips == 1 && fetched.bytes < 10)
    let pushed = try compare(many, nothing, salt: random.salt())
    #expect(pushed.have.count == 10_000)
    #expect(pushed.roundTrips == 1 && pushed.bytes < 1000)
  }
}
