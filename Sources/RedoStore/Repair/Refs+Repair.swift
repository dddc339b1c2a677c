// Writing refs anew after a diagnosis. Every file that is replaced has a second name in `lost-found`
// first, and each is replaced in one step; after a crash in between, a diagnosis finds the same refs:
//
//   1. `received` is new, as long as before: read as far as it counted, it is right
//   2. `reflog` is new, or longer: the refs do not need it
//   3. `refs` is new: it is valid, whatever the journal is
//   4. the journal is new
//   5. `received` ends with the mark of the last change: done
//
// Whatever told of lost changes before does so until the last step.

internal import RedoCrypto
package import RedoObject

/// Refs that are being repaired: nobody else can write them until this value ends.
package struct RefsRepair: ~Copyable {
  private let refs: Refs
  private let lock: LockFile
  private let options: RefsOptions
  /// What is wrong.
  package let diagnosis: RefsDiagnosis

  fileprivate init(
    _ refs: consuming Refs, _ lock: consuming LockFile, _ options: RefsOptions,
    _ diagnosis: RefsDiagnosis
  ) {
    self.refs = refs
    self.lock = lock
    self.options = options
    self.diagnosis = diagnosis
  }

  /// Writes what is damaged anew, and reads it again.
  ///
  /// - Parameters:
  ///   - final: the refs as they shall be.
  ///   - ids: further nodes that the received log is to name.
  ///   - message: for the entry that states what has changed, if anything has.
  ///   - milliseconds: the present, since 1970.
  ///   - lostFound: where to keep what is replaced.
  /// - Returns: for each damaged file where its bytes are kept, below the store's directory.
  /// - Throws: `system`; `corrupt` when what was written does not read right.
  package consuming func write(
    _ final: Set<Ref>, receiving ids: [ObjectID], message: String, at milliseconds: Int64,
    keeping lostFound: LostFound
  ) throws(RefsError) -> [String: String] {
    var kept: [String: String] = [:]
    let files = diagnosis.files
    let directory = refs.directory.share()
    try RefsError.wrapping { () throws(SystemError) in
      for file in files {
        if let found = try lostFound.keep(file, in: directory, as: file) { kept[file] = found.path }
      }
    }
    let receivedBytes = try writeReceived(ids, at: milliseconds)
    let (entry, chain, reflogBytes) = try writeReflog(
      final, receivedBytes, message, at: milliseconds)
    try writeRefs(
      final,
      RefsHeader(
        generation: diagnosis.generation, fileBytes: 0, refCount: 0, entry: entry, chain: chain,
        reflogBytes: reflogBytes, receivedBytes: receivedBytes))
    try refs.replaceJournal(generation: diagnosis.generation, chain: chain, options)
    try Received(in: directory).finish(
      at: receivedBytes, with: ReceivedMark(entry: entry, chain: chain), options.sync)
    try check(final)
    return kept
  }

  // MARK: Files

  private borrowing func replace(
    _ name: String, _ pieces: [ArraySlice<UInt8>]
  ) throws(RefsError) {
    let sync = options.sync
    let directory = refs.directory.share()
    try RefsError.wrapping { () throws(SystemError) in
      var temporary = try TemporaryFile(
        in: directory, prefix: Refs.Name.temporary, mode: 0o644)
      for piece in pieces { try temporary.file.writeAll(piece.span) }
      if sync.isSyncing { try temporary.file.sync() }
      _ = try temporary.commit(as: name, replacing: .always)
      if sync.isSyncing { try directory.sync() }
    }
  }

  /// Step 1.
  ///
  /// - Returns: the bytes that shall count.
  private borrowing func writeReceived(
    _ ids: [ObjectID], at milliseconds: Int64
  ) throws(RefsError) -> Int {
    let frames = diagnosis.keptFrames
    let old = diagnosis.receivedBytes
    guard diagnosis.isReceivedDamaged else {
      var end = old
      if case .end = diagnosis.lost {
        end = max(end, frames.last { !$0.ids.isEmpty }?.range.upperBound ?? end)
      }
      if ids.isEmpty { return end }
      return try Received(in: refs.directory).append(
        [(ids, .received(milliseconds))], at: end, marking: diagnosis.mark, options.sync)
    }
    var bytes = Array("\(Received.firstLine)".utf8)
    for frame in frames { bytes += diagnosis.received.bytes[frame.range] }
    for start in stride(from: 0, to: ids.count, by: Received.maximumIDs) {
      bytes += Received.frame(
        ids[start..<min(start + Received.maximumIDs, ids.count)], .received(milliseconds))
    }
    let count = bytes.count
    // What counted may be a number that nothing proves: room is filled only as far as the file went.
    Received.fill(&bytes, to: min(old, diagnosis.received.bytes.count))
    bytes += diagnosis.mark?.frame ?? []
    try replace(Refs.Name.received, [bytes[...]])
    return count
  }

  /// Step 2.
  ///
  /// - Returns: number and chain of the last entry, and the bytes that shall count.
  private borrowing func writeReflog(
    _ final: Set<Ref>, _ receivedBytes: Int, _ message: String, at milliseconds: Int64
  ) throws(RefsError) -> (entry: Int, chain: Digest, bytes: Int) {
    let reflog = diagnosis.reflog
    let kept = Array(reflog.entries.prefix(diagnosis.kept))
    let end = diagnosis.kept == 0 ? reflog.start : reflog.ends[diagnosis.kept - 1]
    let all = kept + diagnosis.following.entries
    var stated: Set<Ref> = []
    for entry in all {
      stated.subtract(entry.removals)
      stated.formUnion(entry.additions)
    }
    var number = all.last?.number ?? 0
    var chain = all.last?.chain ?? .zero
    var records = Array(diagnosis.following.records)
    if stated != final {
      var entry = ReflogEntry(
        number: number + 1, milliseconds: milliseconds, receivedBytes: receivedBytes,
        removals: stated.subtracting(final).sorted(), additions: final.subtracting(stated).sorted(),
        message: message)
      let payload = entry.payload(after: chain)
      guard payload.count <= JournalFrame.maximumPayload, number < LineScanner.largestNumber else {
        throw .tooLarge(file: Refs.Name.reflog)
      }
      records += JournalFrame.line(payloadCount: payload.count) + payload
      number = entry.number
      chain = entry.chain
    }
    if diagnosis.isReflogSound {
      let sync = options.sync
      let directory = refs.directory.share()
      try RefsError.wrapping { () throws(SystemError) in
        let file = try directory.openFile(Refs.Name.reflog, .readWrite, [.noFollow])
        // What is there already, after an interrupted fold, stays there at every moment.
        try file.writeAll(records.span, at: end)
        let size = end + records.count
        if try file.status().size > size { try file.truncate(to: size) }
        if sync.isSyncing { try file.sync() }
      }
    } else {
      let first = Array("\(Reflog.firstLine)".utf8)
      let old = diagnosis.kept == 0 ? [] : reflog.bytes[first.count..<end]
      try replace(Refs.Name.reflog, [first[...], old, records[...]])
    }
    return (number, chain, end + records.count)
  }

  /// Step 3.
  private borrowing func writeRefs(
    _ final: Set<Ref>, _ header: RefsHeader
  ) throws(RefsError) {
    let sync = options.sync
    let directory = refs.directory.share()
    try RefsError.wrapping { () throws(SystemError) in
      for name in try directory.list() where name.hasPrefix(Refs.Name.temporary) {
        try directory.unlink(name)
      }
      var writer = try RefsWriter(in: directory, header: header)
      for ref in final.sorted() { try writer.add(ref) }
      _ = try writer.finish(sync)
      if sync.isSyncing { try directory.sync() }
    }
  }

  /// Reads everything again.
  private borrowing func check(_ final: Set<Ref>) throws(RefsError) {
    var snapshot = try refs.openLocked()
    var found: Set<Ref> = []
    try snapshot.forEach { (ref) throws(RefsError) in
      found.insert(ref)
      return true
    }
    guard found == final else {
      throw .corrupt(refs.refsPath, at: 0, "what was written is not what is read")
    }
    _ = try refs.forEachEntry { _ in true }
    _ = try Received(in: refs.directory).load(to: snapshot.receivedBytes)
  }
}

extension Refs {
  /// Takes the lock, and finds out what is wrong.
  ///
  /// - Parameters:
  ///   - options: how long to wait for another writer, and for what on writing.
  ///   - isHere: whether the store has an object.
  /// - Returns: the repair.
  /// - Throws: `locked`, and as `diagnose`.
  package func beginRepair(
    _ options: RefsOptions, _ isHere: (ObjectID) -> Bool = { _ in true }
  ) throws(RefsError) -> RefsRepair {
    let lock = try acquireLock(options)
    return RefsRepair(Refs(in: directory), lock, options, try diagnose(isHere))
  }
}
