// What a commit is checked for (schemas, section 2): only what it writes to records, and whether it says so or refuses it is a setting.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// Checks what new nodes write to records.
struct RecordCheck: ~Copyable {
  /// What becomes of a value that does not fit its field.
  enum Mode: String, CaseIterable {
    /// It is told.
    case warn
    /// It is refused.
    case error
    /// Nobody looks.
    case off
  }

  private let opened: Repository
  /// The schemas of the records that were met; `nil` for one that is not there.
  private var known: [SchemaDefinition.Name: SchemaDefinition?] = [:]
  private var schemas = RecordSchemas([])
  /// Whether a problem is a refusal.
  let refuses: Bool
  private var records: [TaskID: WrittenRecord] = [:]

  /// A check of the nodes of one commit; `nil` where the setting says that nobody looks.
  ///
  /// - Throws: `ConfigError` for a setting that is wrong.
  init?(_ opened: Repository) throws {
    let mode = try Self.mode(opened)
    guard mode != .off else { return nil }
    self.opened = opened
    refuses = mode == .error
  }

  private static func mode(_ opened: Repository) throws -> Mode {
    guard let entry = opened.store.config.entry("schema.check") else { return .warn }
    guard let mode = Mode(rawValue: entry.value ?? "") else {
      throw ConfigError.value(entry, expected: "warn, error or off")
    }
    return mode
  }

  /// What is wrong with what a node writes.
  ///
  /// - Parameters:
  ///   - node: the node, which follows those that were checked before.
  ///   - isPayload: whether its content is called `payload`.
  ///   - snapshot: the refs.
  ///   - reader: reads nodes and schemas.
  /// - Returns: a finding for each problem; its place is one in the node.
  /// - Throws: as `Repository.recordSchemas`; what reading the task throws.
  mutating func findings(
    in node: Node, isPayload: Bool, _ snapshot: inout RefsSnapshot, _ reader: inout NodeReader
  ) throws -> [Finding] {
    guard let task = node.taskID, let action = node.action,
      action == .create || action == .update || action == .merge
    else { return [] }
    let members = RecordSchemas.members(of: node.content)
    guard members.contains(where: { RecordSchemas.isOther($0.name) }) else { return [] }
    var record: WrittenRecord
    if let met = records.removeValue(forKey: task) {
      record = met
    } else {
      let before = action == .create ? nil : try opened.state(of: task, &snapshot, &reader)
      record = before.map { WrittenRecord($0.state, $0.lastWrites) } ?? WrittenRecord()
    }
    if let head = record.head(with: members) { try load(head, &snapshot, &reader) }
    let problems = schemas.problems(writing: members, to: &record)
    records[task] = record
    return problems.map { $0.finding(in: isPayload ? "/data/payload" : "/data/fields") }
  }

  /// Reads the schemas that a record may be read by, once each.
  private mutating func load(
    _ head: RecordHead, _ snapshot: inout RefsSnapshot, _ reader: inout NodeReader
  ) throws {
    let own = SchemaDefinition.Name(head.schemaID)
    let names = [own] + (head.person.map { [SchemaDefinition.Name(own.id, scope: $0)] } ?? [])
    let new = names.filter { known[$0] == nil }
    guard !new.isEmpty, !own.isReserved else { return }
    for name in new {
      known[name] = .some(try opened.schema(name, &snapshot, &reader)?.definition)
    }
    schemas = try opened.recordSchemas(of: known.values.compactMap(\.self), keepsHashes: false)
  }
}

extension Repository {
  /// A task as it is by some refs, and a function that says when its members were written; `nil` when it has no state.
  func state(
    of task: TaskID, _ snapshot: inout RefsSnapshot, _ reader: inout NodeReader
  ) throws -> (state: TaskState, lastWrites: () -> [[UInt8]: Int])? {
    let tips = try HistoryLoad.heads(&snapshot, tasks: [task])
    let log = NodeHistory(try HistoryLoad.nodes(from: tips, objects, &reader).nodes)
    let cut = Cut(whole: log)
    var replay = Replay(log, cut, TaskNodes(log, cut))
    guard let index = (0..<log.taskCount).first(where: { log.taskID($0) == task }),
      let state = replay.state(of: index)
    else { return nil }
    return (
      state,
      {
        var replay = Replay(log, cut, TaskNodes(log, cut))
        return replay.lastWrites(of: index)
      }
    )
  }
}
