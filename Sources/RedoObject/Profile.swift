// How strictly a node is judged (protocol, section 1.3): named permissions, never a Boolean.

/// A set of rules for nodes; each case adds to the one above it.
package enum Profile: String, CaseIterable, Sendable {
  /// What may be written locally.
  case v1
  /// What may travel: signed well, with parents, with plausible clocks.
  case sync
  /// The strictest reading of the protocol, on request.
  case genesis

  /// Whether a node must carry a signature that is good.
  package var requiresSignature: Bool { self != .v1 }

  /// Whether a node's parents must be present and its lamport fit to theirs.
  package var checksParents: Bool { self != .v1 }

  /// Whether the rules of the profile `genesis` apply.
  package var isGenesis: Bool { self == .genesis }

  /// The severity of a rule under this profile.
  package func severity(of rule: Rule) -> Severity {
    switch rule {
    case .signatureMissing, .keyUnknown, .lamportNotIncreasing, .lamportJump, .receiptPrecise,
      .receiptAuthorChange:
      self == .v1 ? rule.severity : .error
    case .wallPrecision, .taskIDMissing:
      self == .genesis ? .error : rule.severity
    default: rule.severity
    }
  }

  /// The severity of a finding under this profile: that of its rule, but that some are always errors, and nothing is refused
  /// for a CID in the payload of a receipt.
  package func severity(of finding: Finding) -> Severity {
    if finding.isFatal { return .error }
    if finding.rule == .cidForm, finding.isInPayload { return .warning }
    return severity(of: finding.rule)
  }
}
