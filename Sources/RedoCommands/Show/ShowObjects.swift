// What is known about some objects: they are read, judged, and looked up in the history.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Shows objects, a batch at a time.
struct ShowObjects: ~Copyable {
  /// One requested item.
  enum Asked {
    /// An object.
    case id(ObjectID)
    /// A name that stands for no object, and why.
    case none([UInt8], String)
  }

  private let opened: Repository
  private let style: ShowStyle
  private let verifies: Bool
  private let end: UInt8
  private let isStream: Bool
  private var reader = NodeReader()
  private var verdicts: VerifyStored
  private let receivedBytes: Int
  /// When all nodes were received, if many objects are asked for.
  private let times: [ObjectID: Int64]?
  /// When remotes first had any node, if many objects are asked for.
  private let createdTimes: [ObjectID: WallTime]?
  private var isFirst = true

  /// - Parameters:
  ///   - opened: the store.
  ///   - style: how objects are shown.
  ///   - verifies: whether signatures are verified.
  ///   - end: the byte that ends an object.
  ///   - isStream: whether a missing or damaged object gets an answer instead of being a fatal error.
  ///   - trust: the trust file, if there is one.
  /// - Throws: `fatal` when the refs or the received log cannot be read.
  init(
    _ opened: Repository, style: ShowStyle, verifies: Bool, end: UInt8, isStream: Bool,
    _ trust: NodeTrust?
  ) throws {
    var bytes = 0
    if case .format = style {} else { bytes = try opened.snapshot().receivedBytes }
    times = isStream ? try HistoryLoad.received(opened, to: bytes) : nil
    if isStream, case .format = style {
      createdTimes = [:]
    } else {
      createdTimes = isStream ? opened.store.created.read().times : nil
    }
    receivedBytes = bytes
    self.opened = opened
    self.style = style
    self.verifies = verifies
    self.end = end
    self.isStream = isStream
    verdicts = VerifyStored(.v1, opened, trust, saysKeys: true)
  }

  /// Writes the objects in their order.
  mutating func write(_ asked: [Asked], _ context: inout Context) throws {
    var found: [Result<StoredObject, Absence>] = []
    for item in asked {
      switch item {
      case .id(let id): found.append(try read(id))
      case .none(let name, let state): found.append(.failure(Absence(name: name, state: state)))
      }
    }
    let objects = found.compactMap { try? $0.get() }
    let facts = try look(objects)
    var next = 0
    for item in found {
      let isBlankBetween: Bool
      if case .people = style {
        isBlankBetween = end != 0 && !isFirst
      } else {
        isBlankBetween = false
      }
      isFirst = false
      var text: [UInt8] = isBlankBetween ? [UInt8(ascii: "\n")] : []
      switch item {
      case .success(let object):
        append(object, facts[next], to: &text)
        next += 1
      case .failure(let absence): append(absence, to: &text)
      }
      text.append(end)
      try context.output.write(text)
    }
  }

  /// A name that stands for no object.
  private struct Absence: Error {
    let name: [UInt8]
    let state: String
  }

  private mutating func read(
    _ id: ObjectID
  ) throws -> Result<StoredObject, Absence> {
    let object: StoredObject?
    do throws(StoreError) {
      object = try opened.objects.read(id, &reader.workspace)
    } catch {
      guard isStream, case .corrupt = error else { throw CommandError.fatal(error) }
      return .failure(Absence(name: Array(id.text.utf8), state: "corrupt"))
    }
    if let object { return .success(object) }
    guard isStream else { throw CommandError.fatal("no object has the name '\(id.text)'") }
    return .failure(Absence(name: Array(id.text.utf8), state: "missing"))
  }

  /// The facts about objects, in their order.
  private mutating func look(_ objects: [StoredObject]) throws -> [ShowFacts] {
    var facts = objects.map { _ in ShowFacts() }
    let nodes = objects.indices.filter { objects[$0].kind == .node }
    for index in nodes { facts[index].node = reader.decode(objects[index]) }
    if case .format = style { return facts }
    let ids = nodes.map { objects[$0].id }
    var times = self.times ?? [:]
    if self.times == nil {
      times = try HistoryLoad.received(opened, of: Set(ids), to: receivedBytes)
    }
    var created = createdTimes ?? [:]
    if createdTimes == nil, !ids.isEmpty {
      created = opened.store.created.read(of: Set(ids)).times
    }
    let rows = verifies ? try verdicts.judge(ids) : []
    for (place, index) in nodes.enumerated() {
      facts[index].received = times[ids[place]]
      facts[index].created = created[ids[place]]
      if verifies { facts[index].verdict = rows[place] }
      for parent in facts[index].node?.parents ?? [] {
        facts[index].parents.append(try look(parent: parent))
      }
    }
    return facts
  }

  private mutating func look(parent id: ObjectID) throws -> ShowFacts.Parent {
    do throws(StoreError) {
      guard let object = try opened.objects.read(id, &reader.workspace) else {
        return ShowFacts.Parent(id: id, action: nil, state: "missing")
      }
      guard object.kind == .node, let node = reader.decode(object),
        let action = node.escapedText(.action)
      else { return ShowFacts.Parent(id: id, action: nil, state: "no node") }
      return ShowFacts.Parent(id: id, action: Escape.text(action), state: nil)
    } catch {
      guard case .corrupt = error else { throw CommandError.fatal(error) }
      return ShowFacts.Parent(id: id, action: nil, state: "corrupt")
    }
  }

  private func append(_ object: StoredObject, _ facts: ShowFacts, to output: inout [UInt8]) {
    switch style {
    case .people(let palette):
      ShowEntry(object, facts, palette).append(to: &output)
    case .json: facts.appendJSON(of: object, to: &output)
    case .format(let format):
      let row = ObjectRow(object: object, node: facts.node, isRaw: end == 0)
      format.append(to: &output) { atom, output in row.append(atom, to: &output) }
    }
  }

  private func append(_ absence: Absence, to output: inout [UInt8]) {
    guard case .json = style else {
      output += end == 0 ? absence.name : Array(Escape.text(absence.name).utf8)
      output += " \(absence.state)".utf8
      return
    }
    output.append("{\"name\":")
    JSONWriter.appendString(String(decoding: absence.name, as: UTF8.self), to: &output)
    output += ",\"state\":\"\(absence.state)\"}".utf8
  }
}
