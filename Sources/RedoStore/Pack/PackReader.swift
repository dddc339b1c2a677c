// Reads a pack: its directory first, then any frame. Memory is needed for the directory and one frame.

package import RedoCrypto
package import RedoObject

/// Where the bytes of a pack are.
package enum PackSource: ~Copyable, Sendable {
  /// In a regular file.
  case file(File)
  /// In memory: what came out of a pipe.
  case memory([UInt8])
  /// In an age file.
  case age(AgeFile)

  func size() throws(PackError) -> Int {
    switch self {
    case .memory(let bytes): return bytes.count
    case .age(let file): return file.count
    case .file(let file):
      do throws(SystemError) { return try file.status().size } catch { throw .system(error) }
    }
  }

  /// Reads a part; fewer bytes only when the source ends.
  func read(_ count: Int, at offset: Int) throws(PackError) -> [UInt8] {
    switch self {
    case .memory(let bytes):
      let start = min(offset, bytes.count)
      return Array(bytes[start..<start + min(count, bytes.count - start)])
    case .age(let file): return try file.read(count, at: offset)
    case .file(let file):
      do throws(SystemError) { return try file.read(count, at: offset) } catch {
        throw .system(error)
      }
    }
  }
}

/// An open pack, which several threads may read at once.
package struct PackReader: ~Copyable, Sendable {
  /// What the pack says about itself.
  package let directory: PackDirectory
  /// Its bytes.
  package let fileBytes: Int
  /// The hash at its end; `checkBytes` compares it with the bytes before.
  package let hash: Digest
  private let source: PackSource

  /// Opens a pack and reads its directory.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - kinds: the kinds of objects that are wanted.
  /// - Throws: `notPack`, `unsupported`, `kind`, `corrupt` when beginning, end and directory do not fit
  ///   together, `system`.
  package init(
    _ source: consuming PackSource, of kinds: [ObjectKind] = [.node]
  ) throws(PackError) {
    let size = try source.size()
    let head = try PackHead(try source.read(PackFormat.headLimit, at: 0))
    guard kinds.contains(head.kind) else { throw .kind(head.kind.packNumber ?? 0) }
    let footer = size - PackFormat.footerBytes
    guard footer >= head.count + PackDirectory.headBytes else {
      throw .corrupt(offset: size, reason: "the file ends too early")
    }
    let end = try source.read(PackFormat.footerBytes, at: footer)
    guard end.count == PackFormat.footerBytes, let hash = Digest(raw: end.span.extracting(8...))
    else {
      throw .corrupt(offset: size, reason: "the file ends too early")
    }
    let place = end.littleEndian(at: 0, bytes: 8)
    guard place >= UInt64(head.count), place < UInt64(footer),
      footer - Int(place) <= PackFormat.directoryLimit
    else {
      throw .corrupt(offset: footer, reason: "the directory is not where the file says")
    }
    let bytes = try source.read(footer - Int(place), at: Int(place))
    do throws(PackFault) {
      directory = try PackDirectory(bytes, at: Int(place), head)
    } catch {
      throw .corrupt(offset: Int(place), reason: error.reason)
    }
    fileBytes = size
    self.hash = hash
    self.source = source
  }

  /// The nodes of a frame, in their order; their ids have been computed.
  ///
  /// - Parameters:
  ///   - index: from 0 to below the number of frames.
  ///   - inflater: the thread's.
  /// - Returns: the nodes with their signatures, which have not been verified.
  /// - Throws: `corrupt` when the bytes are not those of a frame as the directory describes it.
  package func nodes(
    ofFrame index: Int, _ inflater: inout FrameInflater
  ) throws(PackError) -> [StoredObject] {
    try frame(index, &inflater).all
  }

  /// The same, and the bytes of the frame.
  package func bytes(
    ofFrame index: Int, _ inflater: inout FrameInflater
  ) throws(PackError) -> (bytes: [UInt8], nodes: [StoredObject]) {
    let (bytes, nodes) = try read(index, &inflater)
    return (bytes, nodes.all)
  }

  /// Those of them that are wanted; no others are copied.
  package func nodes(
    ofFrame index: Int, _ inflater: inout FrameInflater, where isWanted: (ObjectID) -> Bool
  ) throws(PackError) -> [StoredObject] {
    try frame(index, &inflater).chosen(isWanted)
  }

  /// The nodes of a frame, in memory; only those up to a place, if one is given.
  func frame(
    _ index: Int, upTo last: Int? = nil, _ inflater: inout FrameInflater
  ) throws(PackError) -> FrameNodes {
    try read(index, upTo: last, &inflater).nodes
  }

  private func read(
    _ index: Int, upTo last: Int? = nil, _ inflater: inout FrameInflater
  ) throws(PackError) -> (bytes: [UInt8], nodes: FrameNodes) {
    let frame = directory.frames[index]
    let bytes = try source.read(frame.fileBytes, at: frame.offset)
    do throws(PackFault) {
      let header = try FrameHeader(bytes)
      guard header.nodes == frame.nodes, header.canonicalBytes == frame.canonicalBytes else {
        throw PackFault("a frame of other nodes than the directory says")
      }
      return (bytes, try FrameDecoder.decode(bytes, directory.kind, upTo: last, &inflater.inflater))
    } catch {
      throw .corrupt(offset: frame.offset, reason: error.reason)
    }
  }

  /// Compares all bytes with the hash at the end of the file.
  ///
  /// - Returns: the hash.
  /// - Throws: `corrupt` when they differ.
  @discardableResult
  package func checkBytes() throws(PackError) -> Digest {
    var hash = SHA256()
    let end = fileBytes - Digest.byteCount
    var place = 0
    while place < end {
      let bytes = try source.read(min(Self.pieceBytes, end - place), at: place)
      guard !bytes.isEmpty else { break }
      hash.update(bytes.span)
      place += bytes.count
    }
    let stated = try source.read(Digest.byteCount, at: end)
    let digest = hash.finalize()
    guard place == end, Digest(raw: stated.span) == digest else {
      throw .corrupt(offset: end, reason: "the bytes of the file are not those of its hash")
    }
    return digest
  }

  private static let pieceBytes = 262_144
}
