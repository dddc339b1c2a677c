// From texts to judged nodes, on all processors, in the order of the input.

package import RedoCrypto
package import RedoObject
package import RedoStore

/// A judged node, or why there is none.
package struct Judged: Sendable {
  /// The node; `nil` when the text breaks a rule of form or content.
  package var node: Node?
  /// The verdict on its signature; `nil` when it was not requested.
  package var verdict: Verdict?
  /// The key that the signature was checked with, if known.
  package private(set) var key: PublicKey?
  /// What the trust file says about a good signature; `nil` when there is none, or it was not asked.
  package var standing: Standing?
  /// Every broken rule, warnings included.
  package var findings: [Finding] = []
  /// Set when the stated ID is not the hash.
  package var mismatch: NodeDecoder.Mismatch?
  /// The ID that the text states.
  package var statedID: ObjectID?
  /// When a remote first had the node, if the text says so.
  package var createdAt: CreatedAt?
  /// Whether the verdict bars the node under the profile.
  private(set) var isBarred = false

  /// The findings that refuse the node under a profile.
  package func errors(_ profile: Profile) -> [Finding] {
    findings.filter { profile.severity(of: $0) == .error }
  }
}

/// Judges batches of texts.
package struct Intake: ~Copyable {
  /// How texts are judged.
  package struct Options {
    /// The rules that apply.
    package var profile: Profile = .v1
    /// How the extra members of a remote's copy are treated.
    package var envelope: NodeDecoder.Envelope = .refuse
    /// Whether texts must state their ids.
    package var identity: NodeDecoder.Identity = .optional
    /// Whether signatures are verified.
    package var verifies = true
    /// Whether nodes without a signature are taken although the profile asks for one.
    package var allowsUnsigned = false
    /// The most threads.
    package var threads = Threads.processorCount

    /// Creates a value with these members.
    package init(
      profile: Profile = .v1, envelope: NodeDecoder.Envelope = .refuse,
      identity: NodeDecoder.Identity = .optional, verifies: Bool = true,
      allowsUnsigned: Bool = false, threads: Int = Threads.processorCount
    ) {
      self.profile = profile
      self.envelope = envelope
      self.identity = identity
      self.verifies = verifies
      self.allowsUnsigned = allowsUnsigned
      self.threads = threads
    }

    /// A decoder for one thread.
    func makeDecoder() -> NodeDecoder {
      NodeDecoder(profile: profile, envelope: envelope, identity: identity)
    }
  }

  package let options: Options
  private var keys: KeyDirectory
  private let store: ObjectStore?
  private var hasReadStore = false

  /// - Parameters:
  ///   - options: how texts are judged.
  ///   - keys: where the keys of users are looked for, in addition to the input.
  package init(_ options: Options, _ keys: KeySources) {
    self.options = options
    store = keys.store
    self.keys = KeyDirectory(keys.trust)
  }

  /// Judges the texts of a batch.
  package mutating func judge(_ batch: RecordBatch) throws -> [Judged] {
    let options = options
    let bytes = batch.bytes
    var judged = Threads.parallelMap(
      batch.records, threads: options.threads,
      makeState: { options.makeDecoder() }
    ) { decoder, record in
      Self.judge(record, bytes, &decoder, options)
    }
    if options.verifies { try settleKeys(&judged) }
    return judged
  }

  /// Judges texts that have arrays of their own.
  package mutating func judge(texts: [[UInt8]]) throws -> [Judged] {
    let options = options
    var judged = Threads.parallelMap(
      texts, threads: texts.count < 4 ? 1 : options.threads,
      makeState: { options.makeDecoder() }
    ) { decoder, text in
      Self.judge(text.span, &decoder, options)
    }
    if options.verifies { try settleKeys(&judged) }
    return judged
  }

  /// Judges one text, without the lists and threads for many: in a process that does nothing else, their types take
  /// longer to set up than the text takes to judge.
  package mutating func judge(text: Span<UInt8>) throws -> Judged {
    var decoder = options.makeDecoder()
    let judged = Self.judge(text, &decoder, options)
    guard options.verifies else { return judged }
    var settled = [judged]
    try settleKeys(&settled)
    return settled[0]
  }

  /// Judges nodes that no longer have a text, as far as that is possible without keys from other nodes.
  package static func judge(_ objects: [StoredObject], _ options: Options) -> [Judged] {
    Threads.parallelMap(
      objects, threads: objects.count < 4 ? 1 : options.threads,
      makeState: { options.makeDecoder() }
    ) { decoder, object in
      judge(decoder.decode(object), decoder, options)
    }
  }

  /// Judges what needs a key that other nodes carry.
  package mutating func settle(_ judged: inout [Judged]) throws {
    if options.verifies { try settleKeys(&judged) }
  }

  /// Judges one text.
  package static func judge(
    _ record: LineRecord, _ bytes: [UInt8], _ decoder: inout NodeDecoder, _ options: Options
  ) -> Judged {
    guard record.state != .tooLong else {
      return Judged(findings: [Finding(.nodeSize, at: .offset(Node.byteLimit))])
    }
    return judge(bytes.span.extracting(record.range), &decoder, options)
  }

  /// Judges one text.
  package static func judge(
    _ text: Span<UInt8>, _ decoder: inout NodeDecoder, _ options: Options
  ) -> Judged {
    let node = decoder.decode(text)
    return judge(node, decoder, options)
  }

  /// Judges what a decoder has just decoded from a text.
  package static func judge(
    _ decoded: Node?, _ decoder: borrowing NodeDecoder, _ options: Options
  ) -> Judged {
    var judged = Judged()
    judged.node = decoded
    judged.findings = decoder.findings
    judged.mismatch = decoder.mismatch
    judged.statedID = decoder.statedID
    judged.createdAt = decoder.createdAt
    guard options.verifies, let node = judged.node else { return judged }
    if node.signature == nil || node.publicKey != nil {
      judged.settle(node.verify(), by: node.publicKey, options)
    }
    return judged
  }

  /// Verifies signatures that need a key from other nodes: earlier ones, or those of the store.
  private mutating func settleKeys(_ judged: inout [Judged]) throws {
    // Usually nothing changes, and then nothing is copied.
    var waiting: [(index: Int, key: PublicKey?)] = []
    var collisions: [Int] = []
    for index in judged.indices {
      guard let node = judged[index].node, !judged[index].isRefused else { continue }
      if judged[index].verdict == nil {
        if keys.trustedKey(of: node.userID) == nil { try readStoreOnce() }
        waiting.append((index, keys.key(of: node.userID)))
      }
      if keys.note(node) { collisions.append(index) }
    }
    for index in collisions {
      judged[index].findings.append(Finding(.userIDCollision, at: .pointer("/author/userId")))
    }
    guard !waiting.isEmpty else { return }
    let options = options
    let nodes = waiting.map { (judged[$0.index], $0.key) }
    let settled = Threads.parallelMap(nodes, threads: options.threads, makeState: { 0 }) {
      _, pair in
      var (judged, key) = pair
      if let node = judged.node {
        judged.settle(node.verify(key: key), by: key, options)
      }
      return judged
    }
    for (place, result) in zip(waiting, settled) { judged[place.index] = result }
  }

  private mutating func readStoreOnce() throws {
    guard !hasReadStore, let store else { return }
    hasReadStore = true
    try keys.noteAll(in: store)
  }

  /// The key that a node's signature was checked with.
  package func key(of node: Node) -> PublicKey? { node.publicKey ?? keys.key(of: node.userID) }
}

extension Judged {
  /// Records a verdict, and the broken rules that follow from it under a profile.
  package mutating func settle(_ verdict: Verdict, by key: PublicKey?, _ options: Intake.Options) {
    self.verdict = verdict
    self.key = key
    switch verdict {
    case .good: return
    case .bad(let finding): findings.append(finding)
    case .unsigned:
      if options.profile.requiresSignature, !options.allowsUnsigned {
        findings.append(Finding(.signatureMissing))
      }
    case .keyUnknown:
      if options.profile.requiresSignature { findings.append(Finding(.keyUnknown)) }
    }
    isBarred = !errors(options.profile).isEmpty
  }

  /// Refuses the node because of its relation to others.
  package mutating func refuse(_ finding: Finding) {
    findings.append(finding)
    isBarred = true
  }

  /// Whether the node must not be stored; the node itself is kept, so that its ID can be named.
  package var isRefused: Bool { node == nil || isBarred }
}
