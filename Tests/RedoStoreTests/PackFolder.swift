// A directory of objects with packs, for tests.

import RedoCrypto
import RedoObject
import Testing

@testable import RedoStore

/// A directory of objects that vanishes with the test.
struct PackFolder: ~Copyable {
  let scratch: Scratch

  init() throws {
    let made = try Scratch()
    try made.directory.makeDirectory("pack")
    scratch = made
  }

  /// Some signed nodes, 13 of which fill a frame.
  static func nodes(
    _ count: Int = 40, from start: Int = 0, textBytes: Int = 20_000
  ) -> [PackEntry] {
    (start..<start + count).map { number in
      let signature = Signature(bytes: InlineArray(repeating: UInt8(number & 0x7F)))
      return Packs.node(
        Array(#"{"number":\#(number),"text":"\#(String(repeating: "x", count: textBytes))"}"#.utf8),
        signature: signature, lamport: UInt64(number) + 1)
    }
  }

  /// Writes a pack and its index.
  ///
  /// - Returns: its name in hex digits.
  @discardableResult
  func add(_ nodes: [PackEntry], withIndex: Bool = true) throws -> String {
    let bytes = Packs.pack(nodes)
    let reader = try PackReader(.memory(bytes))
    let name = Hex.text(reader.directory.name.bytes.span)
    try scratch.write("pack/pack-\(name).pack", bytes)
    if withIndex {
      let (index, unreadable) = PackIndex.build(reader)
      #expect(unreadable.isEmpty)
      let payload = try index.payload()
      try scratch.write("pack/pack-\(name).idx", payload + CacheFile.end(of: payload))
    }
    return name
  }

  /// Removes a file of the directory of packs.
  func remove(_ name: String) throws { try scratch.directory.unlink("pack/" + name) }

  /// The packs as a process sees them that starts now.
  func open(cacheLimit: Int = FrameCache.usualLimitBytes) -> PackStore {
    PackStore(
      in: scratch.directory, syncPolicy: .none, cache: FrameCache(limitBytes: cacheLimit))
  }

  /// The loose objects and packs as a process sees them that starts now.
  func openAll() throws -> ObjectStore {
    try ObjectStore.open(path: scratch.path, syncPolicy: .none)
  }
}
