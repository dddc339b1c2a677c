// Writing loose objects (protocol, section 7): a temporary in the same directory, a full write, the
// syncs of the policy, then a name that replaces nothing. What a crash leaves has the name of a temporary,
// which no reader takes for an object.

internal import RedoCrypto
package import RedoObject

extension LooseStore: ObjectWriter {
  package func write(_ objects: [ObjectWrite]) throws(StoreError) -> [WriteOutcome] {
    var transaction = LooseTransaction(self, isSingle: objects.count == 1)
    var compressor = makeCompressor()
    var workspace = Workspace()
    for object in objects {
      transaction.add(
        try stage(object, &compressor, &workspace, isSingle: objects.count == 1, behind: .none))
    }
    return try transaction.commit()
  }

  /// The compression stream of one thread.
  package struct Compressor: ~Copyable {
    private let level: Int
    private var short: Deflater?
    private var long: Deflater?

    /// The bytes that fit one block of most file systems, compressed or not.
    private static let blockBytes = 4096

    init(level: Int) { self.level = level }

    /// One zlib stream of some bytes.
    mutating func compress(_ bytes: Span<UInt8>) -> [UInt8] {
      let isShort = level == 1 && bytes.count <= Self.blockBytes
      guard isShort else { return Self.compress(bytes, with: &long, level, isForShort: false) }
      return Self.compress(bytes, with: &short, level, isForShort: true)
    }

    private static func compress(
      _ bytes: Span<UInt8>, with stream: inout Deflater?, _ level: Int, isForShort: Bool
    ) -> [UInt8] {
      if stream == nil { stream = .some(Deflater(level: level, isForShort: isForShort)) }
      guard let compressed = stream?.compress(bytes) else {
        preconditionFailure("BUG: a stream that was just made is gone")
      }
      return compressed
    }
  }

  /// A compression stream for what is written here.
  package func makeCompressor() -> Compressor { Compressor(level: compressionLevel) }

  /// An object that is in the store under a temporary name, or that the store already has.
  package struct Staged: Sendable {
    let id: ObjectID
    let key: PublicKey?
    /// The random part of the temporary's name; 0 when there is no temporary, because the store has the object
    /// and nothing about it changes.
    let suffix: UInt64

    /// What writing it seemed to do when it was staged.
    let planned: WriteOutcome
    /// Packs with another copy of it that will have got their names by the time it is named itself.
    var rivals: PackStore?

    /// Whether the store had the object already, corrupt or not.
    package var isKnown: Bool { planned != .new }

    /// The path of the temporary below the directory of objects.
    var temporary: String? { suffix == 0 ? nil : Layout.temporary(id, suffix) }
  }

  /// Writes an object's temporary; safe to call on several threads at once.
  ///
  /// - Parameters:
  ///   - write: the object.
  ///   - compressor: the thread's compression stream.
  ///   - workspace: the thread's buffers.
  ///   - isSingle: whether it is alone in its transaction, so that it is synced by itself.
  ///   - others: places that are read after this one: what they have is not written again.
  /// - Returns: what a transaction needs to name it, or to remove it again.
  /// - Throws: `system` or `tooLarge`; nothing of it is left behind then.
  package func stage(
    _ write: ObjectWrite, _ compressor: inout Compressor, _ workspace: inout Workspace,
    isSingle: Bool, behind others: ObjectPlaces
  ) throws(StoreError) -> Staged {
    let object = write.object
    guard object.canonical.count <= LooseFormat.sizeLimit else {
      throw .tooLarge(object.id, sizeBytes: object.canonical.count)
    }
    let (outcome, chosen) = try plan(write, &workspace, behind: others)
    var suffix: UInt64 = 0
    if outcome == .known {
      try renew(object)
    } else {
      suffix = try writeTemporary(
        chosen, &compressor, syncs: syncPolicy == .full || syncPolicy == .batch && isSingle)
    }
    return Staged(id: object.id, key: write.key, suffix: suffix, planned: outcome)
  }

  /// Lets a blob that is written again be as young as a new one: what will name it may come later.
  private func renew(_ object: StoredObject) throws(StoreError) {
    guard object.kind == .blob else { return }
    do throws(SystemError) {
      try directory.touch(Layout.loose(object.id))
    } catch {
      // It is somebody else's, or the medium is only read: then nobody removes it, either.
      guard error.isRefused else { throw .system(error) }
    }
  }

  /// Writes the temporary of a node that also has a copy in a pack without a name: which of them is better is
  /// found out once the pack has its name.
  ///
  /// - Parameters:
  ///   - write: the node.
  ///   - compressor: the thread's compression stream.
  ///   - packs: where the other copy will be.
  /// - Returns: what a transaction needs to name it, or to remove it again.
  /// - Throws: `system`; nothing of it is left behind then.
  func stageRival(
    _ write: ObjectWrite, _ compressor: inout Compressor, of packs: PackStore
  ) throws(StoreError) -> Staged {
    let suffix = try writeTemporary(write.object, &compressor, syncs: syncPolicy == .full)
    return Staged(
      id: write.object.id, key: write.key, suffix: suffix, planned: .upgraded, rivals: packs)
  }

  /// What writing an object would do here, and with which copy of it.
  ///
  /// A copy in a place after this one counts as present, so that what is written here, and read first, is
  /// never worse.
  private func plan(
    _ write: ObjectWrite, _ workspace: inout Workspace, behind others: ObjectPlaces
  ) throws(StoreError) -> (WriteOutcome, StoredObject) {
    let object = write.object
    var outcome = WriteOutcome.new
    if try contains(object.id) {
      outcome = try compare(object, key: write.key, &workspace)
      if outcome != .healed { return (outcome, object) }
    }
    for (number, place) in others.all.enumerated() {
      guard try place.contains(object.id) else { continue }
      switch try place.compare(object, key: write.key, &workspace) {
      case .new: continue
      case .healed:
        // A corrupt copy of the store's own is healed by a good one that is read before it.
        if number < others.ownCount { outcome = .healed }
      case .upgraded: return (outcome == .healed ? .healed : .upgraded, object)
      case .known:
        guard outcome == .healed, let copy = try place.read(object.id, &workspace) else {
          return (.known, object)
        }
        return (.healed, copy)
      }
    }
    return (outcome, object)
  }

  /// Writes the whole file of an object under a temporary name.
  func writeTemporary(
    _ object: StoredObject, _ compressor: inout Compressor, syncs: Bool
  ) throws(StoreError) -> UInt64 {
    let header = LooseFormat(
      kind: object.kind, size: object.canonical.count, signature: object.signature)
    var plain: [UInt8] = []
    plain.reserveCapacity(object.canonical.count + LooseFormat.headerLimit)
    header.append(to: &plain)
    plain.append(object.canonical.span)
    let bytes = compressor.compress(plain.span)
    let suffix = max(Random.uint64(), 1)
    let name = Layout.temporary(object.id, suffix)
    do throws(SystemError) {
      let file: File
      do throws(SystemError) {
        file = try createTemporary(name)
      } catch {
        guard error.isMissing else { throw error }
        try directory.makeDirectory(Layout.shard(object.id))
        file = try createTemporary(name)
      }
      do throws(SystemError) {
        try file.writeAll(bytes.span)
        if syncs { try file.sync() }
      } catch {
        _ = try? directory.unlink(name)
        throw error
      }
    } catch {
      throw .system(error)
    }
    counters?.countWrite(bytes.count)
    return suffix
  }

  private func createTemporary(_ name: String) throws(SystemError) -> File {
    try directory.openFile(name, .write, [.create, .exclusive, .noFollow], mode: 0o444)
  }
}
