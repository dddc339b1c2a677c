// The records of a store (schemas, section 2): its tasks that name a schema, read by the schemas as they are now, whatever the point in
// time of the tasks.

package import RedoHistory
package import RedoObject
internal import RedoStore
internal import Synchronization

extension Repository {
  /// The schemas by which records are read; those that redo keeps for itself are not among them.
  ///
  /// - Throws: as `schemas`; `ConfigError` for a setting that is wrong.
  package func recordSchemas() throws -> RecordSchemas {
    try recordSchemas(of: schemas().filter { !$0.name.isReserved }.map(\.definition))
  }

  /// The schemas by which members of records are named: where one is missing or corrupt, its fields go without names.
  ///
  /// - Parameter effects: is told of each that cannot be read.
  /// - Returns: those that can be read.
  /// - Throws: `RefsError` when the refs cannot be read; `ConfigError` for a setting that is wrong.
  package func namingSchemas(_ effects: Effects) throws -> RecordSchemas {
    let readable = try schemas { ref, error throws in
      guard error is StoreError || error is HistoryFault else { throw error }
      effects.report(.opening(.schemaUnread(ref)))
    }
    return try recordSchemas(of: readable.filter { !$0.name.isReserved }.map(\.definition))
  }

  /// Some schemas by which records are read.
  ///
  /// - Parameters:
  ///   - definitions: the schemas.
  ///   - keepsHashes: whether records tell the hash of theirs.
  /// - Returns: what chooses among them.
  /// - Throws: `ConfigError` for a setting that is wrong.
  func recordSchemas(
    of definitions: [SchemaDefinition], keepsHashes: Bool = true
  ) throws -> RecordSchemas {
    guard try store.config.bool("schema.patterns") ?? false else {
      return RecordSchemas(definitions, keepsHashes: keepsHashes)
    }
    let patterns = PatternCache()
    return RecordSchemas(definitions, keepsHashes: keepsHashes) { patterns.matches($0, $1) }
  }
}

extension Repository {
  /// How many records have a value of each deprecated field of some schemas.
  ///
  /// - Parameters:
  ///   - definitions: the schemas.
  ///   - effects: receives reports about nodes that are left out.
  /// - Returns: the counts by the ids with which fields are shown; nothing is read where no field is deprecated.
  /// - Throws: what reading the history throws.
  package func deprecatedCounts(
    of definitions: [SchemaDefinition], _ effects: Effects
  ) throws -> [SchemaDefinition.Name: [UniqueID: Int]] {
    let hasDeprecated = definitions.contains { definition in
      definition.fields.contains { $0.visibility == .deprecated }
    }
    guard hasDeprecated else { return [:] }
    let reading = try RecordReading(self)
    let schemas = reading.schemas
    var counts: [SchemaDefinition.Name: [UniqueID: Int]] = [:]
    try reading.forEach(effects) { state, order, _ in
      schemas.record(of: state, order).flatMap { record in
        schemas.name(of: record).map { ($0, record.deprecated) }
      }
    } _: { name, fields in
      for field in fields { counts[name, default: [:]][field, default: 0] += 1 }
    }
    return counts
  }
}

/// Patterns of rules, each compiled once.
private final class PatternCache: Sendable {
  private let known = Mutex<[String: Regex<AnyRegexOutput>?]>([:])

  /// Whether a text has a match anywhere; a pattern that cannot be read has none.
  func matches(_ pattern: String, _ text: String) -> Bool {
    known.withLock { known in
      let regex: Regex<AnyRegexOutput>?
      if let found = known[pattern] {
        regex = found
      } else {
        regex = try? Regex(pattern)
        known[pattern] = .some(regex)
      }
      return regex.map { text.firstMatch(of: $0) != nil } ?? false
    }
  }
}

/// Goes over tasks with the schemas of their records.
package struct RecordReading {
  /// When the members of a task were written, as `Replay.lastWrites(of:)` has it.
  package typealias Order = () -> [[UInt8]: Int]
  /// What a new node of a task follows, sorted.
  package typealias Parents = () -> [ObjectID]

  /// The schemas of the store.
  package let schemas: RecordSchemas
  private let opened: Repository
  private let point: HistoryPoint?

  /// Prepares to read.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - point: the point in time at which tasks are read; `nil` for now.
  /// - Throws: as `Repository.recordSchemas`.
  package init(_ opened: Repository, at point: HistoryPoint? = nil) throws {
    schemas = try opened.recordSchemas()
    self.opened = opened
    self.point = point
  }

  /// Replays tasks, and hands on what is made of them.
  ///
  /// - Parameters:
  ///   - tasks: by id or prefix; all when there are none.
  ///   - effects: receives reports about nodes that are left out.
  ///   - transform: makes a row of a task; called on many threads.
  ///   - body: receives the rows, in the order of the tasks.
  /// - Throws: what reading the history throws, and `body`.
  package func forEach<Row: Sendable>(
    tasks: [String] = [], _ effects: Effects,
    _ transform: @escaping @Sendable (TaskState, Order, Parents) -> Row?,
    _ body: (Row) throws -> Void
  ) throws {
    var request = StateSource.Request()
    request.tasks = tasks
    if let (log, source) = try StateSource.indexed(request, in: opened, effects) {
      return try forEach(log, source, transform, body)
    }
    let (log, source) = try StateSource.load(
      request, in: opened, needsReceived: point?.isInstant ?? false, effects)
    try forEach(log, source, transform, body)
  }

  private func forEach<Log: HistoryLog & Sendable, Row: Sendable>(
    _ log: Log, _ source: StateSource,
    _ transform: @escaping @Sendable (TaskState, Order, Parents) -> Row?,
    _ body: (Row) throws -> Void
  ) throws {
    let members = try point?.members(of: log, opened)
    let cut = members.map { Cut(of: log, members: $0) } ?? Cut(whole: log)
    let nodes = TaskNodes(log, cut)
    let asked = Set(source.tasks)
    let tasks = asked.isEmpty ? nodes.tasks : nodes.tasks.filter { asked.contains(log.taskID($0)) }
    _ = try ReplayRun(log, cut, nodes).replayAsking(tasks, transform, body: body)
  }
}
