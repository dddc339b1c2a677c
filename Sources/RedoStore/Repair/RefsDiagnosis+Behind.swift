// What the received log and the reflog tell of refs that are behind, or that are not of this store at all.

internal import RedoCrypto
internal import RedoObject

extension Refs {
  /// Sets files aside that are of another store.
  ///
  /// None of the objects that they name is here, though objects that others of these files name are; and they do not fit
  /// together. Where they do, the objects are what is missing.
  ///
  /// - Parameters:
  ///   - remains: the refs.
  ///   - journal: the journal; it is only judged with the refs.
  ///   - diagnosis: with reflog and received log.
  ///   - isHere: whether there is an object.
  /// - Returns: whether the refs are set aside.
  func setForeignAside(
    _ remains: inout RefsRemains, _ journal: inout JournalRemains,
    _ diagnosis: inout RefsDiagnosis, _ isHere: (ObjectID) -> Bool
  ) -> Bool {
    let refs = Self.standing(remains.parts.lazy.map(\.id), isHere)
    let reflog = Self.standing(diagnosis.reflog.entries.lazy.flatMap(\.additions).map(\.id), isHere)
    let received = Self.standing(diagnosis.received.frames.lazy.flatMap(\.ids), isHere)
    guard [refs, reflog, received].contains(.here) else { return false }
    let rule = "it belongs to another store"
    if received == .away, let mark = diagnosis.mark, (try? look())?.mark != mark {
      diagnosis.mark = nil
      diagnosis.isReceivedForeign = true
    }
    let chain = remains.header?.chain ?? .zero
    guard refs == .away, chain != .zero,
      reflog == .away || !diagnosis.reflog.entries.contains(where: { $0.chain == chain })
    else { return false }
    let place = refsPath
    remains = RefsRemains()
    remains.damage = RefsError.Corruption(file: place, offset: 0, rule: rule)
    if reflog == .away {
      diagnosis.reflog = EntryRun()
      diagnosis.reflog.start = Reflog.firstLine.utf8CodeUnitCount
      diagnosis.reflog.note(0, rule, Name.reflog)
    }
    if let header = journal.header, header.chain != .zero || reflog == .away,
      !diagnosis.reflog.entries.contains(where: { $0.chain == header.chain })
    {
      journal = JournalRemains()
      journal.run.note(0, rule, journalPath)
    }
    return true
  }

  /// Where the objects are that a file names.
  private enum Standing { case unknown, here, away }

  private static func standing(
    _ ids: some Sequence<ObjectID>, _ isHere: (ObjectID) -> Bool
  ) -> Standing {
    var standing = Standing.unknown
    for id in ids {
      if isHere(id) { return .here }
      standing = .away
    }
    return standing
  }

  /// Whether others know of more changes than are left, and how many of them come back.
  ///
  /// - Parameters:
  ///   - found: the number of the last change before any was taken from the reflog.
  ///   - history: all changes that are known, from the first on; empty when the reflog does not have them.
  ///   - diagnosis: receives what is wrong.
  func judgeEnd(
    _ found: Int, _ history: ArraySlice<ReflogEntry>, _ diagnosis: inout RefsDiagnosis
  ) {
    let reach = max(found, history.count)
    if let mark = diagnosis.mark, mark.entry <= history.count {
      let chain = mark.entry == 0 ? .zero : history[history.startIndex + mark.entry - 1].chain
      guard mark.isOf(chain: chain) else {
        diagnosis.mark = nil
        diagnosis.isReceivedForeign = true
        return
      }
    }
    var stated = diagnosis.mark?.entry ?? 0
    if diagnosis.mark == nil, !diagnosis.isReceivedForeign {
      let beyond = diagnosis.received.frames.filter {
        $0.range.lowerBound >= diagnosis.receivedBytes && !$0.ids.isEmpty
      }
      let changes = Set(beyond.map(\.note)).count
      if changes > 1 { stated = reach + changes - 1 }
    }
    guard max(reach, stated) > found else { return }
    var detail = "it ends with change \(found), but others know of change \(max(reach, stated))"
    if reach > found { detail += "; \(Self.changes(reach - found)) found in the reflog" }
    if stated > reach {
      detail += "; \(Self.changes(stated - reach)) lost, but for the nodes that were received"
      switch diagnosis.lost {
      case .nothing: diagnosis.lost = .end(receivedBytes: diagnosis.receivedBytes)
      case .end, .any: break
      }
    }
    diagnosis.note(.refsBehind, Name.journal, detail)
  }

  private static func changes(_ count: Int) -> String {
    count == 1 ? "1 change is" : "\(count) changes are"
  }
}
