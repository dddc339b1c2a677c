// The verification of a whole store: the audit of `redo verify`, with the number of nodes of each verdict.

internal import RedoObject
internal import RedoStore

/// The result of a verification.
public struct VerifyReport: Hashable, Sendable {
  /// How many nodes were checked: the sum of the next five numbers.
  ///
  /// A node counts once, however many copies of it the store has, and as what a copy is that can be read, if there is
  /// one. Nodes that the store only borrows from another one, or that are in an archive whose file is not there, are not
  /// checked.
  public let nodes: Int
  /// How many nodes have an ID that is their hash, and a good signature.
  public let good: Int
  /// How many nodes are unsigned; that alone is not a fault.
  public let unsigned: Int
  /// How many nodes have a signature whose key is unknown.
  public let unknownKey: Int
  /// How many nodes have a good signature by a key that the trust file does not trust (redo-trust(1)).
  public let untrusted: Int
  /// How many nodes are damaged in every copy, break a rule, or have a bad signature.
  public let bad: Int
  /// Everything that is wrong or worth knowing, by path, node and rule: about files, single nodes and damaged copies of
  /// them, parents and other nodes that are missing, logical times that do not grow, refs, logs, the trust file, the
  /// index, snapshots and checkpoints.
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
  /// The node that it is about; `nil` when it is only about a file.
  public let node: NodeID?
  /// The file that it is about, below `.redo`; empty when there is none.
  ///
  /// For a packed node it is the pack; an archive has its absolute path.
  public let path: String
  /// What was found instead, unescaped; empty when the rule says everything.
  public let detail: String
}

extension Repository {
  /// Verifies everything in the store, as `redo verify` without names does (redo-verify(1)).
  ///
  /// Files, every node from the bytes on the disk, every copy of it, the history, refs and logs, and what is derived
  /// from them: the index, snapshots and checkpoints. Nothing is written. Faults are in the result, and are not errors.
  ///
  /// - Returns: what was found.
  /// - Throws: `missing` when the store is no longer at its path, `denied` when it has become that of another user,
  ///   `unsupported` when its format is a later one, `invalid`, `malformed` or `missing` when a setting `verify.<rule>`
  ///   or the list of `verify.skipList` cannot be used, `cancelled`, `system`.
  /// - Complexity: O(*n*) in nodes, each copy of which costs one verification of Ed25519; all processors are used, and
  ///   about 100 bytes of memory a node.
  public func verify() throws(RedoError) -> VerifyReport {
    try RedoError.sorting {
      // The store is opened anew by its path: its settings may be damaged by now.
      var effects = effects
      effects.surroundings.redoDirectory = path
      var found: [(finding: StoreFinding, severity: RedoObject.Severity)] = []
      let outcome = try StoreAudit.run(.init(.v1), effects) { found.append(($0, $1)) }
      found = found.sorted(on: \.finding)
      return VerifyReport(outcome.judged, found.map { VerifyFinding($0.finding, $0.severity) })
    }
  }
}

extension VerifyReport {
  /// Creates a report of the nodes that were judged, and of what was found.
  fileprivate init(_ judged: [NodeJudgement: Int], _ findings: [VerifyFinding]) {
    nodes = judged.values.reduce(0, +)
    good = judged[.good] ?? 0
    unsigned = judged[.unsigned] ?? 0
    unknownKey = judged[.unknownKey] ?? 0
    untrusted = judged[.untrusted] ?? 0
    bad = judged[.bad] ?? 0
    self.findings = findings
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
