// Reading copies: of a store whatever its refs reach, as far as it can be read, so that damage is an answer and not the
// end; of files every object with a history in them.

internal import RedoObject
internal import RedoStore

extension HistoryCopy {
  /// What of a store is meant.
  package enum Extent: Sendable {
    /// The history: what the heads reach.
    case history
    /// What any ref reaches, and what was received.
    case everything
  }

  private enum Found: Sendable {
    case object(StoredObject, parents: [ObjectID])
    case missing
    case unreadable
  }

  /// How many nodes are read together.
  private static let batchCount = 4096

  /// Adds what a store has of the kinds; each is read and hashed again.
  ///
  /// - Throws: `RefsError` when the refs or the received log cannot be read, `StoreError` for anything but single
  ///   objects; `Interruption`.
  package mutating func read(
    _ opened: Repository, _ extent: Extent, _ effects: Effects
  ) throws {
    if opened.store.config.mayHaveGroups, kinds != [.node] { onlyKind = nil }
    var snapshot = try opened.snapshot()
    var seen: Set<ObjectID> = []
    var level: [ObjectID] = []
    let prefixes =
      extent == .history ? kinds.compactMap(\.headsFolder).map { "\($0)/" } : [""]
    for prefix in prefixes {
      try snapshot.forEach(prefix: prefix) { (ref) throws(RefsError) in
        add(name: ref.name.text, ref.id)
        if seen.insert(ref.id).inserted { level.append(ref.id) }
        return true
      }
    }
    if extent == .everything {
      for id in try opened.store.received.load(to: snapshot.receivedBytes) {
        add(name: Self.receivedName, id)
        if seen.insert(id).inserted { level.append(id) }
      }
    }
    while !level.isEmpty {
      var next: [ObjectID] = []
      for start in stride(from: 0, to: level.count, by: Self.batchCount) {
        try effects.checkInterrupt()
        let part = Array(level[start..<min(start + Self.batchCount, level.count)])
        for (id, found) in zip(part, try Self.found(part, of: kinds, opened.objects)) {
          switch found {
          case .object(let object, let parents):
            add(id, object.signature, parents: parents, of: object.kind)
            for parent in parents where seen.insert(parent).inserted { next.append(parent) }
          case .missing: break
          case .unreadable: add(unreadable: id)
          }
        }
      }
      level = next
    }
  }

  private static func found(
    _ ids: [ObjectID], of kinds: [ObjectKind], _ store: ObjectStore
  ) throws -> [Found] {
    let found = Threads.parallelMap(
      ids, threads: ids.count < 4 ? 1 : Threads.processorCount, makeState: { NodeReader() }
    ) { reader, id -> Result<Found, StoreError> in
      do throws(StoreError) {
        return .success(try Self.found(id, of: kinds, store, &reader))
      } catch {
        return .failure(error)
      }
    }
    return try found.map { result throws(StoreError) in try result.get() }
  }

  private static func found(
    _ id: ObjectID, of kinds: [ObjectKind], _ store: ObjectStore, _ reader: inout NodeReader
  ) throws(StoreError) -> Found {
    let object: StoredObject?
    do throws(StoreError) { object = try store.read(id, &reader.workspace) } catch {
      switch error {
      case .corrupt, .offline: return .unreadable
      default: throw error
      }
    }
    guard let object else { return .missing }
    guard kinds.contains(object.kind), let place = reader.places.place(of: object) else {
      return .unreadable
    }
    return .object(object, parents: place.parents)
  }

  /// Adds what files have of the kinds: files, directories and standard input, as `redo import` reads them.
  ///
  /// - Parameters:
  ///   - names: the files; `-` is standard input.
  ///   - keys: what opens encrypted archives.
  ///   - effects: says where relative paths begin.
  /// - Throws: `ImportFault` or `InputFault` for what is not of a form that can be read; `Interruption`.
  package mutating func read(
    files names: [String], _ keys: SealKeys, _ effects: Effects
  ) throws {
    var copies = [self]
    try Self.read(files: names, into: &copies, keys, effects)
    self = copies[0]
  }

  /// Adds to several copies at once, each of kinds of its own; what is of none of the kinds counts as unfit for the first.
  ///
  /// - Parameters:
  ///   - names: the files; `-` is standard input.
  ///   - copies: at least one.
  ///   - keys: what opens encrypted archives.
  ///   - effects: says where relative paths begin.
  /// - Throws: as above.
  static func read(
    files names: [String], into copies: inout [HistoryCopy], _ keys: SealKeys, _ effects: Effects
  ) throws {
    let nodes = copies.firstIndex { $0.kinds.contains(.node) }
    var reader = ImportReader(
      .told, old: nil, keys: keys, progress: Progress(.readingCopy, effects))
    var decoder = NodeDecoder(envelope: .strip, identity: .required)
    var places = PlaceDecoder()
    for name in names {
      try reader.tell(name, effects) { batch, _ in
        for record in batch.records {
          let text = batch.bytes.span.extracting(record.range)
          let kind = record.state == .tooLong ? .node : ObjectLine.kind(of: text)
          if kind != .node, let place = copies.firstIndex(where: { $0.kinds.contains(kind) }) {
            copies[place].add(line: Array(batch.bytes[record.range]), of: kind, &places)
          } else if kind == .node, let nodes, record.state != .tooLong,
            let node = decoder.decode(text),
            decoder.mismatch == nil
          {
            copies[nodes].add(node.id, node.signature, parents: node.parents)
          } else {
            copies[0].addUnfit()
          }
        }
      }
    }
    reader.progress.finish(reader.count)
  }

  /// Adds the receipt or schema of a line, which must be the one whose id stands beside it.
  private mutating func add(
    line text: [UInt8], of kind: ObjectKind, _ decoder: inout PlaceDecoder
  ) {
    guard let incoming = try? ObjectLine.read(text, as: kind),
      let object = GroupIntake.judge(incoming, &decoder).object,
      incoming.stated.map({ $0 == object.id }) ?? true
    else { return addUnfit() }
    add(object.id, object.signature, parents: object.place.parents, of: kind)
  }
}
