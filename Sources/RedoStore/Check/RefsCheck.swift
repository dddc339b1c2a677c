// The refs and their journal, read to their ends: as a view if they are whole, otherwise block by block
// and record by record, as far as they are good.

package import RedoCrypto
internal import RedoObject

/// The check of `refs` and `refs.journal`.
package struct RefsCheck: Sendable {
  /// What is wrong.
  package private(set) var findings: [StoreFinding] = []
  /// The refs that could be read, in order.
  package private(set) var refs: [Ref] = []
  /// Whether those are all.
  package private(set) var isWhole = false
  /// How much of the received log counts; `nil` where nothing tells.
  package private(set) var receivedBytes: Int?
  /// The hash over all changes; `nil` where nothing tells.
  package private(set) var chain: Digest?
  /// What the first line of `refs` tells.
  private(set) var header: RefsHeader?

  /// Reads both files of a store.
  ///
  /// - Parameter store: the store's directory.
  package init(in store: borrowing Directory) {
    let files = Refs(in: store)
    do throws(RefsError) {
      var snapshot = try files.look()
      header = snapshot.header
      receivedBytes = snapshot.receivedBytes
      chain = snapshot.chain
      if snapshot.tornBytes > 0 {
        findings.append(
          StoreFinding(
            .journalTorn, path: Refs.Name.journal,
            detail: "\(snapshot.tornBytes) bytes of an unfinished record",
            repair: snapshot.doubt == nil
              ? "the next change of refs cuts them off" : StoreRepair.refs))
      }
      var found: [Ref] = []
      try snapshot.forEach { ref throws(RefsError) in
        found.append(ref)
        return true
      }
      refs = found
      isWhole = true
      // A received log that is too short is up to its own check.
      if case .behind? = snapshot.doubt, let doubt = snapshot.doubt {
        isWhole = false
        report(doubt, Refs.Name.journal)
      }
    } catch {
      salvage(store)
      // Each file may be good, and what they say together not.
      for (last, next) in zip(refs, refs.dropFirst())
      where last.name == next.name && !next.name.isMultiValued {
        report(RefsSnapshot.isTwice(next.name, Refs.Name.refs), Refs.Name.refs)
      }
    }
  }

  private mutating func report(_ error: RefsError, _ file: String) {
    let rule: Rule = if case .behind = error { .refsBehind } else { .refsCorrupt }
    findings.append(StoreFinding(error, rule, path: file, repair: StoreRepair.refs))
  }

  /// Takes what is good from two files one of which is damaged.
  private mutating func salvage(_ store: borrowing Directory) {
    var found: Set<Ref> = []
    readBlocks(store, &found)
    if let journal = readJournal(store) {
      for entry in journal.entries {
        for ref in entry.removals { found.remove(ref) }
        for ref in entry.additions { found.insert(ref) }
      }
    }
    refs = found.sorted()
  }

  /// Reads every block of `refs` that is good.
  private mutating func readBlocks(_ store: borrowing Directory, _ found: inout Set<Ref>) {
    let name = Refs.Name.refs
    do throws(RefsError) {
      guard let bytes = try Self.read(name, in: store) else { return }
      var first: RefsHeader?
      for start in stride(from: 0, to: max(bytes.count, 1), by: RefBlock.byteCount) {
        let block = Array(bytes[start..<min(start + RefBlock.byteCount, bytes.count)])
        do throws(RefsError) {
          let number = start / RefBlock.byteCount
          let read = try RefBlock(
            checking: block, number: number, generation: first?.generation, file: name)
          if let own = read.header {
            first = own
            if own.fileBytes != bytes.count {
              report(
                .corrupt(name, at: 0, "the file has another size than its first line says"), name)
            }
          }
          found.formUnion(read.refs)
        } catch {
          report(error, name)
        }
      }
      header = first
      receivedBytes = first?.receivedBytes
      chain = first?.chain
    } catch {
      report(error, name)
    }
  }

  /// Reads the records of the journal that are good, and that continue the refs.
  private mutating func readJournal(_ store: borrowing Directory) -> RefsJournal? {
    let name = Refs.Name.journal
    do throws(RefsError) {
      guard let bytes = try Self.read(name, in: store) else { return nil }
      var journal = try RefsJournal(headerOf: bytes, file: name)
      let isStale = header.map { journal.generation < $0.generation } ?? false
      do throws(RefsError) {
        try journal.readRecords(
          after: isStale ? nil : header?.entry,
          receivedBytes: isStale ? 0 : header?.receivedBytes ?? 0, file: name)
      } catch {
        report(error, name)
      }
      if journal.tornCount > 0 {
        findings.append(
          StoreFinding(
            .journalTorn, path: name,
            detail: "\(journal.tornCount) bytes of an unfinished record"))
      }
      guard let header else { return journal }
      if isStale {
        if journal.generation != header.generation - 1 || journal.chain != header.chain {
          report(.corrupt(name, at: 0, "an older journal does not lead to its refs file"), name)
        }
        return nil
      }
      if journal.generation > header.generation {
        report(.corrupt(name, at: 0, "the journal belongs to a later refs file"), name)
        return nil
      }
      receivedBytes = journal.entries.last?.receivedBytes ?? receivedBytes
      chain = journal.chain
      return journal
    } catch {
      report(error, name)
      return nil
    }
  }

  /// The bytes of a file; `nil` when it is missing or none, which the check of names tells.
  private static func read(
    _ name: String, in store: borrowing Directory
  ) throws(RefsError) -> [UInt8]? {
    try RefsError.wrapping { () throws(SystemError) in
      guard try store.status(name)?.kind == .regular else { return nil }
      return try store.readFile(name, isFollowing: false)
    }
  }
}

extension StoreFinding {
  /// What is wrong with a file of refs, at its place.
  init(_ error: RefsError, _ rule: Rule, path: String, repair: String = "") {
    let detail: String
    switch error {
    case .corrupt(let corruption): detail = "at byte \(corruption.offset): \(corruption.rule)"
    case .system(let error): detail = "it cannot be read: \(error.reason)"
    case .unsupportedFormat(_, let version): detail = "the unknown format version '\(version)'"
    case .behind(let shortfall): detail = shortfall.clause
    case .locked, .writeRefusedWhileCorrupt, .tooLarge: detail = error.description
    }
    self.init(rule, path: path, detail: detail, repair: repair)
  }
}
