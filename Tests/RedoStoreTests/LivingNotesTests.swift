// What is remembered of living nodes: known once noted, and nothing else is.

import RedoCrypto
import RedoObject
import RedoStore
import Testing

@Suite("Living notes")
struct LivingNotesTests {
  private static func id(_ bytes: UInt8...) -> ObjectID {
    var all = InlineArray<32, UInt8>(repeating: 7)
    for (index, byte) in bytes.enumerated() { all[index] = byte }
    return ObjectID(digest: Digest(bytes: all))
  }

  @Test("a node is known once it is noted, until another takes its slot")
  func notes() throws {
    let scratch = try Scratch()
    let directory = try Directory.open(scratch.path)
    try directory.makeDirectory("cache")
    let one = Self.id(1, 2, 3)
    let neighbour = Self.id(1, 3, 3)
    let rival = Self.id(1, 2, 4)
    let notes = LivingNotes(in: directory)
    let before = notes.contains(one)
    #expect(!before)
    notes.note(one)
    let after = [notes.contains(one), notes.contains(neighbour), notes.contains(rival)]
    #expect(after == [true, false, false])
    // Another process sees the same.
    let other = LivingNotes(in: directory)
    let seen = other.contains(one)
    #expect(seen)
    other.note(rival)
    let replaced = [notes.contains(one), notes.contains(rival)]
    #expect(replaced == [false, true])
  }

  @Test("no bit of a note can change")
  func damage() throws {
    let scratch = try Scratch()
    let directory = try Directory.open(scratch.path)
    try directory.makeDirectory("cache")
    let one = Self.id(0, 0, 1)
    LivingNotes(in: directory).note(one)
    let good = try #require(try directory.readFile("cache/living"))
    #expect(good.count == 40)
    let file = try directory.openFile("cache/living", .readWrite)
    let notes = LivingNotes(in: directory)
    for index in good.indices {
      for bit in 0..<8 {
        try file.writeAll([good[index] ^ 1 << bit].span, at: index)
        let isKnown = notes.contains(one)
        #expect(!isKnown, "bit \(bit) of byte \(index)")
      }
      try file.writeAll([good[index]].span, at: index)
    }
    let isKnown = notes.contains(one)
    #expect(isKnown)
  }

  @Test("a folder that was removed is made again")
  func missing() throws {
    let scratch = try Scratch()
    let notes = LivingNotes(in: try Directory.open(scratch.path))
    notes.note(Self.id(1))
    let isKnown = notes.contains(Self.id(1))
    #expect(isKnown)
  }

  @Test("where there can be no cache nothing is known, and nothing fails")
  func impossible() throws {
    let scratch = try Scratch()
    let directory = try Directory.open(scratch.path)
    try directory.openFile("cache", .readWrite, [.create]).writeAll([1].span, at: 0)
    let notes = LivingNotes(in: directory)
    notes.note(Self.id(1))
    let isKnown = notes.contains(Self.id(1))
    #expect(!isKnown)
  }
}
