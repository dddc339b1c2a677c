// From requests to nodes in the history: while nobody else can change the refs, each node is placed,
// built, signed, verified and written, and then one record moves all heads.

internal import RedoCrypto
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Records changes, all or none.
struct CommitWriter: ~Copyable {
  /// How changes are recorded.
  struct Options {
    /// The rules that apply.
    var profile: Profile = .v1
    /// What is signed.
    var form: SignatureForm = .body
    /// Whether nodes stay unsigned.
    var isUnsigned = false
    /// Whether a node follows the heads of all tasks.
    var takesAllHeads = false
    /// Whether nothing is written.
    var isDryRun = false
    /// Whether warnings are left unsaid.
    var isQuiet = false
    /// The time to write, unless it is that of the clock.
    var wall: WallTime?
    /// For the reflog.
    var message: String?
  }

  private let opened: Repository
  private let identity: Identity
  private let options: Options
  private var decoder: NodeDecoder

  init(_ opened: Repository, _ identity: consuming Identity, _ options: Options) {
    self.opened = opened
    self.identity = identity
    self.options = options
    decoder = NodeDecoder(profile: options.profile)
  }

  /// Records changes.
  ///
  /// - Returns: the new nodes, in order; `nil` when one of them breaks a rule and nothing is
  ///   written.
  /// - Throws: `temporary` when others hold the lock, `fatal` for anything else; nothing is
  ///   changed then.
  mutating func commit(
    _ requests: [CommitRequest], _ context: inout Context
  ) throws -> [Node]? {
    if options.isDryRun {
      var snapshot = try opened.snapshot()
      return try build(requests, &snapshot, &context)?.nodes
    }
    let refsOptions = try opened.refsOptions()
    let hold = try opened.holdObjects()
    defer { extendLifetime(hold) }
    var failure: CommandError?
    var nodes: [Node]?
    let outcome = try opened.store.refs.commit(at: context.clock(), refsOptions) {
      snapshot throws(RefsError) in
      do {
        guard let built = try build(requests, &snapshot, &context) else { return nil }
        nodes = built.nodes
        return try write(built, snapshot.receivedBytes)
      } catch {
        let error = CommandError(error)
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    guard case .committed(let commit) = outcome else {
      precondition(outcome == nil, "BUG: refs have moved under their lock")
      return nil
    }
    for warning in commit.warnings { context.warning(warning.description) }
    return nodes
  }

  /// Nodes that are ready to be written, and what they do to the refs.
  private struct Built {
    var nodes: [Node] = []
    var transaction: RefTransaction
  }

  private mutating func build(
    _ requests: [CommitRequest], _ snapshot: inout RefsSnapshot, _ context: inout Context
  ) throws -> Built? {
    let isDelete = { (request: CommitRequest) in request.action == Action.delete.rawValue }
    var tasks = CommitTasks(
      opened, needsChain: options.profile.isGenesis && requests.contains(where: isDelete))
    var nodes: [Node] = []
    var isRefused = false
    for request in requests {
      try context.checkInterrupt()
      do {
        let place = try tasks.place(
          of: request, takesAllHeads: options.takesAllHeads, &snapshot)
        let node = build(request, place, context.clock())
        report(request, &context)
        guard let node else {
          isRefused = true
          continue
        }
        tasks.add(node)
        nodes.append(node)
      } catch {
        let error = CommandError(error)
        throw error.naming(request.subject)
      }
    }
    if isRefused { return nil }
    // A node that follows other tasks may have anything behind it. What is noted is true of a node
    // whether or not it enters the history.
    if !options.takesAllHeads, !options.isDryRun { tasks.keepNotes() }
    return Built(nodes: nodes, transaction: tasks.transaction(message: message(of: requests)))
  }

  private mutating func build(
    _ request: CommitRequest, _ place: CommitTasks.Place, _ now: Int64
  ) -> Node? {
    var author = NodeDraft.Author(
      userID: identity.userID, publicKey: identity.publicKey,
      // A dry run makes no device; a node needs the name of one all the same.
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
    return identity.sign(draft, options.form, &decoder)
  }

  /// The content of a DELETE that tells what it ends.
  private static func deletedChain(_ chain: [ObjectID]) -> [UInt8] {
    let ids = chain.map { "\"\($0.text)\"" }.joined(separator: ",")
    return Array("{\"deletedChain\":[\(ids)]}".utf8)
  }

  /// Says what is wrong with the node that was built last.
  private func report(_ request: CommitRequest, _ context: inout Context) {
    let subject = request.subject ?? request.action
    for finding in decoder.findings {
      let text = Diagnosis.text(finding, of: subject)
      if options.profile.severity(of: finding.rule) == .error {
        context.error(text)
        if let hint = finding.hint { context.hint(hint) }
      } else if !options.isQuiet {
        context.warning(text)
      }
    }
  }

  private func message(of requests: [CommitRequest]) -> String {
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
    // What was not in the store cannot be in the received log.
    transaction.receivedChecked = known.contains(true) ? 0 : receivedBytes
    return transaction
  }
}

extension CommandError {
  /// The same error, with the place of the request that it is about.
  fileprivate func naming(_ subject: String?) -> CommandError {
    guard let subject, !message.hasPrefix("'\(subject)'") else { return self }
    return CommandError(kind, "'\(subject)': \(message)", hints: hints, code: code)
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
