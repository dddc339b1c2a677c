// The verification of a whole store: its files, every node from its bytes, and that no parent is missing.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// The result of a verification.
public struct VerifyReport: Hashable, Sendable {
  /// How many nodes were checked: the sum of the next five numbers.
  public let nodes: Int
  /// How many nodes have an ID that is their hash, and a good signature.
  public let good: Int
  /// How many nodes are unsigned; that alone is not a fault.
  public let unsigned: Int
  /// How many nodes have a signature whose key is unknown.
  public let unknownKey: Int
  /// How many nodes have a good signature by a key that the trust file does not trust (redo-trust(1)).
  public let untrusted: Int
  /// How many nodes are damaged, break a rule, or have a bad signature.
  public let bad: Int
  /// Everything that is wrong or worth knowing.
  public let findings: [VerifyFinding]

  /// Whether nothing is wrong: no finding is an error.
  public var isGood: Bool { !findings.contains { $0.severity == .error } }
}

/// One thing that was found in a store.
public struct VerifyFinding: Hashable, Sendable {
  /// How much a finding matters.
  public enum Severity: Sendable {
    /// Something is wrong.
    case error
    /// Something is odd.
    case warning
    /// Something is worth knowing.
    case info
  }

  /// How much it matters, according to the rule and the settings `verify.<rule>` (redo-config(1)).
  public let severity: Severity
  /// The rule, such as `object-corrupt`: one of redo-rules(7).
  public let rule: String
  /// The node that it is about; `nil` when it is about a file.
  public let node: NodeID?
  /// The file that it is about, below `.redo`; empty when there is none.
  public let path: String
  /// What was found instead, unescaped; empty when the rule says everything.
  public let detail: String
}

extension Repository {
  /// Verifies the store: its files, each node from the bytes on the disk, and that the heads lead to no missing parent.
  ///
  /// Faults are in the result, and are not errors. `redo verify` checks more: the index, snapshots and checkpoints
  /// (redo-verify(1)).
  ///
  /// - Returns: what was found.
  /// - Throws: `denied` or `malformed` when the trust file cannot be used, `cancelled`, `system`.
  /// - Complexity: O(*n*) in nodes, each of which costs one verification of Ed25519; all processors are used.
  public func verify() throws(RedoError) -> VerifyReport {
    try RedoError.sorting {
      let weights = try FindingWeights(store, .v1, effects)
      let refs = RefsCheck(in: store.directory)
      var findings = fileFindings(refs)
      let letters = try verifyNodes(&findings)
      findings += try missingParents(of: refs.refs.map(\.id))
      return VerifyReport(
        nodes: letters.values.reduce(0, +), good: letters["G"] ?? 0, unsigned: letters["N"] ?? 0,
        unknownKey: letters["E"] ?? 0,
        untrusted: ["U", "X", "R"].reduce(0) { $0 + (letters[$1] ?? 0) }, bad: letters["B"] ?? 0,
        findings: findings.sorted().compactMap { finding in
          weights.severity(of: finding).map { VerifyFinding(finding, $0) }
        })
    }
  }

  /// What is wrong with the files around the objects.
  private func fileFindings(_ refs: RefsCheck) -> [StoreFinding] {
    var findings = LayoutCheck.findings(in: store.directory)
    findings += KeyringCheck.findings(in: store.directory)
    findings += AlternatesCheck.findings(in: store.directory)
    findings += ArchiveCheck.findings(in: store.directory)
    findings += QuarantineCheck.findings(in: store.directory)
    findings += refs.findings + ReflogCheck.findings(in: store.directory, refs)
    findings += ReceivedCheck(in: store.directory, refs).findings
    return findings + CreatedCheck.findings(in: store.directory)
  }

  /// Judges every node.
  ///
  /// - Returns: the number of nodes for each letter of `redo verify`.
  private func verifyNodes(_ findings: inout [StoreFinding]) throws -> [Unicode.Scalar: Int] {
    let progress = RedoRepository.Progress(
      .checkingStore, total: AuditPart.shardCount, effects)
    var verifier = VerifyStored(.v1, self, try effects.nodeTrust(self), saysKeys: false)
    var letters: [Unicode.Scalar: Int] = [:]
    var done = 0
    try verifier.judgeAll { rows in
      try effects.checkInterrupt()
      for row in rows {
        guard case .other(let row) = row else {
          letters["G", default: 0] += 1
          continue
        }
        letters[row.letter, default: 0] += 1
        if let finding = Self.finding(row) { findings.append(finding) }
      }
      done += 1
      progress.update(min(done, AuditPart.shardCount))
    }
    progress.finish(AuditPart.shardCount)
    return letters
  }

  /// What is wrong with a node; `nil` when nothing is.
  private static func finding(_ row: VerdictRow) -> StoreFinding? {
    let rule: Rule
    switch row.letter {
    case "N": rule = .signatureMissing
    case "E": rule = row.finding?.rule ?? .keyUnknown
    default:
      guard let found = row.finding?.rule ?? row.standing?.rule else { return nil }
      rule = found
    }
    // Each row is about a stored object.
    guard case .id(let id) = row.subject else { return nil }
    return StoreFinding(rule, id: id, path: "", detail: row.finding?.detail ?? "")
  }

  /// What a node means to its children.
  private enum Link: Sendable {
    /// It is here, and has these parents.
    case here([ObjectID])
    /// It is not here.
    case missing
    /// It cannot be read, which is found when nodes are judged.
    case unreadable
  }

  /// The parents of nodes that are missing.
  private func missingParents(of tips: [ObjectID]) throws -> [StoreFinding] {
    var findings: [StoreFinding] = []
    var seen = Set(tips)
    var level = seen.sorted().map { (id: $0, child: ObjectID?.none) }
    let store = objects
    while !level.isEmpty {
      try effects.checkInterrupt()
      let links = Threads.parallelMap(
        level.map(\.id), threads: level.count < 16 ? 1 : Threads.processorCount,
        makeState: { NodeReader() }
      ) { reader, id -> Link in
        guard let found = try? reader.object(id, in: store) else {
          return (try? store.contains(id)) == false ? .missing : .unreadable
        }
        guard let node = try? HistoryLoad.node(found, &reader).0 else { return .unreadable }
        return .here(node.parents)
      }
      var next: [(id: ObjectID, child: ObjectID?)] = []
      for (place, link) in zip(level, links) {
        switch link {
        case .unreadable: continue
        case .missing:
          findings.append(
            StoreFinding(
              place.child == nil ? .objectMissing : .parentMissing, id: place.id,
              detail: place.child?.text ?? ""))
        case .here(let parents):
          for parent in parents where seen.insert(parent).inserted {
            next.append((parent, place.id))
          }
        }
      }
      level = next
    }
    return findings
  }
}

extension VerifyFinding {
  /// Creates a finding with a severity.
  fileprivate init(_ finding: StoreFinding, _ severity: RedoObject.Severity) {
    self.severity =
      switch severity {
      case .error: .error
      case .warning: .warning
      case .info: .info
      }
    rule = finding.rule.id
    node = finding.id.map { NodeID($0) }
    path = finding.path
    detail = finding.detail
  }
}
