// A temporary store for a test, made and written with the library alone.

import RedoCrypto
import RedoObject
import RedoStore
import TestSupport
import Testing

@testable import RedoRepository

/// A store with a key, in a directory that is removed with it.
///
/// A class, so that the directory stays as long as somebody uses the store.
final class SmallStore {
  private let directory = TemporaryDirectory()
  /// The open store.
  let opened: Repository
  /// The events that were reported.
  let events = EventLog()

  init(hasKey: Bool = true) throws {
    opened = try Self.effects(directory.path, SilentReporter())
      .makeRepository(directory.path(".redo"))
    guard hasKey else { return }
    _ = try opened.generateKey(
      KeyWrapping(isWanted: false, source: PassphraseSource()), isForced: false, effects)
  }

  /// The directory around it.
  var path: String { directory.path }

  /// Surroundings in which the store is found; their clock stands still.
  var effects: Effects { Self.effects(path, events) }

  private static func effects(_ path: String, _ reporter: any Reporter) -> Effects {
    var effects = Effects(
      clock: { 1_760_000_000_000 }, random: { Random.uint64() }, reporter: reporter,
      surroundings: Surroundings(workingDirectory: path))
    effects.surroundings.settings = [("safe.store", "*")]
    return effects
  }

  /// Records changes.
  @discardableResult
  func commit(_ requests: ChangeRequest..., isDryRun: Bool = false) throws -> [Node]? {
    var options = CommitWriter.Options()
    options.isDryRun = isDryRun
    var writer = try CommitWriter(opened, options, effects)
    return try writer.commit(requests, effects)
  }

  /// A new task.
  func task(_ title: String = "a") throws -> TaskID {
    let nodes = try #require(try commit(Self.create(title)))
    return try #require(nodes.first?.taskID)
  }

  /// The heads of a task.
  func heads(of task: TaskID?) throws -> [ObjectID] {
    var snapshot = try opened.snapshot()
    return try snapshot.ids(of: .heads(of: task))
  }

  /// A CREATE of a new task.
  static func create(_ title: String) -> ChangeRequest {
    var request = ChangeRequest(action: "CREATE")
    request.content = Array("{\"title\":\"\(title)\"}".utf8)
    return request
  }

  /// An UPDATE of a task's title.
  static func update(_ task: TaskID, _ title: String) -> ChangeRequest {
    var request = ChangeRequest(action: "UPDATE")
    request.task = task
    request.content = Array("{\"title\":\"\(title)\"}".utf8)
    return request
  }

  /// Takes in nodes that were built but not written, each by itself.
  ///
  /// - Returns: for each node, the finding that keeps it out, if any.
  func take(_ nodes: [Node]) throws -> [Finding?] {
    let options = NodeTransaction.Options(writes: true, updatesHeads: true, message: "test")
    var intake = Intake(options.intake, try effects.keySources(opened))
    let judged = try intake.judge(texts: nodes.map { StoredObject($0).canonical })
    let candidates = judged.map { row in
      NodeTransaction.Candidate.node(row, key: row.node.flatMap { intake.key(of: $0) })
    }
    return try NodeTransaction.each(candidates, options, opened, effects)
  }

  /// A task with two heads.
  func divergedTask() throws -> TaskID {
    let task = try task()
    let one = try #require(try commit(Self.update(task, "b"), isDryRun: true))
    let other = try #require(try commit(Self.update(task, "c"), isDryRun: true))
    try #require(try take(one + other) == [nil, nil])
    return task
  }
}
