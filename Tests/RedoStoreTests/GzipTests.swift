// gzip files: what is written comes back, in pieces of any size, and nothing else is accepted.

import TestSupport
import Testing

@testable import RedoStore

@Suite("gzip files")
struct GzipTests {
  private static func gzip(_ bytes: [UInt8], step: Int = 10_000) -> [UInt8] {
    var writer = GzipWriter()
    var packed: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      packed += writer.add(Array(bytes[start..<min(start + step, bytes.count)]))
    }
    return packed + writer.finish()
  }

  private static func gunzip(
    _ bytes: [UInt8], pieces: Int = 4096, limit: Int = 5000
  ) throws(GzipError) -> [UInt8] {
    var reader = GzipReader()
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      let piece = Array(bytes[start..<min(start + pieces, bytes.count)])
      var place = 0
      while try reader.read(piece, from: &place, into: &output, atMost: limit) > 0 {}
    }
    try reader.finish()
    return output
  }

  private static func text(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    return (0..<count).map { _ in UInt8(97 + random.below(12)) }
  }

  @Test("come back, whatever the pieces", arguments: [0, 1, 100, 65_536, 300_000])
  func roundTrip(_ count: Int) throws {
    let bytes = Self.text(count)
    let packed = Self.gzip(bytes)
    // No time, no name: flags 0, time 0.
    #expect(packed[..<8] == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0])
    for (pieces, limit) in [(1, 100_000), (4096, 1), (1 << 20, 777)] {
      guard count <= 100 || limit > 1 else { continue }
      #expect(try Self.gunzip(packed, pieces: pieces, limit: limit) == bytes)
    }
    #expect(try Self.gunzip(packed + packed) == bytes + bytes)
  }

  @Test("what is cut off, longer or changed is refused")
  func refusals() {
    let packed = Self.gzip(Self.text(500))
    for count in 0..<packed.count {
      #expect(throws: GzipError.self, "\(count) bytes") {
        _ = try Self.gunzip(Array(packed[..<count]))
      }
    }
    #expect(throws: GzipError.trailing(offset: packed.count)) { _ = try Self.gunzip(packed + [0]) }
    #expect(throws: GzipError.cutOff(offset: packed.count + 1)) {
      _ = try Self.gunzip(packed + [0x1F])
    }
    // Time, extra flags and system of the header are under no checksum, nor are the last bits before it.
    for place in packed.indices where !(4..<10).contains(place) && place != packed.count - 9 {
      var bad = packed
      bad[place] ^= 0x40
      #expect(throws: GzipError.self, "byte \(place)") { _ = try Self.gunzip(bad) }
    }
  }

  @Test("a bomb is given up after 64 MiB and 200 times its bytes")
  func bombs() {
    var writer = GzipWriter()
    var packed: [UInt8] = []
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<80 { packed += writer.add(zeros) }
    packed += writer.finish()
    var reader = GzipReader()
    var place = 0
    var count = 0
    #expect(throws: GzipError.self) {
      var output: [UInt8] = []
      while try reader.read(packed, from: &place, into: &output, atMost: 1 << 18) > 0 {
        count += output.count
        output.removeAll(keepingCapacity: true)
      }
    }
    #expect(count <= 1 << 26)
  }
}
