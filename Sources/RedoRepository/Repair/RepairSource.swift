// The source of good copies: another store, a remote, or anything that `redo import` reads.

internal import RedoCrypto
package import RedoObject
package import RedoStore

/// A source of objects.
package struct RepairSource {
  private enum Form {
    case store(Repository)
    /// A file, or a directory of files, at a path.
    case export(String)
    case remote(RepairRemote)
  }

  /// The source as it was named.
  package let name: String
  private let form: Form

  /// The answer of a source about an object.
  package enum Answer {
    /// It has it.
    case object(StoredObject)
    /// It is a remote that has sent it.
    case incoming(StoredObject)
    /// It has it, but damaged; the reason.
    case damaged(CopyDamage)
  }

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - name: the name or URL of a remote, or the path of a store or an export.
  ///   - own: the store that is being repaired.
  ///   - options: how a remote is asked.
  ///   - effects: says where paths begin.
  /// - Throws: `RepairFault` for anything else.
  package init(
    _ name: String, for own: Repository, _ options: RepairRemote.Options, _ effects: Effects
  ) throws {
    self.name = name
    let remote = Self.remote(name, own, effects) ? try Remote.named(name, own.store, effects) : nil
    let path: String
    switch remote?.url {
    case .ssh, .helper:
      guard let remote else { preconditionFailure("BUG: the URL of no remote") }
      form = .remote(RepairRemote(remote, for: own, options))
      return
    case .path(let there): path = there
    case nil: path = effects.resolve(name)
    }
    let kind: FileKind?
    do throws(SystemError) { kind = try FileStatus.at(path)?.kind } catch {
      throw error.named(name)
    }
    guard kind == .directory || kind == .regular else { throw RepairFault.noSource(name) }
    guard kind == .directory, let place = CopySource.store(in: path) else {
      if kind == .regular { try Self.check(name, path) }
      form = .export(
        remote == nil ? name : try SystemError.naming(name) { try CurrentProcess.realPath(path) })
      return
    }
    let opened = try effects.openOther(place)
    let isSame: Bool
    do throws(SystemError) {
      isSame = try opened.store.directory.status().isSameFile(
        as: own.store.directory.status())
    } catch {
      throw error.named(name)
    }
    guard !isSame else { throw RepairFault.ownStore(name) }
    form = .store(opened)
  }

  /// Whether a word names a remote, by its name or URL, and not a file.
  private static func remote(_ name: String, _ own: Repository, _ effects: Effects) -> Bool {
    if let remote = RemoteName(name), own.store.config.entry(Remote.key(remote, "url")) != nil {
      return true
    }
    guard (try? FileStatus.at(effects.resolve(name))) ?? nil == nil else { return false }
    switch try? RemoteURL(name) {
    case .ssh, .helper: return true
    // Words such as `file://`, and what is no URL although it looks like one.
    case .path, nil: return name.contains("://")
    }
  }

  /// The remote that was asked; `nil` for a source on this machine.
  package var remote: RepairRemote? {
    if case .remote(let remote) = form { remote } else { nil }
  }

  /// Refuses a file that does not even begin like an export; compressed files of other forms are refused by name later.
  private static func check(_ name: String, _ path: String) throws {
    let bytes = try InputFile.read(name, at: path, limit: 4096, cuts: true)
    if bytes.starts(with: PackFormat.magic) || AgeSource.isOne(bytes) || ForeignFile.isCAR(bytes) {
      return
    }
    let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch first {
    case nil, UInt8(ascii: "{"), UInt8(ascii: "["), 0x1F, 0xEF, UInt8(ascii: "b"): return
    default: throw RepairFault.noSource(name)
    }
  }

  /// Looks for objects.
  ///
  /// - Parameters:
  ///   - wanted: their ids.
  ///   - own: the store that is being repaired, for the keys of authors.
  ///   - effects: says whether the work is cancelled.
  /// - Returns: the answers about those that the source has.
  /// - Throws: `StoreError`, `ImportFault` or `RemoteFault` when it cannot be read.
  package func find(
    _ wanted: Set<ObjectID>, for own: Repository, _ effects: Effects
  ) throws -> [ObjectID: Answer] {
    switch form {
    case .store(let opened):
      var found: [ObjectID: Answer] = [:]
      var workspace = LooseStore.Workspace()
      for id in wanted {
        try effects.checkInterrupt()
        do throws(StoreError) {
          if let object = try opened.objects.read(id, &workspace) { found[id] = .object(object) }
        } catch {
          switch error {
          case .corrupt(_, _, let reason): found[id] = .damaged(.corrupt(reason: reason))
          case .system(let cause) where cause.isUnreadable || cause.isMissing:
            found[id] = .damaged(.unreadable(cause))
          case .offline: found[id] = .damaged(.offline)
          default: throw error
          }
        }
      }
      return found
    case .remote(let remote): return try remote.find(wanted, effects)
    case .export(let path):
      var sink = RepairExport(wanted)
      var reader = ImportReader(
        .salvaging, old: nil,
        progress: Progress(.readingCopy, effects))
      try reader.read(path: path, into: &sink, effects)
      reader.progress.finish(reader.count)
      return sink.found
    }
  }
}

/// Keeps the wanted nodes, receipts and schemas of an export.
package struct RepairExport: ~Copyable, ImportSink {
  private let wanted: Set<ObjectID>
  private var decoder = NodeDecoder(envelope: .strip, identity: .required)
  private var receipts = ReceiptDecoder()
  private var schemas = SchemaDecoder()
  /// What was found.
  package private(set) var found: [ObjectID: RepairSource.Answer] = [:]

  package init(_ wanted: Set<ObjectID>) { self.wanted = wanted }

  package mutating func take(
    _ batch: RecordBatch, from source: RecordSources.Source
  ) throws -> [NodeTransaction.Refused] {
    var refused: [NodeTransaction.Refused] = []
    for record in batch.records {
      guard record.state != .tooLong else {
        refused.append(NodeTransaction.Refused(record: record, findings: [Finding(.nodeSize)]))
        continue
      }
      let kind = ObjectLine.kind(of: batch.bytes.span.extracting(record.range))
      if kind != .node {
        let line = Array(batch.bytes[record.range])
        if let finding = kind == .schema ? take(schema: line) : take(receiptLine: line) {
          refused.append(NodeTransaction.Refused(record: record, findings: [finding]))
        }
        continue
      }
      guard let node = decoder.decode(batch.bytes.span.extracting(record.range)) else {
        let errors = decoder.findings.filter { $0.rule.severity == .error }
        if let id = decoder.statedID, wanted.contains(id), found[id] == nil,
          let error = errors.first
        {
          found[id] = .damaged(.invalid(error))
        }
        refused.append(NodeTransaction.Refused(record: record, findings: errors))
        continue
      }
      if wanted.contains(node.id) { take(StoredObject(node), key: node.publicKey) }
    }
    return refused
  }

  /// Takes a schema.
  ///
  /// - Returns: what is wrong with it.
  private mutating func take(schema text: [UInt8]) -> Finding? {
    guard let schema = schemas.decode(text) else {
      let finding = schemas.findings.first { $0.rule.severity == .error }
      if let finding, let id = schemas.statedID, wanted.contains(id), found[id] == nil {
        found[id] = .damaged(.invalid(finding))
      }
      return finding ?? Finding(.schemaForm)
    }
    if wanted.contains(schema.id) { take(StoredObject(schema), key: schema.publicKey) }
    return nil
  }

  /// Takes the receipt of a line.
  ///
  /// - Returns: what is wrong with it.
  private mutating func take(receiptLine line: [UInt8]) -> Finding? {
    let incoming: IncomingObject
    do throws(Finding) { incoming = try ReceiptLine.read(line) } catch { return error }
    let id = ObjectID(digest: SHA256.digest(of: incoming.bytes.span))
    if let stated = incoming.stated, stated != id {
      if wanted.contains(stated), found[stated] == nil {
        found[stated] = .damaged(.invalid(Finding(.hashMismatch, at: .pointer("/cid"))))
      }
      return Finding(.hashMismatch, at: .pointer("/cid"))
    }
    guard let receipt = receipts.decode(incoming.bytes, signature: incoming.signature) else {
      let finding = receipts.findings.first { $0.rule.severity == .error }
      if let finding, wanted.contains(id), found[id] == nil {
        found[id] = .damaged(.invalid(finding))
      }
      return finding ?? Finding(.receiptForm)
    }
    if wanted.contains(id) { take(StoredObject(receipt), key: nil) }
    return nil
  }

  /// Takes an object; of several copies, the one with the best signature.
  private mutating func take(_ object: StoredObject, key: PublicKey?) {
    if case .object(let known) = found[object.id] {
      let choice = SignatureChoice.between(
        stored: known.signature, arriving: object.signature, of: known, key: key)
      guard choice == .take else { return }
    }
    found[object.id] = .object(object)
  }

  /// Ignores anything in an export that is not a node.
  package mutating func refuse(_ findings: [Finding], of subject: String, _ effects: Effects) {}
}
