// Whether a remote is still the same: it must have the store ID that was seen first, and a checkpoint that continues
// the remembered one. If that counts more nodes, the remote has to prove that the first of them are the same.

internal import RedoCrypto
package import RedoObject
package import RedoRemote
internal import RedoStore

/// Recognises a remote.
package struct RemoteIdentity {
  private let title: String
  private let memory: RemoteMemory?

  /// Creates the check for a remote; nothing is remembered about one without a name.
  package init(_ remote: Remote, _ opened: Repository) {
    title = remote.title
    memory = remote.name.map { RemoteMemory($0, opened) }
  }

  /// The words that ask a remote to show that its checkpoint continues the remembered one.
  ///
  /// - Throws: `RemoteIdentityFault` when what is remembered is damaged, `SystemError` when it cannot be read.
  package func words() throws -> [String] {
    guard let old = try remembered() else { return [] }
    return [GrowthWords.word(of: old)]
  }

  private func remembered() throws -> Checkpoint? {
    guard let bytes = try memory?.checkpoint() else { return nil }
    do throws(NoteError) {
      return try SignedCheckpoint(decoding: bytes).checkpoint
    } catch {
      throw RemoteIdentityFault.damagedCheckpoint(remote: title, error)
    }
  }

  /// Checks that a remote is still the same.
  ///
  /// - Parameter hello: what it says about itself.
  /// - Throws: `RemoteIdentityFault` when it is not, what it says makes no sense, or what is remembered about it is
  ///   damaged.
  package func check(_ hello: ServerHello) throws {
    let id = hello.store.flatMap { StoreID(raw: $0) }
    let new = try stated(hello)
    if let new, new.store != id {
      throw RemoteIdentityFault.foreignCheckpoint(remote: title, new.store)
    }
    guard let memory else { return }
    if let known = try memory.id(), known != id { throw changed(.otherStore(id, known: known)) }
    guard let old = try remembered() else { return }
    guard let new else { throw changed(.noCheckpoint) }
    if new.size < old.size || new.entry < old.entry {
      throw changed(.shrunk(count: new.size, before: old.size))
    }
    if new.size == old.size, new.root != old.root { throw changed(.otherHistory(old.time)) }
    if new.size > old.size {
      let path = GrowthWords.path(in: hello.capabilities.words) ?? []
      guard
        MerkleTree.isConsistent(old.size, old.root, new.size, new.root, path: path)
      else { throw changed(path.isEmpty ? .unproven(old.time) : .otherHistory(old.time)) }
    }
    if new.entry == old.entry, new.chain != old.chain { throw changed(.otherRefs(old.time)) }
  }

  /// The checkpoint that a remote states, if it states one.
  private func stated(_ hello: ServerHello) throws -> Checkpoint? {
    guard let bytes = hello.checkpoint else { return nil }
    do throws(NoteError) {
      return try SignedCheckpoint(decoding: bytes).checkpoint
    } catch {
      throw RemoteIdentityFault.malformedCheckpoint(remote: title, error)
    }
  }

  private func changed(_ change: RemoteIdentityFault.Change) -> RemoteIdentityFault {
    .changed(remote: title, change)
  }
}

extension StoreID {
  /// The ID from 16 bytes; `nil` for another number of bytes.
  package init?(raw bytes: [UInt8]) { self.init(text: Hex.text(bytes.span)) }
}
