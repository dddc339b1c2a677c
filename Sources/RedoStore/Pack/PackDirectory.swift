// What a pack says about itself after its frames.
//
//   4 bytes     0, where a frame would have its size
//   32 bytes    the name: SHA-256 of the ids in their order
//   8 + 8       nodes, canonical bytes
//   4 + 4       frames, prerequisites
//   52 each     a frame: its place (8), its bytes, nodes and canonical bytes (4 each),
//               least and greatest lamport (8 each), first and last wall (8 each)
//   32 each     a prerequisite: the id of a parent that is not in the pack, in ascending order

package import RedoCrypto
package import RedoObject

/// The directory of a pack.
package struct PackDirectory: Equatable, Sendable {
  /// A frame of a pack.
  package struct Frame: Equatable, Sendable {
    /// Where it begins in the file.
    package var offset: Int
    /// Its bytes in the file.
    package var fileBytes: Int
    /// The number of its nodes.
    package var nodes: Int
    /// The bytes of their bodies.
    package var canonicalBytes: Int
    /// The least and the greatest logical time of its nodes.
    package var lamports: ClosedRange<UInt64>
    /// The first and the last wall time of its nodes, in milliseconds since 1970.
    package var walls: ClosedRange<Int64>
  }

  /// The kind of its objects.
  package let kind: ObjectKind
  /// SHA-256 of the ids in their order: the same for the same nodes, however they were compressed.
  package internal(set) var name: Digest
  /// The number of nodes.
  package internal(set) var nodes = 0
  /// The bytes of their bodies.
  package internal(set) var canonicalBytes = 0
  /// The frames in their order.
  package internal(set) var frames: [Frame] = []
  /// The parents that are not in the pack, in ascending order.
  package internal(set) var prerequisites: [ObjectID] = []

  /// The name of a pack.
  ///
  /// - Parameter ids: its nodes in their order.
  /// - Returns: SHA-256 of the ids.
  package static func name(of ids: some Sequence<ObjectID>) -> Digest {
    var hash = SHA256()
    for id in ids { hash.update(id.digest.bytes.span) }
    return hash.finalize()
  }

  /// The least and the greatest logical time; `nil` without nodes, and for a kind without clocks.
  package var lamports: ClosedRange<UInt64>? {
    guard kind.isColumnar, let low = frames.map(\.lamports.lowerBound).min(),
      let high = frames.map(\.lamports.upperBound).max()
    else { return nil }
    return low...high
  }

  /// The first and the last wall time, in milliseconds since 1970; `nil` without nodes, and for a kind without clocks.
  package var walls: ClosedRange<Int64>? {
    guard kind.isColumnar, let low = frames.map(\.walls.lowerBound).min(),
      let high = frames.map(\.walls.upperBound).max()
    else { return nil }
    return low...high
  }

  init(name: Digest, _ kind: ObjectKind) {
    self.name = name
    self.kind = kind
  }

  static let headBytes = 60
  private static let frameBytes = 52

  /// Appends the directory.
  func append(to output: inout [UInt8]) {
    output.append(littleEndian: 0, bytes: 4)
    output.append(name.bytes.span)
    output.append(littleEndian: UInt64(nodes), bytes: 8)
    output.append(littleEndian: UInt64(canonicalBytes), bytes: 8)
    output.append(littleEndian: UInt64(frames.count), bytes: 4)
    output.append(littleEndian: UInt64(prerequisites.count), bytes: 4)
    for frame in frames {
      output.append(littleEndian: UInt64(frame.offset), bytes: 8)
      output.append(littleEndian: UInt64(frame.fileBytes), bytes: 4)
      output.append(littleEndian: UInt64(frame.nodes), bytes: 4)
      output.append(littleEndian: UInt64(frame.canonicalBytes), bytes: 4)
      output.append(littleEndian: frame.lamports.lowerBound, bytes: 8)
      output.append(littleEndian: frame.lamports.upperBound, bytes: 8)
      for wall in [frame.walls.lowerBound, frame.walls.upperBound] {
        output.append(littleEndian: UInt64(bitPattern: wall), bytes: 8)
      }
    }
    for id in prerequisites { id.appendRaw(to: &output) }
  }

  /// Reads a directory.
  ///
  /// - Parameters:
  ///   - bytes: all of it.
  ///   - offset: where it begins in the file.
  ///   - head: the beginning of the file.
  /// - Throws: when its frames do not lie side by side between the two.
  init(_ bytes: [UInt8], at offset: Int, _ head: PackHead) throws(PackFault) {
    guard bytes.count >= Self.headBytes, bytes.littleEndian(at: 0, bytes: 4) == 0,
      let name = Digest(raw: bytes.span.extracting(4..<36))
    else { throw PackFault("there is no directory") }
    self.name = name
    kind = head.kind
    let frameCount = Int(bytes.littleEndian(at: 52, bytes: 4))
    let needed = Int(bytes.littleEndian(at: 56, bytes: 4))
    guard bytes.count == Self.headBytes + frameCount * Self.frameBytes + needed * 32 else {
      throw PackFault("the directory has another size than it says")
    }
    var end = head.count
    frames.reserveCapacity(frameCount)
    for index in 0..<frameCount {
      let frame = try Self.frame(bytes, at: Self.headBytes + index * Self.frameBytes)
      guard frame.offset == end else {
        throw PackFault("the directory leaves something out between its frames")
      }
      end += frame.fileBytes
      nodes += frame.nodes
      canonicalBytes += frame.canonicalBytes
      frames.append(frame)
    }
    guard end == offset, bytes.littleEndian(at: 36, bytes: 8) == UInt64(nodes),
      bytes.littleEndian(at: 44, bytes: 8) == UInt64(canonicalBytes)
    else { throw PackFault("the counts of the directory are not the sums of its frames") }
    let start = Self.headBytes + frameCount * Self.frameBytes
    for index in 0..<needed {
      let place = start + index * 32
      guard let digest = Digest(raw: bytes.span.extracting(place..<place + 32)) else { continue }
      let id = ObjectID(digest: digest)
      guard prerequisites.last.map({ $0 < id }) ?? true else {
        throw PackFault("the prerequisites do not stand in ascending order")
      }
      prerequisites.append(id)
    }
  }

  private static func frame(_ bytes: [UInt8], at place: Int) throws(PackFault) -> Frame {
    let offset = bytes.littleEndian(at: place, bytes: 8)
    let lamports = (
      bytes.littleEndian(at: place + 20, bytes: 8), bytes.littleEndian(at: place + 28, bytes: 8)
    )
    let walls = (
      Int64(bitPattern: bytes.littleEndian(at: place + 36, bytes: 8)),
      Int64(bitPattern: bytes.littleEndian(at: place + 44, bytes: 8))
    )
    let frame = (
      file: Int(bytes.littleEndian(at: place + 8, bytes: 4)),
      nodes: Int(bytes.littleEndian(at: place + 12, bytes: 4)),
      canonical: Int(bytes.littleEndian(at: place + 16, bytes: 4))
    )
    guard offset <= UInt64(Int64.max) / 2, frame.file > PackFormat.frameHeaderBytes,
      frame.file <= PackFormat.frameFileLimit, frame.nodes > 0,
      frame.nodes <= PackFormat.frameNodeLimit,
      frame.canonical <= PackFormat.frameCanonicalLimit, lamports.0 <= lamports.1,
      walls.0 <= walls.1
    else { throw PackFault("the directory names a frame that cannot be") }
    return Frame(
      offset: Int(offset), fileBytes: frame.file, nodes: frame.nodes,
      canonicalBytes: frame.canonical, lamports: lamports.0...lamports.1,
      walls: walls.0...walls.1)
  }
}
