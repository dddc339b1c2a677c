// From what somebody asks of a schema to a signed object in the history: applied to the heads as they are, judged as anybody would
// judge it, and taken in. Nothing is written that would change nothing.

internal import RedoCrypto
internal import RedoHistory
package import RedoObject
internal import RedoStore

/// Makes schemas of this device.
package struct SchemaWriter: ~Copyable {
  /// How schemas are made.
  package struct Options {
    /// The time of the clock, if that is not now.
    package var wall: WallTime?
    /// Whether nothing is written.
    package var isDryRun = false
    /// The message in the reflog.
    package var message: String?
    /// The source of the passphrase of a wrapped key.
    package var passphrase = PassphraseSource()

    /// Creates options for schemas of the present time.
    package init() {}
  }

  /// What a request comes to.
  package struct Outcome: Sendable {
    /// The new objects, in the order in which they follow each other: merges of many heads, and the edit; none when nothing
    /// changes.
    package var schemas: [Schema] { made.map(\.schema) }
    /// What each edit came to.
    package fileprivate(set) var edits: [SchemaEdited] = []
    fileprivate var made: [(schema: Schema, op: String)] = []
  }

  private let opened: Repository
  private let options: Options
  private let identity: Identity
  private let key: PublicKey

  /// Creates a writer with the identity that signs.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - options: how schemas are made.
  ///   - effects: where secrets come from.
  /// - Throws: `KeyFault` when there is no key, or it cannot be opened.
  package init(_ opened: Repository, _ options: Options, _ effects: Effects) throws {
    let identity = try Identity.load(
      opened, effects, needsKey: true, passphrase: options.passphrase,
      makesDevice: !options.isDryRun)
    guard let key = identity.publicKey else { throw KeyFault.noPrivateKey }
    self.opened = opened
    self.options = options
    self.key = key
    self.identity = identity
  }

  /// The device as definitions name it.
  package var device: UniqueID { Schema.device(author.deviceID, of: identity.userID) }

  private var author: NodeDraft.Author {
    var author = NodeDraft.Author(
      userID: identity.userID, publicKey: key,
      // A dry run creates no device; a schema still needs the name of one.
      deviceID: identity.deviceID.isEmpty ? "-" : identity.deviceID)
    author.deviceName = identity.deviceName
    author.name = identity.name
    author.email = identity.email
    return author
  }

  /// Makes what is asked of a schema, and judges it; nothing is written.
  ///
  /// - Parameters:
  ///   - requests: what is asked; each is applied to what those before it came to.
  ///   - name: the schema.
  ///   - effects: the clock.
  /// - Returns: what it comes to.
  /// - Throws: `SchemaFault`, `SchemaRefusal`; what reading the schema throws.
  package func make(
    _ requests: [any SchemaAsked], of name: SchemaDefinition.Name, _ effects: Effects
  ) throws -> Outcome {
    var outcome = Outcome()
    var heads = try opened.schema(name)?.heads ?? []
    var history =
      heads.count > 1 ? try SchemaHistory(from: heads.map(\.id), opened.objects) : nil
    // A schema has 64 parents at most.
    while let part = SchemaDefinition.nextToMerge(heads) {
      let merged = try edit(part, SchemaRequest.merge([]), history, effects)
      guard let schema = try sign(merged, after: part, effects) else { break }
      outcome.made.append((schema, merged.change.op))
      history?.append(schema)
      let gone = Set(part.map(\.id))
      heads = heads.filter { !gone.contains($0.id) } + [schema]
    }
    for request in requests {
      let edited = try edit(heads, request, history, effects)
      outcome.edits.append(edited)
      guard let schema = try sign(edited, after: heads, effects) else { continue }
      outcome.made.append((schema, edited.change.op))
      heads = [schema]
    }
    return outcome
  }

  /// Takes what was made into the history, unless this is a dry run.
  ///
  /// - Parameters:
  ///   - outcome: what was made.
  ///   - effects: the clock.
  /// - Throws: `SchemaRefusal`; as `GroupTransaction.commit`.
  package func take(_ outcome: Outcome, _ effects: Effects) throws {
    guard !options.isDryRun else { return }
    effects.cancellation.hold()
    for (schema, op) in outcome.made {
      var judged = JudgedObject(.schema(schema), id: schema.id, [])
      judged.settle(.good(.body), by: key, .v1)
      var message = "schema \(op): \(schema.definition.name.text)"
      if let reason = options.message { message += ": \(reason)" }
      var taking = GroupTransaction.Options(profile: .v1, updatesHeads: true, message: message)
      taking.isOwn = true
      if let finding = try GroupTransaction.take(judged, taking, opened, effects) {
        throw SchemaRefusal([finding])
      }
    }
  }

  private func now(_ effects: Effects) -> WallTime {
    options.wall ?? WallTime(milliseconds: effects.clock())
  }

  private func edit(
    _ heads: [Schema], _ request: some SchemaAsked, _ history: SchemaHistory?, _ effects: Effects
  ) throws -> SchemaEdited {
    try request.apply(to: heads.map(\.definition), by: device, now: now(effects)) { one, other in
      history?.base(heads[one].id, heads[other].id)
    }
  }

  /// Signs and judges what an edit came to; `nil` when that is nothing.
  private func sign(
    _ edited: SchemaEdited, after heads: [Schema], _ effects: Effects
  ) throws -> Schema? {
    guard let definition = edited.definition else { return nil }
    let draft = SchemaDraft(
      definition, after: heads, edited.change, by: author, at: now(effects))
    var decoder = SchemaDecoder()
    let built: Schema?
    switch identity.key {
    case .some(let key): built = decoder.build(draft, signedBy: key)
    case .none: throw KeyFault.noPrivateKey
    }
    guard let schema = built else { throw SchemaRefusal(decoder.findings) }
    return schema
  }
}

/// Why an edit is no schema that a store takes.
package struct SchemaRefusal: Error {
  /// The broken rules.
  package let findings: [Finding]

  init(_ findings: [Finding]) {
    self.findings = findings.filter { Profile.v1.severity(of: $0) == .error }
  }
}
