// Whether a remote is who it was: the store id that was met first, and a checkpoint that continues the one that
// is remembered. Where it counts more nodes, the remote has to prove that the first of them are the same.

internal import RedoCrypto
package import RedoObject
package import RedoRemote
internal import RedoStore

/// Knows a remote again.
package struct RemoteIdentity {
  private let title: String
  private let memory: RemoteMemory?

  /// Knows a remote again; of one without a name nothing is remembered.
  package init(_ remote: Remote, _ opened: Repository) {
    title = remote.title
    memory = remote.name.map { RemoteMemory($0, opened) }
  }

  /// The words by which a remote is asked to show that its checkpoint continues the remembered one.
  ///
  /// - Throws: `fatal` when what is remembered cannot be read.
  package func words() throws -> [String] {
    guard let old = try remembered() else { return [] }
    return [GrowthWords.word(of: old)]
  }

  private func remembered() throws -> Checkpoint? {
    guard let bytes = try memory?.checkpoint() else { return nil }
    return try decode(bytes, of: "what is remembered of '\(title)' is damaged")
  }

  /// Whether a remote is who it was.
  ///
  /// - Parameter hello: what it says of itself.
  /// - Throws: `identity` when it is not, `fatal` when what it says makes no sense, or what is remembered
  ///   cannot be read.
  package func check(_ hello: ServerHello) throws {
    let id = hello.store.flatMap { StoreID(raw: $0) }
    let new = try hello.checkpoint.map { bytes throws in
      try decode(bytes, of: "'\(title)' states a checkpoint that is none")
    }
    if let new, new.store != id {
      throw CommandError.fatal(
        "'\(title)' states a checkpoint of another store, '\(new.store.text)'")
    }
    guard let memory else { return }
    if let known = try memory.id(), known != id {
      throw identity(
        "is another store than the one that was met first: its id is "
          + "\(id.map { "'\($0.text)'" } ?? "not stated"), not '\(known.text)'")
    }
    guard let old = try remembered() else { return }
    guard let new else { throw identity("states no checkpoint any more") }
    if new.size < old.size || new.entry < old.entry {
      throw identity(
        "has gone back: its checkpoint counts \(new.size) changes, and one before it \(old.size)")
    }
    if new.size == old.size, new.root != old.root {
      throw identity("has another history than its checkpoint of \(old.time.text) says")
    }
    if new.size > old.size {
      let path = GrowthWords.path(in: hello.capabilities.words) ?? []
      guard
        MerkleTree.isConsistent(old.size, old.root, new.size, new.root, path: path)
      else {
        throw identity(
          path.isEmpty
            ? "does not show that its checkpoint continues the one of \(old.time.text)"
            : "has another history than its checkpoint of \(old.time.text) says")
      }
    }
    if new.entry == old.entry, new.chain != old.chain {
      throw identity("has other refs than its checkpoint of \(old.time.text) says")
    }
  }

  private func decode(
    _ bytes: [UInt8], of subject: String
  ) throws -> Checkpoint {
    do throws(NoteError) {
      return try SignedCheckpoint(decoding: bytes).checkpoint
    } catch {
      throw CommandError.fatal("\(subject): \(error.description)")
    }
  }

  private func identity(_ text: String) -> CommandError {
    CommandError(
      .identity, "'\(title)' \(text)",
      hints: [
        "nothing was taken or sent; if that is right, 'redo remote rm \(title)' forgets the old one"
      ])
  }
}

extension StoreID {
  /// The id of 16 bytes; `nil` of another number of them.
  package init?(raw bytes: [UInt8]) { self.init(text: Hex.text(bytes.span)) }
}
