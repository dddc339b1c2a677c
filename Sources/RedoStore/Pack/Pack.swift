// One pack of a directory: its file, its index, and the frames of it that are in memory.

package import RedoCrypto
package import RedoObject
internal import Synchronization

/// A pack that is read by ids.
///
/// A class, because threads share the open file, the index and the frames.
package final class Pack: Sendable {
  /// Its name: SHA-256 of its ids in their order, as the name of its file tells.
  package let name: Digest
  /// The path of its file, for messages.
  package let path: String

  /// The directory of its files.
  package struct Files: ~Copyable, Sendable {
    /// The directory of the pack.
    let directory: Directory
    /// The name of the pack there.
    let file: String
    /// The directory of the index.
    let indexDirectory: Directory
    /// The name of the index there.
    let indexFile: String
    /// Finds the key of a pack that is encrypted.
    let unlock: AgeUnlocking
    /// The kinds of objects that are wanted.
    let kinds: [ObjectKind]

    /// Files that may be there or not.
    ///
    /// - Parameters:
    ///   - directory: the directory of the pack.
    ///   - file: the name of the pack there; it may also be an absolute path.
    ///   - indexDirectory: the directory of the index.
    ///   - indexFile: the name of the index there.
    ///   - unlock: finds the key of a pack that is encrypted.
    ///   - kinds: the kinds of objects that are wanted.
    package init(
      directory: borrowing Directory, file: String, indexDirectory: borrowing Directory,
      indexFile: String, unlock: @escaping AgeUnlocking = { _ in nil },
      kinds: [ObjectKind] = [.node]
    ) {
      self.directory = directory.share()
      self.file = file
      self.indexDirectory = indexDirectory.share()
      self.indexFile = indexFile
      self.unlock = unlock
      self.kinds = kinds
    }
  }

  private let files: Files
  private let cache: FrameCache
  private let counters: StoreCounters?
  private let serial: UInt64
  private let state = Mutex(State())
  /// Pack and index once both are open and fit, so that they are found without a lock.
  private let ready = AtomicLazyReference<Ready>()
  /// The same with an index built from the pack, because that beside it turned out to be damaged.
  private let mended = AtomicLazyReference<Ready>()

  /// An open pack and an index of it.
  private final class Ready: Sendable {
    let index: PackIndex
    let content: Content

    init(_ index: PackIndex, _ content: Content) {
      self.index = index
      self.content = content
    }
  }

  private struct State {
    var index: PackIndex?
    /// Whether the index was built from the pack, because there is no good one beside it.
    var isBuilt = false
    var unreadable: [PackIndex.Unreadable] = []
    var content: Content?
  }

  /// The open file.
  ///
  /// A class, because threads read it while others open it anew.
  private final class Content: Sendable {
    let reader: PackReader
    init(_ reader: consuming PackReader) { self.reader = reader }
  }

  /// A pack that is not open yet.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - files: the directory of its files.
  ///   - cache: where its frames are kept.
  ///   - counters: where reads are counted.
  package init(
    name: Digest, _ files: consuming Files, cache: FrameCache, counters: StoreCounters? = nil
  ) {
    self.name = name
    path =
      files.file.hasPrefix("/") ? files.file : joinPath(files.directory.path, files.file)
    self.files = files
    self.cache = cache
    self.counters = counters
    serial = Self.serials.add(1, ordering: .relaxed).newValue
  }

  /// How many packs were opened: it distinguishes cached frames.
  private static let serials = Atomic<UInt64>(0)

  deinit { cache.forget(pack: serial) }

  // MARK: The file

  private func content() throws(PackError) -> Content {
    try state.withLock { (state) throws(PackError) in try content(&state) }
  }

  private func content(_ state: inout State) throws(PackError) -> Content {
    if let content = state.content { return content }
    let file: File
    do throws(SystemError) {
      file = try files.directory.openRegularFile(files.file)
    } catch {
      throw .system(error)
    }
    let content = Content(try PackReader(.opening(file, files.unlock), of: files.kinds))
    state.content = content
    // An index of other frames belongs to another file of the same name.
    if let index = state.index, !state.isBuilt, !Self.fits(index, content.reader.directory) {
      state.index = nil
    }
    return content
  }

  private static func fits(_ index: PackIndex, _ directory: PackDirectory) -> Bool {
    index.name == directory.name && index.frameCount == directory.frames.count
      && index.nodeCount == directory.nodes
  }

  /// What the pack says about itself.
  ///
  /// - Throws: what opening it throws; `system` with ENOENT when it has gone.
  package func directory() throws(PackError) -> PackDirectory {
    try content().reader.directory
  }

  /// The bytes of its file.
  ///
  /// - Throws: what opening it throws.
  package func fileBytes() throws(PackError) -> Int { try content().reader.fileBytes }

  /// The hash at the end of its file.
  ///
  /// - Throws: what opening it throws.
  package func hash() throws(PackError) -> Digest { try content().reader.hash }

  /// Compares all bytes of the file with the hash at its end.
  ///
  /// - Returns: the hash.
  /// - Throws: `corrupt` when they differ, or what opening it throws.
  @discardableResult
  package func checkBytes() throws(PackError) -> Digest { try content().reader.checkBytes() }

  /// The nodes of a frame, read and decoded now, and not kept.
  ///
  /// - Parameters:
  ///   - frame: from 0 to below the number of frames.
  ///   - inflater: the thread's.
  /// - Returns: its nodes in their order.
  /// - Throws: `corrupt`, or what opening the file throws.
  package func nodes(
    ofFrame frame: Int, _ inflater: inout FrameInflater
  ) throws(PackError) -> [StoredObject] {
    let content = try content()
    counters?.countRead(content.reader.directory.frames[frame].fileBytes)
    return try content.reader.nodes(ofFrame: frame, &inflater)
  }

  /// A frame as it is, and its nodes, read and decoded now.
  func bytes(
    ofFrame frame: Int, _ inflater: inout FrameInflater
  ) throws(PackError) -> (bytes: [UInt8], nodes: [StoredObject]) {
    let content = try content()
    counters?.countRead(content.reader.directory.frames[frame].fileBytes)
    return try content.reader.bytes(ofFrame: frame, &inflater)
  }

  // MARK: The index

  /// The index: the file beside the pack, or one that is built from the pack and kept in memory.
  ///
  /// - Throws: what opening the pack throws, where there is no index beside it.
  package func index() throws(PackError) -> PackIndex {
    try state.withLock { (state) throws(PackError) in try index(&state) }
  }

  private func index(_ state: inout State) throws(PackError) -> PackIndex {
    if let index = state.index { return index }
    if !state.isBuilt,
      let index = PackIndex.open(in: files.indexDirectory, files.indexFile, name: name)
    {
      // A pack that does not exist, or cannot be read, is an error when it is needed.
      guard let content = try? content(&state), !Self.fits(index, content.reader.directory) else {
        state.index = index
        return index
      }
    }
    let built = PackIndex.build(try content(&state).reader)
    state.index = built.index
    state.unreadable = built.unreadable
    state.isBuilt = true
    return built.index
  }

  /// Whether the index beside the pack is missing, damaged or of another pack, as far as it was read.
  package var hasBuiltIndex: Bool { state.withLock(\.isBuilt) }

  /// The frames that could not be read while the index was built.
  package var unreadableFrames: [PackIndex.Unreadable] { state.withLock(\.unreadable) }

  /// Asks the index, or, if that turns out to be damaged, the pack itself.
  ///
  /// - Parameter question: the question for the index.
  /// - Returns: the answer.
  /// - Throws: what opening the pack throws, where it has to be read.
  package func asking<Answer>(
    _ question: (PackIndex) throws(PackIndexDamage) -> Answer
  ) throws(PackError) -> Answer {
    while true {
      let index = try index()
      do throws(PackIndexDamage) {
        return try question(index)
      } catch {
        try rebuild(besides: index)
      }
    }
  }

  /// Builds the index anew, unless another thread has.
  private func rebuild(besides index: PackIndex) throws(PackError) {
    try state.withLock { (state) throws(PackError) in
      guard state.index === index else { return }
      guard !state.isBuilt else {
        throw .corrupt(offset: 0, reason: "the pack has changed since it was opened")
      }
      let built = PackIndex.build(try content(&state).reader)
      state.index = built.index
      state.unreadable = built.unreadable
      state.isBuilt = true
    }
  }

  /// The place of a node; the pack itself need not be there for that.
  ///
  /// - Parameter id: the node.
  /// - Returns: `nil` when it is not in the pack.
  /// - Throws: what opening the pack throws, where it has to be read.
  package func place(of id: ObjectID) throws(PackError) -> PackIndex.Place? {
    if let open = mended.load() ?? ready.load(), let place = try? open.index.place(of: id) {
      return place
    }
    return try asking { index throws(PackIndexDamage) in try index.place(of: id) }
  }

  /// Whether a node is in the pack, and the pack is there; whether it can be read is not looked at.
  ///
  /// - Parameter id: the node.
  /// - Returns: whether it is.
  /// - Throws: what opening the pack throws.
  package func contains(_ id: ObjectID) throws(PackError) -> Bool {
    guard try place(of: id) != nil else { return false }
    let index = try index()
    do throws(PackError) {
      _ = try content()
    } catch {
      if case .system = error { throw error }
      return true
    }
    // Opening the pack may have shown that the index belongs to another one.
    guard try self.index() !== index else { return true }
    return try place(of: id) != nil
  }

  /// Reads a node through the frame cache.
  ///
  /// - Parameters:
  ///   - id: the node.
  ///   - inflater: the thread's.
  /// - Returns: `nil` when it is not in the pack.
  /// - Throws: `corrupt` for a frame that cannot be read, or what opening the pack throws.
  package func read(
    _ id: ObjectID, _ inflater: inout FrameInflater
  ) throws(PackError) -> StoredObject? {
    if let near = inflater.near(id, of: serial) { return near }
    if let open = mended.load() ?? ready.load() {
      let place: PackIndex.Place?
      do throws(PackIndexDamage) {
        place = try open.index.place(of: id)
      } catch {
        return try readSlowly(id, &inflater)
      }
      guard let place else { return nil }
      if let node = try node(id, at: place, open.content, &inflater) { return node }
    }
    return try readSlowly(id, &inflater)
  }

  private func readSlowly(
    _ id: ObjectID, _ inflater: inout FrameInflater
  ) throws(PackError) -> StoredObject? {
    while true {
      // Place and index belong together: another thread may build the index anew meanwhile.
      let index = try index()
      let found: PackIndex.Place?
      do throws(PackIndexDamage) {
        found = try index.place(of: id)
      } catch {
        try rebuild(besides: index)
        continue
      }
      guard let place = found else { return nil }
      let content = try content()
      // Opening the pack may have shown that the index belongs to another one.
      guard try self.index() === index else { continue }
      if let node = try node(id, at: place, content, &inflater) {
        let isBuilt = state.withLock { $0.index === index ? $0.isBuilt : nil }
        if let isBuilt {
          let open = Ready(index, content)
          _ = isBuilt ? mended.storeIfNil(open) : ready.storeIfNil(open)
        }
        return node
      }
      // An index that is whole, but not of these nodes.
      try rebuild(besides: index)
    }
  }

  /// The node at a place; `nil` when another one is there.
  private func node(
    _ id: ObjectID, at place: PackIndex.Place, _ content: Content,
    _ inflater: inout FrameInflater
  ) throws(PackError) -> StoredObject? {
    guard place.frame < content.reader.directory.frames.count else { return nil }
    let key = FrameCache.Key(pack: serial, frame: place.frame)
    let frame = try cache.frame(key, place.place, &inflater) { (last, inflater) throws(PackError) in
      counters?.countRead(content.reader.directory.frames[place.frame].fileBytes)
      return try content.reader.frame(place.frame, upTo: last, &inflater)
    }
    guard let node = frame.nodes.node(id, at: place.place) else { return nil }
    inflater.lastPlace = place.place
    return node
  }
}
