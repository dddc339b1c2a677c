// Which account has sent what waits: what is written is read again, and damage only makes it count for nobody.

import RedoObject
import RedoStore
import TestSupport
import Testing

@Suite("The accounts of the quarantine")
struct QuarantineOwnersTests {
  private let ada = QuarantineOwner(account: "ada")
  private let eve = QuarantineOwner(account: "eve")

  private func id(_ number: UInt64) -> ObjectID { ObjectID(words: (number, 0, 0, number)) }

  private var owners: QuarantineOwners {
    var owners = QuarantineOwners()
    for number in 1...5 { owners.put(id(UInt64(number)), ada, byteCount: 100 * number) }
    owners.put(id(9), eve, byteCount: 7)
    return owners
  }

  @Test("each account has the sum of its own")
  func sums() {
    #expect(owners.bytes(of: ada) == 1500)
    #expect(owners.bytes(of: eve) == 7)
    #expect(owners.bytes(of: QuarantineOwner(account: "")) == 0)
    var less = owners
    less.keep([id(1), id(2), id(77)])
    #expect(less.bytes(of: ada) == 300)
    #expect(less.bytes(of: eve) == 0)
    less.keep([])
    #expect(less.isEmpty)
  }

  @Test("what is written is read; another byte, and an end before the last, is seen")
  func bytes() {
    let bytes = owners.bytes
    #expect(QuarantineOwners(decoding: bytes) == owners)
    #expect(QuarantineOwners(decoding: QuarantineOwners().bytes) == QuarantineOwners())
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1
      #expect(QuarantineOwners(decoding: damaged) == nil, "byte \(place)")
      #expect(QuarantineOwners(decoding: Array(bytes[..<place])) == nil, "\(place) bytes")
    }
  }

  @Test("packs count for the account whose digits begin their names, as long as they are there")
  func packs() throws {
    let directory = TemporaryDirectory()
    let store = try Directory.open(directory.path)
    let quarantine = try Quarantine(in: store, .none)
    #expect(try quarantine.packBytes(of: ada) == 0)
    do {
      let packs = [
        try quarantine.makePack(of: ada), try quarantine.makePack(of: ada),
        try quarantine.makePack(of: eve),
      ]
      for pack in packs { try pack.append([UInt8](repeating: 7, count: 1000)) }
      #expect(packs.map(\.owner) == [ada, ada, eve])
      #expect(try quarantine.packBytes(of: ada) == 2000)
      try packs[0].remove()
    }
    #expect(try quarantine.packBytes(of: ada) == 1000)
    let left = try quarantine.leftPacks()
    #expect(Set(left.map(\.owner)) == [ada, eve])
    for pack in left { try pack.remove() }
    #expect(try quarantine.packBytes(of: ada) == 0)
  }

  @Test("a note is there when the store is opened again, and a damaged one is none")
  func note() throws {
    let directory = TemporaryDirectory()
    let store = try Directory.open(directory.path)
    try Quarantine(in: store, .none).note(owners)
    #expect(try Quarantine(in: store, .none).owners() == owners)
    // None of these nodes waits.
    #expect(try Quarantine(in: store, .none).waitingBytes(of: ada) == 0)
  }
}
