// Objects that are written one by one: each is in the store before its id is printed.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Writes judged objects.
final class NodeWriter {
  let opened: Repository
  private let request: HashObject.Request

  private init(_ opened: Repository, _ request: HashObject.Request) {
    self.opened = opened
    self.request = request
  }

  /// Opens the store for writing.
  static func open(
    _ request: HashObject.Request, _ context: inout Context
  ) throws -> NodeWriter {
    NodeWriter(try context.effects.openRepository(), request)
  }

  var objects: ObjectStore { opened.objects }

  /// Writes objects, and takes nodes into the history if that was asked for.
  ///
  /// - Parameters:
  ///   - judged: the objects.
  ///   - names: what messages call them.
  ///   - context: where the clock is, and warnings go.
  /// - Throws: `refused` for a node whose parents do not fit; those before it are written.
  func write(
    _ judged: [JudgedObject], names: [String], _ context: inout Context
  ) throws {
    guard request.updatesHeads || request.profile.checksParents, request.kind == .node else {
      _ = try store(judged)
      return
    }
    // One by one, so that what is done never depends on how the input was cut into batches.
    for (object, name) in zip(judged, names) {
      if let problem = try take(object, &context) {
        throw CommandError(.refused, Diagnosis.text(problem, of: name))
      }
    }
  }

  /// Writes one node whose parents are looked for.
  ///
  /// - Returns: what keeps it out; `nil` when it is written.
  private func take(
    _ object: JudgedObject, _ context: inout Context
  ) throws -> Finding? {
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    let lookUp = try HistoryLookUp(opened, request.profile)
    var admission = Admission(profile: request.profile)
    if let node = object.node { admission.add(node, record: 0) }
    let problems = try lookUp.problems(of: &admission)
    if let problem = problems.first(where: {
      request.profile.severity(of: $0.finding.rule) == .error
    }) {
      return problem.finding
    }
    let known = try stage([object])
    guard request.updatesHeads, let node = object.node else { return nil }
    if known[0], try lookUp.isInHistory(node.id, of: node.taskID) { return nil }
    _ = try opened.moveHeads(
      admission, since: lookUp.receivedBytes, hasKnown: known[0], message: "hash-object",
      context.effects)
    return nil
  }

  private func store(_ judged: [JudgedObject]) throws -> [Bool] {
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    return try stage(judged)
  }

  private func stage(_ judged: [JudgedObject]) throws -> [Bool] {
    var stage = NodeStage(opened.objects, isSingle: judged.count == 1, trace: opened.trace)
    let writes = judged.compactMap { judged in
      judged.object.map { ObjectWrite($0, key: judged.keyOfSigner) }
    }
    let known = try stage.add(writes)
    _ = try stage.commit()
    return known
  }

  /// Writes the good ones of judged nodes; one whose parents do not fit is refused instead.
  func writeGood(
    _ judged: inout [Judged], _ intake: borrowing Intake, _ context: inout Context
  ) throws {
    let checksParents = request.updatesHeads || request.profile.checksParents
    var good: [JudgedObject] = []
    for index in judged.indices {
      guard !judged[index].isRefused, let node = judged[index].node else { continue }
      let object = JudgedObject(
        object: StoredObject(node), node: node, keyOfSigner: intake.key(of: node))
      guard checksParents else {
        good.append(object)
        continue
      }
      if let problem = try take(object, &context) { judged[index].refuse(problem) }
    }
    if !good.isEmpty { _ = try store(good) }
  }
}
