// Age files that are read in place: any part of them, and none that was changed.

import RedoCrypto
import RedoObject
import TestSupport
import Testing

@testable import RedoStore

/// Makes and opens files.
private enum Places {
  static func key() -> AgeIdentity {
    var bytes = [UInt8](repeating: 7, count: 32)
    return AgeIdentity(X25519PrivateKey(bytes: SecretBytes(moving: &bytes)))
  }

  static func file(_ bytes: [UInt8]) throws -> [UInt8] {
    var writer = try AgeWriter(AgeLock([key().recipient]))
    writer.add(bytes)
    writer.finish()
    return writer.take()
  }

  static func open(_ file: [UInt8]) throws(AgeFileError) -> AgeFile? {
    let locked = try LockedAge(.memory(file))
    let payload: SecretBytes
    do throws(AgeFault) {
      guard let key = try locked.header.fileKey(key()) else { return nil }
      payload = try locked.header.payloadKey(for: key)
    } catch {
      throw .age(error)
    }
    return try locked.open(payload)
  }

  static func bytes(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    return random.bytes(count)
  }
}

@Suite("Age files in place")
struct AgeFileTests {
  @Test(
    "any part is what it was",
    arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_000])
  func parts(_ count: Int) throws {
    let bytes = Places.bytes(count)
    let file = try #require(try Places.open(try Places.file(bytes)))
    #expect(file.count == count)
    var random = SeededRandom(seed: 1)
    for _ in 0..<200 {
      let offset = Int.random(in: 0...count + 10, using: &random)
      let wanted = Int.random(in: 0...200_000, using: &random)
      let start = min(offset, count)
      let part = try file.read(wanted, at: offset)
      #expect(part.elementsEqual(bytes[start..<min(start + wanted, count)]))
    }
  }

  @Test("a pack in an age file is the pack")
  func pack() throws {
    let pack = Packs.pack((0..<400).map { Packs.node(Places.bytes(1000 + $0)) })
    let file = try #require(try Places.open(try Places.file(pack)))
    let plain = try PackReader(.memory(pack))
    let sealed = try PackReader(.age(file))
    let directories = (plain.directory, sealed.directory)
    #expect(directories.0 == directories.1)
    let hashes = (try plain.checkBytes(), try sealed.checkBytes())
    #expect(hashes.0 == hashes.1)
    var inflater = FrameInflater()
    for frame in directories.0.frames.indices {
      let nodes = (
        try plain.nodes(ofFrame: frame, &inflater), try sealed.nodes(ofFrame: frame, &inflater)
      )
      #expect(nodes.0.map(\.id) == nodes.1.map(\.id))
    }
  }

  @Test("a chunk that was changed is found when it is read, and the end at once")
  func changed() throws {
    let bytes = Places.bytes(300_000)
    let good = try Places.file(bytes)
    let start = good.count - bytes.count - 5 * 16
    for chunk in 0..<5 {
      var bad = good
      bad[start + chunk * 65_552 + 100] ^= 1
      guard chunk < 4 else {
        #expect(throws: AgeFileError.age(.payload(chunk: 4, .changed))) {
          _ = try Places.open(bad)
        }
        continue
      }
      let file = try #require(try Places.open(bad))
      #expect(try file.read(10, at: (chunk + 1) * 65_536).count == 10)
      #expect(throws: PackError.self) { _ = try file.read(10, at: chunk * 65_536) }
    }
    for cut in [1, 15, 16, 17, 37_856 + 16, 37_856 + 17, 65_552, 200_000, bytes.count + 80] {
      #expect(throws: AgeFileError.self, "\(cut) bytes less") {
        _ = try Places.open(Array(good.dropLast(cut)))
      }
    }
    for more in [1, 16, 65_552] {
      #expect(throws: AgeFileError.self, "\(more) bytes more") {
        _ = try Places.open(good + [UInt8](repeating: 0, count: more))
      }
    }
    #expect(throws: AgeFileError.age(.notAge)) { _ = try Places.open([1, 2]) }
    #expect(throws: AgeFileError.age(.notAge)) { _ = try Places.open([]) }
  }
}
