// A pack that is being received, kept as it comes: however the connection ends, the frames that are whole count.

internal import RedoCrypto
package import RedoObject

/// A pack of the quarantine.
///
/// A class, because it is being written, then read, then removed by parts of one receiver. Its file is
/// locked as long as it lives, so that nobody else takes it for one that was left behind.
package final class IncomingPack {
  /// What its name ends with.
  static let ending = ".pack"
  /// The bytes that have come.
  package private(set) var byteCount = 0
  /// How many nodes its frames say they have; 0 before `end`.
  private var statedCount = 0
  /// The kind of its objects, as its beginning says; nodes until `end`, and where the beginning says nothing.
  package private(set) var kind = ObjectKind.node
  /// Whose it is, by its name; `nil` for a pack that nobody should find.
  package var owner: QuarantineOwner? { name.flatMap { QuarantineOwner(packName: $0) } }
  private let folder: Directory
  /// `nil` for a pack that nobody should find.
  private let name: String?
  private let lock: LockFile?
  private let file: File
  private var hash = SHA256()
  /// The last bytes, which are not hashed before it is known that they are not the hash itself.
  private var tail: [UInt8] = []

  /// How many bytes of a pack say which kind of objects it has.
  package static let startBytes = PackFormat.headLimit

  /// The kind of objects of a pack.
  ///
  /// - Parameter start: its first bytes, `startBytes` or more.
  /// - Returns: `nil` when it does not begin as a pack does that is read here.
  package static func kind(of start: [UInt8]) -> ObjectKind? { (try? PackHead(start))?.kind }

  /// Whether a name is one of such a pack.
  static func isName(_ name: String) -> Bool {
    let digits = name.utf8.dropLast(ending.utf8.count)
    return name.hasSuffix(ending) && digits.count == 16
      && digits.allSatisfy { Hex.value($0) < 16 }
  }

  /// Makes a pack; `nil` when the name exists.
  init?(new name: String, in folder: borrowing Directory) throws(SystemError) {
    do throws(SystemError) {
      lock = try LockFile.acquire(
        in: folder, name: name, timeoutMilliseconds: 0, permissions: 0o600,
        options: [.create, .exclusive, .nonBlocking])
    } catch {
      if error.isExisting { return nil }
      throw error
    }
    // Between its creation and its lock somebody may have taken it for one that was left behind.
    guard try lock?.isNamed(in: folder, name: name) == true,
      let file = try folder.openFileIfPresent(name, .readWrite, [.noFollow, .nonBlocking])
    else { return nil }
    self.file = file
    self.name = name
    self.folder = folder.share()
  }

  /// Takes over a pack that was left; `nil` when it has gone, or another process has it.
  init?(left name: String, in folder: borrowing Directory) throws(SystemError) {
    do throws(SystemError) {
      lock = try LockFile.acquire(
        in: folder, name: name, timeoutMilliseconds: 0, options: [.nonBlocking, .noFollow])
    } catch {
      if error.isMissing { return nil }
      throw error
    }
    guard try lock?.isNamed(in: folder, name: name) == true,
      let file = try folder.openFileIfPresent(name, .read, [.noFollow, .nonBlocking])
    else { return nil }
    byteCount = try file.status().size
    if let head = try? PackHead(file.read(PackFormat.headLimit, at: 0)) { kind = head.kind }
    self.file = file
    self.name = name
    self.folder = folder.share()
  }

  /// Makes a pack without a name, which vanishes with the process.
  ///
  /// - Parameter folder: where its blocks are.
  /// - Throws: what open(2) answered.
  package init(unnamedIn folder: borrowing Directory) throws(SystemError) {
    file = try File.unnamed(in: folder.path)
    lock = nil
    name = nil
    self.folder = folder.share()
  }

  // MARK: Writing

  /// Appends bytes.
  ///
  /// - Parameter bytes: the next bytes of the pack.
  /// - Throws: what write(2) answered.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    try file.writeAll(bytes)
    byteCount += bytes.count
    tail += bytes
    let done = tail.count - Digest.byteCount
    guard done > 0 else { return }
    hash.update(tail.span.extracting(..<done))
    tail.removeFirst(done)
  }

  /// Looks whether what has come is a pack as a whole, without decoding it.
  ///
  /// - Returns: how many nodes its frames say they have.
  /// - Throws: `notPack`, `unsupported`, `kind`, `corrupt` when it is not; `system`.
  package func end() throws(PackError) -> Int {
    let start: [UInt8]
    do throws(SystemError) { start = try file.read(PackFormat.headLimit, at: 0) } catch {
      throw .system(error)
    }
    let head = try PackHead(start)
    kind = head.kind
    var frames = FrameWalk(behind: head)
    var nodes = 0
    do throws(SystemError) {
      while let count = try frames.skip(in: file) { nodes += count }
    } catch {
      throw .system(error)
    }
    var all = hash
    guard frames.isAtDirectory, Digest(raw: tail.span) == all.finalize() else {
      throw .corrupt(
        offset: min(frames.place, byteCount), reason: "its bytes are not those of its hash")
    }
    statedCount = nodes
    return nodes
  }

  /// How many nodes it may have, as far as its bytes suffice for them: memory is reserved for these.
  package var expectedCount: Int { min(statedCount, byteCount / Self.leastNodeBytes) }
  /// Less than a node usually takes: its signature alone has 64 bytes.
  private static let leastNodeBytes = 64

  // MARK: Reading

  /// Reads the frames that are whole.
  package func read() -> IncomingReading { IncomingReading(self) }

  fileprivate func next(_ walk: inout FrameWalk) throws(SystemError) -> [UInt8]? {
    try walk.next(in: file)
  }

  /// Removes it.
  ///
  /// - Throws: what unlink(2) answered.
  package func remove() throws(SystemError) {
    if let name { try folder.unlink(name) }
  }
}

/// A frame in its original form.
package struct IncomingFrame: Sendable {
  private let bytes: [UInt8]
  private let kind: ObjectKind

  fileprivate init(_ bytes: [UInt8], _ kind: ObjectKind) {
    self.bytes = bytes
    self.kind = kind
  }

  /// Nodes that came.
  package struct Nodes: Sendable {
    /// In their order; their ids were computed from their bodies.
    package let objects: [StoredObject]
    /// The frame that they came in, if it may be kept as it is.
    package let frame: WholeFrame?
  }

  /// Decodes it.
  ///
  /// - Parameter inflater: the thread's.
  /// - Returns: what is in it; `nil` when its bytes are not those of a frame.
  package func nodes(_ inflater: inout FrameInflater) -> Nodes? {
    guard let objects = try? FrameDecoder.decode(bytes, kind, &inflater.inflater).all else {
      return nil
    }
    return Nodes(objects: objects, frame: WholeFrame(bytes, of: objects))
  }
}

/// Reads the frames of a pack that came, in bounded memory.
package struct IncomingReading {
  private let pack: IncomingPack
  private var walk: FrameWalk
  private var isAtEnd = false
  /// How many frames `next` has skipped because their bytes are not those of a frame.
  package private(set) var damagedCount = 0

  fileprivate init(_ pack: IncomingPack) {
    self.pack = pack
    walk = FrameWalk(behind: PackHead(pack.kind))
  }

  /// Whether the pack ends before its frames do.
  package var isTorn: Bool { isAtEnd && !walk.isAtDirectory }

  /// How many frames are decoded together by each processor.
  private static let framesPerThread = 2

  /// The next frame, not decoded.
  ///
  /// - Returns: `nil` at the end.
  /// - Throws: what pread(2) answered.
  package mutating func nextFrame() throws(SystemError) -> IncomingFrame? {
    guard !isAtEnd, let bytes = try pack.next(&walk) else {
      isAtEnd = true
      return nil
    }
    return IncomingFrame(bytes, pack.kind)
  }

  /// The nodes of the next frames; their ids were computed from their bodies.
  ///
  /// - Returns: `nil` at the end.
  /// - Throws: what pread(2) answered.
  package mutating func next() throws(SystemError) -> [StoredObject]? {
    var frames: [IncomingFrame] = []
    let threads = Threads.processorCount
    while frames.count < threads * Self.framesPerThread, let frame = try nextFrame() {
      frames.append(frame)
    }
    guard !frames.isEmpty else { return nil }
    let decoded = Threads.parallelMap(
      frames, threads: threads, makeState: { FrameInflater() }
    ) { inflater, frame in
      frame.nodes(&inflater)
    }
    damagedCount += decoded.count { $0 == nil }
    return decoded.flatMap { $0?.objects ?? [] }
  }
}
