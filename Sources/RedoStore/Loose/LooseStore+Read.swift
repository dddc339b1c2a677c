// Reading loose objects: never through a link, never from anything but a regular file, and every
// byte is accounted for before any of it is believed.

internal import RedoCrypto
package import RedoObject

extension LooseStore: ObjectReader, ObjectPlace {
  package func contains(_ id: ObjectID) throws(StoreError) -> Bool {
    guard shards.mayHave(id[0], in: directory) else { return false }
    return try mapSystem { () throws(SystemError) in
      try directory.status(Layout.loose(id))?.kind == .regular
    }
  }

  package func read(_ id: ObjectID) throws(StoreError) -> StoredObject? {
    var workspace = Workspace()
    return try read(id, &workspace)
  }

  /// Reads an object with the buffers of a thread.
  package func read(
    _ id: ObjectID, _ workspace: inout Workspace
  ) throws(StoreError) -> StoredObject? {
    guard shards.mayHave(id[0], in: directory) else { return nil }
    return try read(id, at: Layout.loose(id), &workspace)
  }

  /// Reads an object from a file of any name, such as a temporary.
  func read(
    _ id: ObjectID, at name: String, _ workspace: inout Workspace
  ) throws(StoreError) -> StoredObject? {
    guard try readFile(id, directory, name, &workspace.file, isKnownRegular: false) else {
      return nil
    }
    return try decode(id, &workspace)
  }

  /// Reads an object of an open shard, which saves the way through the directory of objects.
  package func read(
    _ id: ObjectID, in shard: borrowing Shard, _ workspace: inout Workspace
  ) throws(StoreError) -> StoredObject? {
    let isFound = try readFile(
      id, shard.directory, Layout.looseName(id), &workspace.file,
      isKnownRegular: shard.isAllRegular)
    if isFound {
      return try decode(id, &workspace)
    }
    // The directory may have been replaced since it was opened.
    return try read(id, &workspace)
  }

  /// The whole object whose bytes are under the name of another.
  ///
  /// - Parameters:
  ///   - id: the name.
  ///   - workspace: the thread's buffers.
  /// - Returns: the object under its own id; `nil` when there is no file.
  /// - Throws: `corrupt` when it is not an object at all, `system`.
  func readMisplaced(
    _ id: ObjectID, _ workspace: inout Workspace
  ) throws(StoreError) -> StoredObject? {
    let isFound = try readFile(
      id, directory, Layout.loose(id), &workspace.file, isKnownRegular: false)
    guard isFound else { return nil }
    var object = try inflate(id, workspace.file, &workspace.inflater, &workspace.inflated)
    object.id = ObjectID(digest: SHA256.digest(of: object.canonical.span))
    return object
  }

  /// The file of most objects has fewer bytes: one call reads them and proves their end.
  private static var usualFileBytes: Int { 4096 }
  /// Nothing compresses to more than this: zlib adds 5 bytes a 16 KiB block.
  private static var fileLimit: Int { LooseFormat.sizeLimit + LooseFormat.sizeLimit / 1000 }

  /// Reads the file of an object.
  ///
  /// - Parameters:
  ///   - id: the object.
  ///   - directory: the directory of the file.
  ///   - name: its name there.
  ///   - bytes: receives its bytes.
  ///   - isKnownRegular: whether the directory's listing told that it is a regular file.
  /// - Returns: whether it exists.
  /// - Throws: `corrupt` when it is not a regular file or too large, `system`.
  func readFile(
    _ id: ObjectID, _ directory: borrowing Directory, _ name: String, _ bytes: inout [UInt8],
    isKnownRegular: Bool
  ) throws(StoreError) -> Bool {
    let file: File?
    do throws(SystemError) {
      // Non-blocking, so that a named pipe in an object's place cannot hold us up.
      file = try directory.openFileIfPresent(name, .read, [.noFollow, .nonBlocking])
    } catch {
      guard error.isSymbolicLink || error.isUnopenable else { throw .system(error) }
      throw .corrupt(id, path: path(of: id), reason: "not a regular file")
    }
    guard let file else { return false }
    bytes.removeAll(keepingCapacity: true)
    // Querying the file takes a call of its own, which is not worth it for most files.
    if isKnownRegular {
      let count = try mapSystem { () throws(SystemError) in
        try file.read(into: &bytes, atMost: Self.usualFileBytes)
      }
      if count < Self.usualFileBytes { return true }
    }
    let status = try mapSystem { () throws(SystemError) in try file.status() }
    guard status.kind == .regular else {
      throw .corrupt(id, path: path(of: id), reason: "not a regular file")
    }
    guard status.size <= Self.fileLimit else {
      throw .corrupt(id, path: path(of: id), reason: "no object has a file of \(status.size) bytes")
    }
    try mapSystem { () throws(SystemError) in
      // One byte more than is expected, so that one call also proves the end of the file.
      while bytes.count <= status.size + Self.usualFileBytes {
        let wanted = max(status.size + 1 - bytes.count, 512)
        if try file.read(into: &bytes, atMost: wanted) < wanted, bytes.count >= status.size {
          break
        }
      }
    }
    return true
  }

  /// A file that is smaller than this cannot hold more than 16 MiB.
  private static var suspiciousFileBytes: Int { 16_384 }

  /// Inflates and checks the bytes of an object's file, which the workspace has.
  private func decode(
    _ id: ObjectID, _ workspace: inout Workspace
  ) throws(StoreError) -> StoredObject {
    if workspace.file.count >= Self.suspiciousFileBytes { try checkLarge(id, &workspace) }
    let object = try inflate(
      id, workspace.file, &workspace.inflater, &workspace.inflated)
    try check(SHA256.digest(of: object.canonical.span), id)
    counters?.countRead(workspace.file.count)
    return object
  }

  private func check(_ digest: Digest, _ id: ObjectID) throws(StoreError) {
    guard digest == id.digest else {
      throw .corrupt(
        id, path: path(of: id), reason: "its bytes hash to '\(ObjectID(digest: digest).text)'")
    }
  }

  /// Hashes an object that is far larger than its file before memory is given to it.
  ///
  /// Anybody can make a small file that inflates to a gigabyte, but not one of a name that something asks for. Where
  /// nothing but a node will do, the header of a blob is enough to refuse it.
  private func checkLarge(
    _ id: ObjectID, _ workspace: inout Workspace
  ) throws(StoreError) {
    let header = try start(
      id, workspace.file, &workspace.inflater, &workspace.inflated
    ).header
    guard header.size > max(4 * workspace.file.count, Self.suspiciousFileBytes << 10) else {
      return
    }
    guard !workspace.isForHistory || header.kind.hasHistory else {
      throw .corrupt(
        id, path: path(of: id),
        reason: "the header claims a \(header.kind.name) of \(header.size) bytes in place of a node"
      )
    }
    try check(
      try digest(of: id, workspace.file, &workspace.inflater, &workspace.inflated), id)
  }

  /// The hash of what an object's file holds, without keeping it.
  func digest(
    of id: ObjectID, _ file: [UInt8], _ inflater: inout Inflater, _ scratch: inout [UInt8]
  ) throws(StoreError) -> Digest {
    var hash = SHA256()
    _ = try inflate(id, file, &inflater, &scratch, reserve: { _ in }) { hash.update($0) }
    return hash.finalize()
  }

  /// Inflates the bytes of an object's file, and checks all but their hash.
  func inflate(
    _ id: ObjectID, _ file: [UInt8], _ inflater: inout Inflater, _ scratch: inout [UInt8]
  ) throws(StoreError) -> StoredObject {
    var canonical: [UInt8] = []
    let header = try inflate(
      id, file, &inflater, &scratch, reserve: { canonical.reserveCapacity($0) }
    ) { canonical.append($0, 0..<$0.count) }
    return StoredObject(
      id: id, kind: header.kind, canonical: canonical, signature: header.signature)
  }

  /// Begins to inflate the bytes of an object's file.
  ///
  /// - Returns: the header, where it ends in the scratch bytes, how many of these there are, and how far the stream has
  ///   come.
  /// - Throws: `corrupt` when there is no header, or it claims more than there can be.
  private func start(
    _ id: ObjectID, _ file: [UInt8], _ inflater: inout Inflater, _ scratch: inout [UInt8]
  ) throws(StoreError) -> (header: LooseFormat, end: Int, count: Int, progress: Inflater.Progress) {
    func corrupt(_ reason: String) -> StoreError {
      .corrupt(id, path: path(of: id), reason: reason)
    }
    var buffer = scratch.mutableSpan
    let first = inflater.start(file.span, into: &buffer)
    guard first.progress != .damaged else { throw corrupt("the compressed data is damaged") }
    var headerEnd = 0
    let headerLimit = min(first.count, LooseFormat.headerLimit)
    while headerEnd < headerLimit, scratch[headerEnd] != 0 { headerEnd += 1 }
    guard headerEnd < headerLimit,
      let header = LooseFormat.parse(scratch.span.extracting(0..<headerEnd))
    else { throw corrupt("the header is not that of an object") }
    // zlib makes at most 1,032 bytes of one; a larger claim must not reserve memory.
    guard header.size <= LooseFormat.sizeLimit, header.size / 1032 <= file.count else {
      throw corrupt("the header claims \(header.size) bytes")
    }
    guard header.size <= header.kind.byteLimit ?? LooseFormat.sizeLimit else {
      throw corrupt("the header claims \(header.size) bytes, more than a \(header.kind.name) has")
    }
    return (header, headerEnd + 1, first.count, first.progress)
  }

  /// Inflates the bytes of an object's file part by part, and checks all but their hash; `reserve` receives the number
  /// of bytes that the header states.
  private func inflate(
    _ id: ObjectID, _ file: [UInt8], _ inflater: inout Inflater, _ scratch: inout [UInt8],
    reserve: (Int) -> Void, _ take: (Span<UInt8>) -> Void
  ) throws(StoreError) -> LooseFormat {
    func corrupt(_ reason: String) -> StoreError {
      .corrupt(id, path: path(of: id), reason: reason)
    }
    let first = try start(id, file, &inflater, &scratch)
    let header = first.header
    reserve(header.size)
    var count = min(first.count - first.end, header.size)
    take(scratch.span.extracting(first.end..<first.end + count))
    var progress = first.progress
    var surplus = first.count - first.end - count
    while count < header.size, progress == .unfinished {
      let wanted = min(scratch.count, header.size - count)
      var buffer = scratch.mutableSpan
      let step = inflater.proceed(file.span, into: &buffer, atMost: wanted)
      take(scratch.span.extracting(0..<step.count))
      count += step.count
      progress = step.progress
      if step.count == 0 { break }
    }
    if progress == .unfinished, surplus == 0, count == header.size {
      // The end mark may still be outstanding; room for one byte shows whether data is, too.
      var one = InlineArray<1, UInt8>(repeating: 0)
      var span = one.mutableSpan
      let last = inflater.proceed(file.span, into: &span, atMost: 1)
      surplus = last.count
      progress = last.progress
    }
    guard count == header.size, surplus == 0 else {
      throw corrupt("the data does not have the \(header.size) bytes of its header")
    }
    guard case .ended(let left) = progress else { throw corrupt("the compressed data is cut off") }
    guard left == 0 else { throw corrupt("\(left) bytes follow the compressed data") }
    return header
  }
}
