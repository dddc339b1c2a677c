// A store as a whole: its files, every node from its bytes, and that no parent is missing.

internal import RedoHistory
internal import RedoObject
internal import RedoStore

/// What a verification has found.
public struct VerifyReport: Hashable, Sendable {
  /// How many nodes were looked at: the sum of the five numbers that follow.
  public let nodes: Int
  /// Nodes whose ID is their hash, and whose signature holds.
  public let good: Int
  /// Nodes that nobody signed; that alone is nothing wrong.
  public let unsigned: Int
  /// Nodes with a signature whose key is not known.
  public let unknownKey: Int
  /// Nodes whose signature holds, by a key that the trust file does not trust (redo-trust(1)).
  public let untrusted: Int
  /// Nodes that are damaged, break a rule, or have a signature that does not hold.
  public let bad: Int
  /// Everything that is wrong, or worth knowing.
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

  /// How much it matters, by the rule and the settings `verify.<rule>` (redo-config(1)).
  public let severity: Severity
  /// The rule, such as `object-corrupt`: one of redo-rules(7).
  public let rule: String
  /// The node that it is about; `nil` where it is about a file.
  public let node: NodeID?
  /// The file that it is about, below `.redo`; empty where there is none.
  public let path: String
  /// What stands there instead, unescaped; empty when the rule says it all.
  public let detail: String
}

extension Repository {
  /// Verifies the store: its files, each node from the bytes on the disk, and that the heads lead to no missing parent.
  ///
  /// What is wrong is in the answer, and is not an error. `redo verify` looks at more: the index, snapshots and
  /// checkpoints (redo-verify(1)).
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
  /// - Returns: how many nodes have each letter of `redo verify`.
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

  /// What is wrong with a node; `nil` where nothing is.
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

  /// What a node is to those that stand on it.
  private enum Link: Sendable {
    /// It is here, and has these parents.
    case here([ObjectID])
    /// It is not here.
    case missing
    /// It cannot be read, which is found when nodes are judged.
    case unreadable
  }

  /// The nodes that others stand on, and that are not here.
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
  /// A finding of a severity.
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
