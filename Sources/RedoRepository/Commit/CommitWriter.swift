// From requests to nodes in the history: while nobody else can change the refs, each node is placed, built, signed,
// verified and written, and then one record moves all heads.

internal import RedoHistory
package import RedoObject
internal import RedoStore

/// Records changes, all or none.
package struct CommitWriter: ~Copyable {
  /// How changes are recorded.
  package struct Options {
    /// The rules that apply.
    package var profile: Profile = .v1
    /// Whether nodes stay unsigned.
    package var isUnsigned = false
    /// Whether a node follows the heads of all tasks.
    package var takesAllHeads = false
    /// Whether nothing is written.
    package var isDryRun = false
    /// Whether a number outside of its usual range is refused, not only reported.
    package var keepsRanges = false
    /// Whether what is written to records is checked by their schemas, as the setting `schema.check` says.
    package var checksRecords = false
    /// Whether warnings are suppressed.
    package var isQuiet = false
    /// The time to write, if it is not that of the clock.
    package var wall: WallTime?
    /// The message in the reflog.
    package var message: String?
    /// The source of the passphrase of a wrapped key.
    package var passphrase = PassphraseSource()

    /// Creates options for changes that are signed by the rules of version 1 at the present time.
    package init() {}
  }

  private let opened: Repository
  private let identity: Identity
  private let options: Options
  /// The form in which nodes are signed.
  private let form: SignatureForm
  private var decoder: NodeDecoder

  /// Creates a writer with the identity that signs.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - options: how changes are recorded.
  ///   - effects: where secrets come from.
  /// - Throws: `KeyFault` when there is no key, or it cannot be opened; `ConfigError` for a
  ///   setting that is wrong.
  package init(_ opened: Repository, _ options: Options, _ effects: Effects) throws {
    let form = try opened.signatureForm()
    let identity = try Identity.load(
      opened, effects, needsKey: !options.isUnsigned, passphrase: options.passphrase,
      makesDevice: !options.isDryRun)
    self.opened = opened
    self.options = options
    self.form = form
    self.identity = identity
    decoder = NodeDecoder(profile: options.profile)
  }

  /// Records changes.
  ///
  /// - Parameters:
  ///   - requests: the changes; a CREATE that names no task makes a new one.
  ///   - effects: the surroundings.
  /// - Returns: the new nodes, in order; `nil` when one of them breaks a rule and nothing is
  ///   written.
  /// - Throws: `RefsError` when others hold the lock, `CommitFault` for a change that cannot be made; nothing is changed
  ///   then.
  package mutating func commit(
    _ requests: [ChangeRequest], _ effects: Effects
  ) throws -> [Node]? {
    var requests = requests
    for index in requests.indices where requests[index].isCreate && requests[index].task == nil {
      requests[index].task = TaskID.random(effects.random)
    }
    if !options.isDryRun { effects.cancellation.hold() }
    return try record(requests, effects)
  }

  private mutating func record(
    _ requests: [ChangeRequest], _ effects: Effects
  ) throws -> [Node]? {
    if options.isDryRun {
      var snapshot = try opened.snapshot()
      return try build(requests, &snapshot, effects)?.nodes
    }
    let refsOptions = try opened.refsOptions()
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    var failure: (any Error)?
    var nodes: [Node]?
    let outcome = try opened.store.refs.commit(at: effects.clock(), refsOptions) {
      snapshot throws(RefsError) in
      do {
        guard let built = try build(requests, &snapshot, effects) else { return nil }
        nodes = built.nodes
        return try write(built, snapshot.receivedBytes)
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    guard case .committed(let commit) = outcome else {
      precondition(outcome == nil, "BUG: refs have moved under their lock")
      return nil
    }
    effects.report(commit.warnings)
    return nodes
  }

  /// Nodes that are ready to be written, and what they do to the refs.
  private struct Built {
    var nodes: [Node] = []
    var transaction: RefTransaction
  }

  private mutating func build(
    _ requests: [ChangeRequest], _ snapshot: inout RefsSnapshot, _ effects: Effects
  ) throws -> Built? {
    let isDelete = { (request: ChangeRequest) in request.action == Action.delete.rawValue }
    var tasks = CommitTasks(
      opened, needsChain: options.profile.isGenesis && requests.contains(where: isDelete))
    var nodes: [Node] = []
    var isRefused = false
    var check = options.checksRecords ? try RecordCheck(opened) : nil
    for request in requests {
      try effects.checkInterrupt()
      do {
        let place = try tasks.place(
          of: request, takesAllHeads: options.takesAllHeads, &snapshot)
        let node = build(request, place, effects.clock())
        report(request, effects)
        guard let node, !isOutOfRange else {
          isRefused = true
          continue
        }
        let refuses = check?.refuses ?? false
        let problems = try problems(of: node, request, &check, &snapshot, &tasks.reader, effects)
        report(problems, refuses: refuses, of: request.subject ?? request.action, effects)
        guard !refuses || problems.isEmpty else {
          isRefused = true
          continue
        }
        tasks.add(node)
        nodes.append(node)
      } catch {
        guard let subject = request.subject else { throw error }
        throw CommitFault.inChange(subject: subject, cause: error)
      }
    }
    if isRefused { return nil }
    // A node that follows other tasks may have anything among its ancestors. The notes about a node are true whether or
    // not it enters the history.
    if !options.takesAllHeads, !options.isDryRun { tasks.keepNotes() }
    return Built(nodes: nodes, transaction: tasks.transaction(message: message(of: requests)))
  }

  private mutating func build(
    _ request: ChangeRequest, _ place: CommitTasks.Place, _ now: Int64
  ) -> Node? {
    var author = NodeDraft.Author(
      userID: identity.userID, publicKey: identity.publicKey,
      // A dry run creates no device; a node still needs the name of one.
      deviceID: identity.deviceID.isEmpty ? "-" : identity.deviceID)
    author.deviceName = identity.deviceName
    author.name = identity.name
    author.email = identity.email
    var draft = NodeDraft(
      lamport: place.lamport,
      wall: request.wall ?? options.wall ?? WallTime(milliseconds: now),
      author: author, action: request.action, task: request.task, content: request.content)
    draft.parents = place.parents
    if options.profile.isGenesis, request.action == Action.delete.rawValue, request.isEmpty {
      draft.content = Self.deletedChain(place.chain)
    }
    draft.form = request.form
    draft.conflictResolution = request.conflictResolution
    guard !options.isUnsigned, identity.key != nil else { return decoder.build(draft) }
    return identity.sign(draft, form, &decoder)
  }

  /// The content of a DELETE that lists what it ends.
  private static func deletedChain(_ chain: [ObjectID]) -> [UInt8] {
    let ids = chain.map { "\"\($0.text)\"" }.joined(separator: ",")
    return Array("{\"deletedChain\":[\(ids)]}".utf8)
  }

  /// Reports what is wrong with the node that was built last.
  private func report(_ request: ChangeRequest, _ effects: Effects) {
    let subject = request.subject ?? request.action
    for finding in decoder.findings {
      let isError = options.profile.severity(of: finding) == .error
      if options.keepsRanges, finding.rule == .payloadRange {
        effects.report(.writing(.outOfRange(finding, of: subject)))
      } else if isError || !options.isQuiet {
        effects.report(
          .writing(
            isError ? .refused(finding, of: subject) : .odd(finding, of: subject, count: 1)))
      }
    }
  }

  /// What a node writes that does not fit into its record; that nobody can tell is said where it is no refusal.
  private func problems(
    of node: Node, _ request: ChangeRequest, _ check: inout RecordCheck?,
    _ snapshot: inout RefsSnapshot, _ reader: inout NodeReader, _ effects: Effects
  ) throws -> [Finding] {
    let refuses = check?.refuses ?? false
    do {
      let isPayload = request.form == .payload
      return try check?.findings(in: node, isPayload: isPayload, &snapshot, &reader) ?? []
    } catch  where !refuses && (error is StoreError || error is HistoryFault) {
      if !options.isQuiet {
        effects.report(.writing(.unchecked(request.subject ?? request.action, cause: error)))
      }
      return []
    }
  }

  /// Reports what does not fit into a record.
  private func report(
    _ problems: [Finding], refuses: Bool, of subject: String, _ effects: Effects
  ) {
    for problem in problems {
      if refuses {
        effects.report(.writing(.refused(problem, of: subject)))
      } else if !options.isQuiet {
        effects.report(.writing(.odd(problem, of: subject, count: 1)))
      }
    }
  }

  /// Whether the node that was built last has a number that is refused.
  private var isOutOfRange: Bool {
    options.keepsRanges && decoder.findings.contains { $0.rule == .payloadRange }
  }

  private func message(of requests: [ChangeRequest]) -> String {
    if let message = options.message { return message }
    return requests.count == 1
      ? "commit: \(requests[0].action)" : "commit: \(requests.count) changes"
  }

  private func write(
    _ built: Built, _ receivedBytes: Int
  ) throws -> RefTransaction {
    var stage = NodeStage(opened.objects, isSingle: built.nodes.count == 1, trace: opened.trace)
    let known = try stage.add(
      built.nodes.map { ObjectWrite(StoredObject($0), key: identity.publicKey) })
    _ = try stage.commit()
    var transaction = built.transaction
    transaction.received = built.nodes.map(\.id)
    transaction.isWritten = true
    // A node that was not in the store cannot be in the received log.
    transaction.receivedChecked = known.contains(true) ? 0 : receivedBytes
    return transaction
  }
}

extension Repository {
  /// The form in which new nodes are signed: the setting `signing.form`.
  ///
  /// - Throws: `ConfigError` when it has another value.
  func signatureForm() throws -> SignatureForm {
    guard let entry = store.config.entry("signing.form") else { return .body }
    guard let form = SignatureForm(rawValue: entry.value ?? "") else {
      throw ConfigError.value(entry, expected: "body or digest")
    }
    return form
  }
}

extension Identity {
  /// Builds and signs a node with the private key, which must be there.
  borrowing func sign(
    _ draft: NodeDraft, _ form: SignatureForm, _ decoder: inout NodeDecoder
  ) -> Node? {
    switch key {
    case .some(let key): decoder.build(draft, signedBy: key, form)
    case .none: preconditionFailure("BUG: a node is signed without a key")
    }
  }
}
