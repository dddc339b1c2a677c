// Reads every object once, on all processors, a few shards and frames at a time. For each node it keeps what is needed
// to find and count the history, about 190 bytes; nothing of its content.

internal import CanonicalJSON
package import RedoObject
internal import RedoStore

/// Counts the objects of a store.
package struct StatsCount {
  /// What is kept of an object until it is counted.
  private struct Fact: Sendable {
    let id: ObjectID
    let kind: ObjectKind
    let place: String
    let size: Int
    let disk: Int
    var node: NodeFact?
  }

  private struct NodeFact: Sendable {
    let parents: [ObjectID]
    let userID: UserID
    let wall: WallTime
    let action: String
    let device: String
    let name: String?
  }

  /// What is kept of a node until the end.
  private struct Kept {
    let parents: [ObjectID]
    let size: Int32
    let disk: Int32
    /// Positions in the tables of words.
    let action: Int32
    let author: Int32
    let device: Int32
    let month: Int32
  }

  /// Words, each kept once.
  private struct Words {
    private(set) var list: [String] = []
    private var places: [String: Int32] = [:]

    mutating func place(of word: String) -> Int32 {
      if let place = places[word] { return place }
      let place = Int32(list.count)
      places[word] = place
      list.append(word)
      return place
    }
  }

  private var summary = StatsSummary()
  private var nodes: [ObjectID: Kept] = [:]
  private var actions = Words()
  private var authors = Words()
  private var devices = Words()
  private var months = Words()
  /// For each author, the time of the name that was used last.
  private var nameTimes: [Int32: WallTime] = [:]
  /// The objects that have been counted, because an object may have several copies.
  private var seen: Set<ObjectID> = []
  private var damaged: [(id: ObjectID, error: StoreError)] = []
  private var looseDisk = 0

  /// Counts everything.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - heads: where the walk of the history starts.
  /// - Returns: what was counted.
  /// - Throws: `StoreError` when the store cannot be read; a damaged object is counted instead.
  package static func run(
    _ opened: Repository, heads: [ObjectID]
  ) throws -> StatsSummary {
    var count = StatsCount()
    try count.read(opened.objects)
    count.walk(heads)
    let files = try opened.store.files()
    count.summary.fileSize =
      files.bytes + count.looseDisk + (try opened.objects.packs.fileBytes())
    count.summary.lastModified = WallTime(milliseconds: files.modifiedNanoseconds / 1_000_000)
    return count.summary
  }

  /// Reads all objects; of several copies, the first intact one counts.
  private mutating func read(_ store: ObjectStore) throws(StoreError) {
    var failure: StoreError?
    let closed = try ObjectScan.forEach(store, makeState: { NodeReader() }) {
      reader, part -> Result<([Fact], [PartItem]), StoreError> in
      do throws(StoreError) {
        return .success(try Self.facts(of: part, store, &reader))
      } catch {
        return .failure(error)
      }
    } _: { part in
      switch part {
      case .success(let (facts, damage)):
        for fact in facts where seen.insert(fact.id).inserted { take(fact) }
        for item in damage { note(item) }
      case .failure(let error): failure = failure ?? error
      }
    }
    if let failure { throw failure }
    for item in closed { note(item) }
    var told: Set<ObjectID> = []
    for (id, error) in damaged where !seen.contains(id) && told.insert(id).inserted {
      summary.damage.append(.object(error))
    }
  }

  /// Notes what cannot be read; another copy may be intact.
  private mutating func note(_ item: PartItem) {
    switch item {
    case .object: break
    case .damaged(let id, let error): damaged.append((id, error))
    case .damagedPack(let path, let reason):
      summary.damage.append(.pack(path: path, reason: reason))
    case .offline(let path, let ids):
      summary.damage.append(.offline(path: path, nodes: ids.count))
    }
  }

  /// Reads the objects of a part.
  private static func facts(
    of part: ObjectPart, _ store: ObjectStore, _ reader: inout NodeReader
  ) throws(StoreError) -> ([Fact], [PartItem]) {
    var place = part.layer > 0 ? "alternate" : "loose"
    if part.layer == 0, case .frame = part.place { place = "packed" }
    if part.layer == store.archiveLayer { place = "archived" }
    var found: [(StoredObject, Int)] = []
    var damage: [PartItem] = []
    try store.read(part, &reader.workspace) { item in
      if case .object(let object, let fileBytes) = item {
        found.append((object, fileBytes))
      } else {
        damage.append(item)
      }
    }
    let facts = found.map { object, fileBytes in
      Fact(
        id: object.id, kind: object.kind, place: place, size: object.wholeSize, disk: fileBytes,
        node: reader.decode(object).map { fact(of: $0) })
    }
    return (facts, damage)
  }

  private static func fact(of node: Node) -> NodeFact {
    func text(_ text: Node.Text) -> String? {
      node.escapedText(text).map { escaped in
        String(decoding: StringEscape.unescape(Array(escaped).span), as: UTF8.self)
      }
    }
    return NodeFact(
      parents: node.parents, userID: node.userID, wall: node.wall, action: text(.action) ?? "",
      device: text(.deviceID) ?? "", name: text(.authorName))
  }

  private mutating func take(_ fact: Fact) {
    let kind = "\(fact.kind.name)"
    summary.tallies[.kind, default: [:]][kind, default: StatsTally()]
      .add(size: fact.size, disk: fact.disk)
    summary.tallies[.place, default: [:]][fact.place, default: StatsTally()]
      .add(size: fact.size, disk: fact.disk)
    if fact.place == "loose" { looseDisk += fact.disk }
    guard let node = fact.node else { return }
    let author = authors.place(of: node.userID.text)
    if let name = node.name, nameTimes[author].map({ $0 <= node.wall }) ?? true {
      nameTimes[author] = node.wall
      summary.authorNames[node.userID.text] = name
    }
    nodes[fact.id] = Kept(
      parents: node.parents, size: Int32(clamping: fact.size), disk: Int32(clamping: fact.disk),
      action: actions.place(of: node.action), author: author,
      device: devices.place(of: node.device),
      month: months.place(of: String(node.wall.text.prefix(7))))
  }

  /// Finds the history, and counts its nodes.
  private mutating func walk(_ heads: [ObjectID]) {
    var reached = Set(heads)
    var waiting = Array(reached)
    var missing = 0
    var byAction: [Int32: StatsTally] = [:]
    var byAuthor: [Int32: StatsTally] = [:]
    var byDevice: [Int32: StatsTally] = [:]
    var byMonth: [Int32: StatsTally] = [:]
    while let id = waiting.popLast() {
      guard let node = nodes.removeValue(forKey: id) else {
        missing += 1
        continue
      }
      for parent in node.parents where reached.insert(parent).inserted { waiting.append(parent) }
      let (size, disk) = (Int(node.size), Int(node.disk))
      summary.changes.add(size: size, disk: disk)
      byAction[node.action, default: StatsTally()].add(size: size, disk: disk)
      byAuthor[node.author, default: StatsTally()].add(size: size, disk: disk)
      byDevice[node.device, default: StatsTally()].add(size: size, disk: disk)
      byMonth[node.month, default: StatsTally()].add(size: size, disk: disk)
    }
    for node in nodes.values { summary.outside.add(size: Int(node.size), disk: Int(node.disk)) }
    summary.missing = missing
    func named(_ tallies: [Int32: StatsTally], _ words: Words) -> [String: StatsTally] {
      Dictionary(uniqueKeysWithValues: tallies.map { (words.list[Int($0.key)], $0.value) })
    }
    summary.tallies[.action] = named(byAction, actions)
    summary.tallies[.author] = named(byAuthor, authors)
    summary.tallies[.device] = named(byDevice, devices)
    summary.tallies[.month] = named(byMonth, months)
  }
}
