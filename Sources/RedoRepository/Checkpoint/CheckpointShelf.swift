// Where checkpoints are: blobs of the store, where a ref names the last one and each names its predecessor; and files
// outside the store.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// A checkpoint that was looked for.
package struct FoundCheckpoint {
  /// The name of its note; `nil` when a file could not be read.
  package let id: ObjectID?
  /// The path of its file as it was given; `nil` for an object of the store.
  package let path: String?
  /// The checkpoint, or what is wrong with it.
  package let result: Result<SignedCheckpoint, CheckpointFlaw>

  /// The checkpoint, if it is intact.
  package var signed: SignedCheckpoint? { try? result.get() }

  /// Its name in messages.
  package var name: String { path ?? id?.text ?? "-" }
}

/// The checkpoints of a store.
package struct CheckpointShelf {
  /// The ref that names the last checkpoint.
  package static var latest: RefName {
    guard let name = RefName("checkpoints/latest") else {
      preconditionFailure("BUG: the name of the last checkpoint is none")
    }
    return name
  }

  package let opened: Repository

  package init(_ opened: Repository) { self.opened = opened }

  /// The id of the last checkpoint.
  package func latestID(_ snapshot: inout RefsSnapshot) throws -> ObjectID? {
    return try snapshot.ids(of: CheckpointShelf.latest).first
  }

  /// The last checkpoint, if there is one and it is intact.
  func last(_ snapshot: inout RefsSnapshot) throws -> SignedCheckpoint? {
    try latestID(&snapshot).flatMap { try stored($0).signed }
  }

  /// The last checkpoint that release 0.1 can read, which states no objects and no heads: the ones after it are passed over.
  func lastOfFirstForm(_ snapshot: inout RefsSnapshot) throws -> SignedCheckpoint? {
    var found = try last(&snapshot)
    while let later = found, !later.checkpoint.statements.isEmpty {
      found = try later.checkpoint.previous.flatMap { try stored($0).signed }
    }
    return found
  }

  /// All checkpoints of the store, the last one first; the chain ends with the first that is damaged or missing.
  package func chain(_ snapshot: inout RefsSnapshot) throws -> [FoundCheckpoint] {
    var found: [FoundCheckpoint] = []
    var next = try latestID(&snapshot)
    // Each names the hash of its predecessor, so they cannot form a cycle.
    while let id = next {
      let checkpoint = try stored(id)
      found.append(checkpoint)
      next = checkpoint.signed?.checkpoint.previous
    }
    return found
  }

  /// A checkpoint of the store.
  ///
  /// - Throws: `StoreError` when it cannot be read.
  package func stored(_ id: ObjectID) throws -> FoundCheckpoint {
    let result: Result<SignedCheckpoint, CheckpointFlaw>
    do throws(StoreError) {
      if let object = try opened.objects.read(id) {
        result =
          object.kind == .blob ? Self.decode(object.canonical) : .failure(.kind(object.kind))
      } else {
        result = .failure(.absent)
      }
    } catch {
      guard case .corrupt(_, _, let reason) = error else { throw error }
      result = .failure(.damaged(reason: reason))
    }
    return FoundCheckpoint(id: id, path: nil, result: result)
  }

  /// A checkpoint in a file.
  ///
  /// - Throws: as `InputFile.read`, when it cannot be read.
  package static func file(
    _ path: String, _ effects: Effects
  ) throws -> FoundCheckpoint {
    let bytes = try InputFile.read(path, limit: SignedNote.byteLimit, effects)
    return FoundCheckpoint(
      id: ObjectID(digest: SHA256.digest(of: bytes.span)), path: path, result: decode(bytes))
  }

  /// The checkpoint that is named by its ID, a prefix of it, or a file.
  ///
  /// - Throws: `CheckpointFault` when it does not hold, and as `file`.
  package func named(_ text: String, _ effects: Effects) throws -> SignedCheckpoint {
    let found: FoundCheckpoint
    if case .id(let id) = try ObjectName.resolve(Array(text.utf8)[...], in: opened.objects) {
      found = try stored(id)
    } else {
      found = try Self.file(text, effects)
    }
    switch found.result {
    case .success(let signed): return signed
    case .failure(let flaw): throw CheckpointFault.broken(name: text, flaw)
    }
  }

  /// The same where there may be no store, so that only files can be named; `-` is standard input.
  ///
  /// - Throws: as above.
  package static func named(
    _ text: String, in opened: Repository?, _ effects: Effects
  ) throws -> SignedCheckpoint {
    guard text != InputFile.standardInputSign else {
      let input = effects.surroundings.standardInput
      switch decode(try InputFile.read(input, limit: SignedNote.byteLimit)) {
      case .success(let signed): return signed
      case .failure(let flaw): throw CheckpointFault.broken(name: text, flaw)
      }
    }
    if let opened { return try CheckpointShelf(opened).named(text, effects) }
    let found = try file(text, effects)
    switch found.result {
    case .success(let signed): return signed
    case .failure(let flaw): throw CheckpointFault.broken(name: text, flaw)
    }
  }

  private static func decode(
    _ bytes: [UInt8]
  ) -> Result<SignedCheckpoint, CheckpointFlaw> {
    do throws(NoteError) {
      return .success(try SignedCheckpoint(decoding: bytes))
    } catch {
      return .failure(.unreadable(error))
    }
  }
}

extension Repository {
  /// The name of the store; `nil` when an earlier release made it and no checkpoint was made since.
  package func storeID() throws -> StoreID? {
    return try store.config.storeID()
  }
}
