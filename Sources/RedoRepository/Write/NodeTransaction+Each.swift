// Objects that enter the store one by one: each is stored before the next is examined, and one that is refused does not
// keep any other out.

package import RedoCrypto
internal import RedoHistory
package import RedoObject
internal import RedoStore

extension NodeTransaction {
  /// An object of any kind on its way into the store.
  package enum Candidate: Sendable {
    /// Bytes.
    case blob(StoredObject)
    /// A text that should be a node, and the key that its signature was checked with, if known.
    case node(Judged, key: PublicKey?)
    /// What should be a receipt or a schema.
    case grouped(JudgedObject)

    /// The object; `nil` when a text is not a node.
    package var object: StoredObject? {
      switch self {
      case .blob(let object): object
      case .node(let judged, _): judged.node.map { StoredObject($0) }
      case .grouped(let judged): judged.object?.stored
      }
    }

    /// What was found about a node.
    package var judged: Judged? { if case .node(let judged, _) = self { judged } else { nil } }

    /// Every broken rule, warnings included.
    package var findings: [Finding] {
      switch self {
      case .blob: []
      case .node(let judged, _): judged.findings
      case .grouped(let judged): judged.findings
      }
    }

    /// Whether it must not be stored.
    package var isRefused: Bool {
      switch self {
      case .blob: false
      case .node(let judged, _): judged.isRefused
      case .grouped(let judged): judged.isRefused
      }
    }

    /// Whether it has parents that may have to be here.
    fileprivate var hasParents: Bool { if case .blob = self { false } else { true } }

    /// The write; `nil` when a text is not a node.
    fileprivate var write: ObjectWrite? {
      switch self {
      case .blob(let object): ObjectWrite(object, key: nil)
      case .node(let judged, let key): judged.node.map { ObjectWrite(StoredObject($0), key: key) }
      case .grouped(let judged): judged.write
      }
    }
  }

  /// Writes candidates one by one, each a transaction of its own.
  ///
  /// The result never depends on how an input was cut into batches.
  ///
  /// - Parameters:
  ///   - candidates: objects that are good by themselves.
  ///   - options: the rules, and whether nodes are taken into the history.
  ///   - opened: the store.
  ///   - effects: the surroundings.
  /// - Returns: for each candidate, what its relation to others forbids; `nil` when it is written.
  /// - Throws: the error when the store cannot be read or written, or others hold its refs.
  package static func each(
    _ candidates: [Candidate], _ options: Options, _ opened: Repository, _ effects: Effects
  ) throws -> [Finding?] {
    guard options.checksParents, candidates.contains(where: \.hasParents) else {
      try write(candidates, opened)
      return candidates.map { _ in nil }
    }
    return try candidates.map { candidate throws in
      try one(candidate, options, opened, effects)
    }
  }

  /// Writes candidates up to the first that is refused because of its relation to others.
  ///
  /// - Returns: the number of those before it, and why it is refused; `nil` when all are written.
  /// - Throws: what `each` throws.
  package static func eachUntilRefused(
    _ candidates: [Candidate], _ options: Options, _ opened: Repository, _ effects: Effects
  ) throws -> (count: Int, finding: Finding)? {
    guard options.checksParents, candidates.contains(where: \.hasParents) else {
      try write(candidates, opened)
      return nil
    }
    for (place, candidate) in candidates.enumerated() {
      if let finding = try one(candidate, options, opened, effects) { return (place, finding) }
    }
    return nil
  }

  /// Writes objects about which nothing else has to be known.
  private static func write(_ candidates: [Candidate], _ opened: Repository) throws {
    guard !candidates.isEmpty else { return }
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    let hasGroups = candidates.contains { if case .grouped = $0 { true } else { false } }
    if hasGroups { try opened.store.admitGroups() }
    var stage = NodeStage(
      opened.objects, isSingle: candidates.count == 1, trace: opened.trace)
    _ = try stage.add(candidates.compactMap(\.write))
    _ = try stage.commit()
  }

  private static func one(
    _ candidate: Candidate, _ options: Options, _ opened: Repository, _ effects: Effects
  ) throws -> Finding? {
    if case .grouped(let judged) = candidate {
      return try GroupTransaction.take(
        judged,
        GroupTransaction.Options(
          profile: options.profile, updatesHeads: options.updatesHeads, message: options.message),
        opened, effects)
    }
    guard case .node(let judged, let key) = candidate, let node = judged.node else {
      try write([candidate], opened)
      return nil
    }
    // They were judged before: no keys are looked for, and the caller handles warnings.
    var options = options
    options.isQuiet = true
    var transaction = try NodeTransaction(options, opened, keys: KeySources())
    return try transaction.take(node, key: key, effects)
  }

  /// Takes in the only node of this transaction.
  ///
  /// - Returns: what its relation to others forbids; `nil` when it is written.
  private mutating func take(
    _ node: Node, key: PublicKey?, _ effects: Effects
  ) throws -> Finding? {
    admission.add(node, record: 0)
    if let problem = try parentErrors().first { return problem.finding }
    guard let opened else { return nil }
    var single = NodeStage(opened.objects, isSingle: true, trace: opened.trace)
    hasKnown = try single.add([ObjectWrite(StoredObject(node), key: key)])[0]
    stage = .some(consume single)
    if hasKnown, options.updatesHeads, try lookUp.isInHistory(node.id, of: node.taskID) {
      admission = Admission(profile: options.profile)
    }
    _ = try commit(effects)
    return nil
  }
}
