// Writing loose objects (protocol, section 7): a temporary in the same directory, a full write, the
// syncs of the policy, then a name that replaces nothing. What a crash leaves behind has the name of
// a temporary, which no reader takes for an object.

internal import RedoCrypto
package import RedoObject

extension LooseStore: ObjectWriter {
  package func write(_ objects: [ObjectWrite]) throws(StoreError) -> [WriteOutcome] {
    var transaction = LooseTransaction(self, isSingle: objects.count == 1)
    var compressor = makeCompressor()
    var workspace = Workspace()
    for object in objects {
      transaction.add(
        try stage(object, &compressor, &workspace, isSingle: objects.count == 1))
    }
    return try transaction.commit()
  }

  /// The compression stream of one thread.
  package struct Compressor: ~Copyable {
    var deflater: Deflater

    package init(level: Int) { deflater = Deflater(level: level) }
  }

  /// A compression stream for what is written here.
  package func makeCompressor() -> Compressor { Compressor(level: compressionLevel) }

  /// An object that lies in the store under a temporary name, or that the store has already.
  package struct Staged: Sendable {
    let id: ObjectID
    let key: PublicKey?
    /// The random part of the temporary's name; 0 when there is none, because the store has the
    /// object and nothing about it is to be changed.
    let suffix: UInt64
    /// Whether the shard's directory was made for it.
    let isNewShard: Bool

    /// Whether the store had the object already, corrupt or not.
    package let isKnown: Bool

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
  /// - Returns: what a transaction needs to name it, or to take it back.
  /// - Throws: `system` or `tooLarge`; nothing of it is left then.
  package func stage(
    _ write: ObjectWrite, _ compressor: inout Compressor, _ workspace: inout Workspace,
    isSingle: Bool
  ) throws(StoreError) -> Staged {
    let object = write.object
    guard object.canonical.count <= LooseFormat.sizeLimit else {
      throw .tooLarge(object.id, sizeBytes: object.canonical.count)
    }
    var suffix: UInt64 = 0
    var isNewShard = false
    let isNew = try !contains(object.id)
    let outcome = isNew ? .new : try compare(object, key: write.key, &workspace)
    if outcome != .known {
      (suffix, isNewShard) = try writeTemporary(
        object, &compressor, syncs: syncPolicy == .full || syncPolicy == .batch && isSingle)
    }
    return Staged(
      id: object.id, key: write.key, suffix: suffix, isNewShard: isNewShard,
      isKnown: !isNew)
  }

  /// What is to be done about an object whose name is taken: `known` for nothing.
  ///
  /// - Parameters:
  ///   - object: the arriving object; its canonical bytes are not looked at.
  ///   - key: the signer's public key, if it is known.
  ///   - workspace: the thread's buffers.
  /// - Returns: what writing the object would do.
  /// - Throws: `system` when the stored one cannot be read.
  func compare(
    _ object: StoredObject, key: PublicKey?, _ workspace: inout Workspace
  ) throws(StoreError) -> WriteOutcome {
    let stored: StoredObject?
    do throws(StoreError) {
      stored = try read(object.id, &workspace)
    } catch {
      guard case .corrupt = error else { throw error }
      return .healed
    }
    guard let stored else { return .new }
    guard object.kind == .node else { return .known }
    guard stored.kind == .node else { return .upgraded }
    let choice = SignatureChoice.between(
      stored: stored.signature, arriving: object.signature, of: stored, key: key)
    return choice == .take ? .upgraded : .known
  }

  /// Writes the whole file of an object under a temporary name.
  private func writeTemporary(
    _ object: StoredObject, _ compressor: inout Compressor, syncs: Bool
  ) throws(StoreError) -> (suffix: UInt64, isNewShard: Bool) {
    let header = LooseFormat(
      kind: object.kind, size: object.canonical.count, signature: object.signature)
    var plain: [UInt8] = []
    plain.reserveCapacity(object.canonical.count + LooseFormat.headerLimit)
    header.append(to: &plain)
    plain.append(object.canonical.span)
    let bytes = compressor.deflater.compress(plain.span)
    let suffix = max(Random.uint64(), 1)
    let name = Layout.temporary(object.id, suffix)
    var isNewShard = false
    do throws(SystemError) {
      let file: File
      do throws(SystemError) {
        file = try createTemporary(name)
      } catch {
        guard error.isMissing else { throw error }
        isNewShard = try directory.makeDirectory(Layout.shard(object.id))
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
    return (suffix, isNewShard)
  }

  private func createTemporary(_ name: String) throws(SystemError) -> File {
    try directory.openFile(name, .write, [.create, .exclusive, .noFollow], mode: 0o444)
  }
}
