// What the remains of refs, journal, reflog and received log prove together.
//
//   refs good                    they are kept; the journal's good records on top of them
//   refs bad, reflog leads to    the reflog is replayed up to where the journal begins, then the
//   the journal                  journal
//   neither                      the reflog as far as it goes, the journal, the good blocks of refs:
//                                a beginning, to which the caller adds what was received
//
// Where the mark of the received log, or entries of the reflog that do not count yet, tell of more changes than that: the
// entries are taken in, and of the others the nodes that they received.

internal import RedoCrypto
package import RedoObject

/// What is wrong with the refs of a store, and what is known of them nevertheless.
package struct RefsDiagnosis: Sendable {
  /// Something that is wrong.
  package struct Damage: Sendable {
    /// The rule that is broken.
    package let rule: Rule
    /// The file, below the store's directory.
    package let path: String
    /// What is there, and what is done about it.
    package let detail: String
  }

  /// What is known of the received log after the last change that is proved.
  package enum Lost: Sendable {
    /// Nothing is lost.
    case nothing
    /// Changes at the end may be: nodes that were received from this place on were in the history.
    case end(receivedBytes: Int)
    /// Any change may be: every node that was received was in the history.
    case any
  }

  /// What is wrong, in the order of the repair.
  package internal(set) var damages: [Damage] = []
  /// The refs that are known.
  package internal(set) var refs: Set<Ref> = []
  /// What may be lost.
  package internal(set) var lost = Lost.nothing
  /// What is good of the received log.
  package internal(set) var received = SalvagedReceived(nil)
  /// Whether the received log is damaged where it counts.
  package internal(set) var isReceivedDamaged = false
  /// Whether it is the log of other refs.
  var isReceivedForeign = false
  /// Nodes that were wiped by a change that is lost: none of them comes back.
  package internal(set) var wiped: Set<ObjectID> = []
  /// The bytes of the received log that counted.
  var receivedBytes = 0
  /// The mark of the received log, if it tells of these refs.
  var mark: ReceivedMark?
  /// The generation of the files to be written.
  var generation = 1
  /// The entries that stay in the reflog.
  var reflog = EntryRun()
  /// How many of them.
  var kept = 0
  /// Whether the reflog's own file can stay, and be added to.
  var isReflogSound = false
  /// Records that follow them as they are.
  var following = EntryRun()
  /// The files that are damaged.
  var files: [String] = []

  /// The frames of the received log that stay.
  package var keptFrames: [SalvagedReceived.Frame] {
    let frames = received.frames
    if isReceivedForeign { return [] }
    guard usesTail else { return frames.filter { $0.range.lowerBound < receivedBytes } }
    guard !isReceivedDamaged else { return frames }
    return frames.filter { $0.range.upperBound <= received.firstDamage ?? .max }
  }

  /// Nodes that were accepted by changes that may be lost; all that were, if nodes that were wiped had heads in their
  /// place.
  package var lostReceived: [ObjectID] {
    switch lost {
    case .nothing: []
    case .end(let start): received.times(from: wiped.isEmpty ? start : 0).times.keys.sorted()
    case .any: received.times().times.keys.sorted()
    }
  }

  /// Whether frames count that no remaining change mentions: not if one of them takes nodes back, and it is not known
  /// whether that was done.
  private var usesTail: Bool {
    switch lost {
    case .nothing: false
    case .end(let start): !wiped.isEmpty || !received.times(from: start).hasForgotten
    case .any: true
    }
  }

  /// Adds a damage.
  mutating func note(_ rule: Rule, _ file: String, _ detail: String) {
    damages.append(Damage(rule: rule, path: file, detail: detail))
    if !files.contains(file) { files.append(file) }
  }
}

extension Refs {
  /// Finds out what is wrong, and what is known nevertheless.
  ///
  /// - Parameter isHere: whether the store has an object: files that name none of its objects are another store's.
  /// - Returns: the diagnosis; without damages nothing is to be repaired.
  /// - Throws: `unsupportedFormat`, `system`.
  package func diagnose(
    _ isHere: (ObjectID) -> Bool = { _ in true }
  ) throws(RefsError) -> RefsDiagnosis {
    var refs = try refsRemains()
    var journal = try journalRemains()
    var diagnosis = RefsDiagnosis()
    diagnosis.received = try Received(in: directory).salvage()
    diagnosis.mark = ReceivedMark(
      Array(diagnosis.received.bytes.suffix(ReceivedMark.byteCount)))
    diagnosis.reflog = try reflogRemains()
    let generation = max(refs.header?.generation ?? 0, journal.header?.generation ?? 0)
    diagnosis.generation = min(generation + 1, LineScanner.largestNumber)
    let isForeign = setForeignAside(&refs, &journal, &diagnosis, isHere)
    if !isForeign, let known = refs.refs, let header = refs.header,
      (journal.header?.generation ?? 0) <= header.generation
    {
      stand(known, header, &journal, &diagnosis)
    } else {
      replay(refs, &journal, &diagnosis)
    }
    judgeNames(&diagnosis)
    judgeReceived(&diagnosis)
    judgeWipe(&diagnosis, isHere)
    return diagnosis
  }

  /// Names that hold one id and stand more than once: what was added last stays.
  private func judgeNames(_ diagnosis: inout RefsDiagnosis) {
    let single = diagnosis.refs.filter { !$0.name.isMultiValued }
    let entries = diagnosis.reflog.entries.prefix(diagnosis.kept) + diagnosis.following.entries
    for (name, refs) in Dictionary(grouping: single, by: \.name).sorted(by: { $0.key < $1.key })
    where refs.count > 1 {
      let last = entries.last { $0.additions.contains(where: refs.contains) }
      let stays = refs.filter { last?.additions.contains($0) ?? true }.max()
      diagnosis.refs.subtract(refs.filter { $0 != stays })
      diagnosis.note(
        .refsCorrupt, Name.refs,
        "'\(name.text)' stands more than once; the id that it got last stays")
    }
  }

  /// Refs that are good: they are kept, with the journal on top of them.
  private func stand(
    _ known: Set<Ref>, _ header: RefsHeader, _ journal: inout JournalRemains,
    _ diagnosis: inout RefsDiagnosis
  ) {
    let reflog = diagnosis.reflog
    // Whether the reflog has the history up to these refs, or something else.
    let place = header.entry - 1
    let leads =
      header.entry == 0
      || reflog.entries.indices.contains(place) && reflog.entries[place].chain == header.chain
    let end = header.entry == 0 ? reflog.start : leads ? reflog.ends[place] : reflog.end
    let isWhole =
      leads && end == header.reflogBytes
      && reflog.bytes.starts(with: Array("\(Reflog.firstLine)".utf8))
    diagnosis.isReflogSound = isWhole
    diagnosis.kept = leads ? header.entry : reflog.entries.count

    let continues = journal.header.map { $0.chain == header.chain } ?? true
    journal.run.read(
      from: journal.recordsStart, after: journal.header?.chain ?? header.chain,
      number: continues ? header.entry : nil,
      receivedBytes: continues ? header.receivedBytes : 0, file: journalPath)
    var receivedBytes = header.receivedBytes
    var refs = known
    var isStale = false
    if let start = journal.header,
      start.generation != header.generation || start.chain != header.chain
    {
      let last = journal.run.entries.last?.chain ?? start.chain
      isStale = start.generation == header.generation - 1 && last == header.chain
      if !isStale {
        journal.run.note(0, "the journal does not belong to its refs file", journalPath)
      }
      journal.run.entries = []
      journal.run.ends = []
      journal.run.tornCount = 0
    }
    let found = header.entry + journal.run.entries.count
    let isReflogLonger = leads && reflog.entries.count > found
    let isSame =
      isReflogLonger
      && zip(reflog.entries[header.entry...], journal.run.entries).allSatisfy {
        $0.chain == $1.chain
      }
    if isReflogLonger, isSame {
      // An interrupted fold has put the records into the reflog already.
      var more = reflog
      more.entries.removeFirst(header.entry)
      more.ends.removeFirst(header.entry)
      more.start = end
      more.damage = journal.run.damage
      more.tornCount = journal.run.tornCount
      journal.run = more
    }
    for entry in journal.run.entries {
      refs.subtract(entry.removals)
      refs.formUnion(entry.additions)
      receivedBytes = entry.receivedBytes
    }
    diagnosis.refs = refs
    diagnosis.receivedBytes = receivedBytes
    if isWhole || leads { diagnosis.following = journal.run }
    let good = journal.run.entries.count
    let records = "\(good) good record\(good == 1 ? " is" : "s are") kept"
    if let damage = journal.run.damage {
      diagnosis.note(
        .refsCorrupt, Name.journal, "\(damage.rule) at byte \(damage.offset); \(records)")
      diagnosis.lost = .end(receivedBytes: receivedBytes)
    } else if journal.run.tornCount > 0 {
      diagnosis.note(
        .journalTorn, Name.journal,
        "an unfinished record of \(journal.run.tornCount) bytes; it is cut off, and \(records)")
      diagnosis.lost = .end(receivedBytes: receivedBytes)
    }
    if isReflogLonger, !isSame {
      diagnosis.note(
        .refsBehind, Name.reflog,
        "it goes on with other changes than the journal; those of the journal stay")
      diagnosis.lost = .end(receivedBytes: receivedBytes)
    }
    let history = reflog.entries.prefix(diagnosis.kept) + journal.run.entries
    judgeEnd(found, leads ? history : [], &diagnosis)
    if !isWhole {
      let rule =
        reflog.damage.map { "\($0.rule) at byte \($0.offset)" } ?? "it does not lead to the refs"
      diagnosis.note(
        .reflogCorrupt, Name.reflog,
        diagnosis.kept == header.entry && leads
          ? "\(rule); all \(diagnosis.kept) entries are kept"
          : "\(rule); of \(header.entry) entries the first \(diagnosis.kept) are kept, and a new one "
            + "states what has become of the refs since")
    }
  }

  /// Refs that are not good: their history tells what they were.
  private func replay(
    _ remains: RefsRemains, _ journal: inout JournalRemains, _ diagnosis: inout RefsDiagnosis
  ) {
    let reflog = diagnosis.reflog
    let damage = remains.damage
    let what =
      damage.map { "\($0.rule) at byte \($0.offset)" } ?? "the journal belongs to later ones"
    // Where the journal begins: by its first line, by the refs' own, or by its first number.
    func place(of chain: Digest) -> Int? {
      if chain == .zero { return 0 }
      return reflog.entries.firstIndex { $0.chain == chain }.map { $0 + 1 }
    }
    var joint: Int?
    if let header = journal.header {
      joint = place(of: header.chain)
    } else if let header = remains.header {
      joint = place(of: header.chain)
    } else if let number = Self.firstNumber(journal), number - 1 <= reflog.entries.count {
      joint = number - 1
    }
    let isSoundStart = reflog.bytes.starts(with: Array("\(Reflog.firstLine)".utf8))
    diagnosis.isReflogSound = isSoundStart
    let chain = joint.map { $0 == 0 ? .zero : reflog.entries[$0 - 1].chain }
    journal.run.read(
      from: journal.recordsStart, after: journal.header?.chain ?? chain ?? .zero, number: joint,
      receivedBytes: 0, file: journalPath)
    let isProved = joint != nil && (journal.header != nil || !journal.run.entries.isEmpty)
    var kept = isProved ? joint ?? 0 : reflog.entries.count
    var following = journal.run
    if isProved, reflog.entries.count >= kept + journal.run.entries.count {
      // The records are in the reflog too: all of them, or more.
      let overlap = reflog.entries[kept...].prefix(journal.run.entries.count)
      if zip(overlap, journal.run.entries).allSatisfy({ $0.chain == $1.chain }) {
        kept = reflog.entries.count
        following.entries = []
        following.ends = []
        following.bytes = []
        following.start = 0
      }
    }
    var refs: Set<Ref> = []
    var receivedBytes = Received.firstLine.utf8CodeUnitCount
    for entry in reflog.entries.prefix(kept) + (isProved ? following : journal.run).entries {
      refs.subtract(entry.removals)
      refs.formUnion(entry.additions)
      receivedBytes = entry.receivedBytes
    }
    diagnosis.kept = kept
    if isProved {
      diagnosis.following = following
    } else {
      // Not proved by what came before, but each by its own hashes.
      for ref in remains.parts where !refs.contains(ref) {
        if !ref.name.isMultiValued { refs = refs.filter { $0.name != ref.name } }
        refs.insert(ref)
      }
    }
    diagnosis.refs = refs
    diagnosis.receivedBytes = receivedBytes
    let count = kept + diagnosis.following.entries.count
    diagnosis.note(
      .refsCorrupt, Name.refs,
      isProved
        ? "\(what); they are rebuilt from the \(count) changes of reflog and journal"
        : "\(what); the first \(count) changes are proved, the heads are worked out anew")
    let isWhole = journal.run.damage == nil && journal.run.tornCount == 0
    diagnosis.lost = !isProved ? .any : isWhole ? .nothing : .end(receivedBytes: receivedBytes)
    judgeEnd(count, reflog.entries.prefix(kept) + diagnosis.following.entries, &diagnosis)
    if let damage = journal.run.damage {
      diagnosis.note(
        .refsCorrupt, Name.journal,
        "\(damage.rule) at byte \(damage.offset); \(journal.run.entries.count) records are kept")
    } else if journal.run.tornCount > 0 {
      diagnosis.note(
        .journalTorn, Name.journal,
        "an unfinished record of \(journal.run.tornCount) bytes is cut off")
    }
    if !isSoundStart || reflog.damage != nil || reflog.tornCount > 0 {
      let rule = reflog.damage.map { "\($0.rule) at byte \($0.offset)" } ?? "it is cut off"
      diagnosis.isReflogSound = false
      diagnosis.note(
        .reflogCorrupt, Name.reflog, "\(rule); the first \(kept) entries are kept")
    }
  }

  /// Whether a change that is lost was a wipe.
  ///
  /// Nodes are removed only once the change is made: where one of them is gone, it was.
  private func judgeWipe(_ diagnosis: inout RefsDiagnosis, _ isHere: (ObjectID) -> Bool) {
    guard !diagnosis.isReceivedForeign else { return }
    let start: Int
    switch diagnosis.lost {
    case .nothing: return
    case .end(let place): start = place
    case .any: start = 0
    }
    var taken: Set<ObjectID> = []
    for frame in diagnosis.received.frames where frame.range.lowerBound >= start {
      if frame.note == .forgotten { taken.formUnion(frame.ids) } else { taken.subtract(frame.ids) }
    }
    guard !taken.isEmpty else { return }
    let nodes = taken.count == 1 ? "1 node" : "\(taken.count) nodes"
    let detail: String
    if taken.allSatisfy(isHere) {
      guard case .end = diagnosis.lost else { return }
      detail = "a wipe of \(nodes) was begun, and nothing was removed; they stay in the history"
    } else {
      diagnosis.wiped = taken
      diagnosis.refs = diagnosis.refs.filter { !taken.contains($0.id) }
      detail = "a wipe of \(nodes) is among the lost changes; they stay out of the history"
    }
    diagnosis.damages.append(
      RefsDiagnosis.Damage(rule: .refsBehind, path: Name.received, detail: detail))
  }

  /// Whether the received log is good where it counts.
  private func judgeReceived(_ diagnosis: inout RefsDiagnosis) {
    let received = diagnosis.received
    if case .any = diagnosis.lost {
      let last = ReceivedMark(Array(received.bytes.suffix(ReceivedMark.byteCount)))
      diagnosis.receivedBytes =
        received.bytes.count - (last == nil ? 0 : ReceivedMark.byteCount)
    }
    let counted = diagnosis.receivedBytes
    var detail: String?
    if diagnosis.isReceivedForeign {
      detail = "it belongs to another history than the refs"
    } else if let place = received.firstDamage, place < max(counted, 1) {
      detail = "\(received.damage) at byte \(place)"
    } else if received.bytes.count < counted {
      detail = "the file has \(received.bytes.count) bytes, of which \(counted) should count"
    }
    guard let detail else { return }
    diagnosis.isReceivedDamaged = true
    let count = diagnosis.keptFrames.count
    diagnosis.note(
      .receivedCorrupt, Name.received,
      "\(detail); \(count) good frame\(count == 1 ? " is" : "s are") kept, and nodes of the history that "
        + "are in none get the time of the repair")
  }
}
