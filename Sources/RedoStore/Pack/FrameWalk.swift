// The frames of a pack one after another, without its directory: each tells where the next one begins. So
// a pack is read that is damaged, or that has not come to its end.

/// A walk over the frames of a file.
struct FrameWalk: Sendable {
  /// Where the next frame begins.
  private(set) var place: Int
  /// Whether the directory was reached: nothing but what belongs there follows the last frame.
  private(set) var isAtDirectory = false

  /// A walk over a pack that begins so.
  init(behind head: PackHead) { place = head.count }

  /// The bytes of the next frame; what is in them is for others to find out.
  ///
  /// - Parameter file: the pack.
  /// - Returns: `nil` where the directory begins, the file ends, or no frame can be.
  /// - Throws: what pread(2) answered.
  mutating func next(in file: borrowing File) throws(SystemError) -> [UInt8]? {
    guard let header = try header(in: file) else { return nil }
    let count = PackFormat.frameHeaderBytes + header.payloadBytes
    let bytes = try file.read(count, at: place)
    guard bytes.count == count else { return nil }
    place += count
    return bytes
  }

  /// The number of nodes that the next frame says it has; it is passed over.
  ///
  /// - Parameter file: the pack.
  /// - Returns: `nil` as `next`.
  /// - Throws: what pread(2) answered.
  mutating func skip(in file: borrowing File) throws(SystemError) -> Int? {
    guard let header = try header(in: file) else { return nil }
    place += PackFormat.frameHeaderBytes + header.payloadBytes
    return header.nodes
  }

  private mutating func header(in file: borrowing File) throws(SystemError) -> FrameHeader? {
    let head = try file.read(PackFormat.frameHeaderBytes, at: place)
    // Where a frame would have its size, the directory has 0.
    if head.count >= 4, head.littleEndian(at: 0, bytes: 4) == 0 {
      isAtDirectory = true
      return nil
    }
    return try? FrameHeader(head)
  }
}
