// What an audit says about one node (protocol, section 1.1; the letters are those of redo-verify(1)).

/// What a signature was made over.
package enum SignatureForm: String, Sendable {
  /// The canonical body; what is written.
  case body
  /// The 32 bytes of the body's SHA-256; accepted on reading.
  case digest
}

/// The verdict on one node: a "no" is a value, not an error.
package enum Verdict: Equatable, Sendable {
  /// The id is the hash, and the signature of a known key holds.
  case good(SignatureForm)
  /// It is not a node, its id is not its hash, or its signature does not hold.
  case bad(Finding)
  /// There is a signature, but the signer's public key is not known.
  case keyUnknown
  /// There is no signature.
  case unsigned

  /// G, B, E or N.
  package var letter: Unicode.Scalar {
    switch self {
    case .good: "G"
    case .bad: "B"
    case .keyUnknown: "E"
    case .unsigned: "N"
    }
  }

  /// Whether the node is good.
  package var isGood: Bool {
    if case .good = self { true } else { false }
  }

  /// The broken rule that follows from the verdict under a profile; `nil` when the node is accepted.
  package func finding(under profile: Profile) -> Finding? {
    switch self {
    case .good: nil
    case .bad(let finding): finding
    case .keyUnknown:
      profile.requiresSignature ? Finding(.keyUnknown, at: .pointer("/signature")) : nil
    case .unsigned:
      profile.requiresSignature ? Finding(.signatureMissing, at: .pointer("/signature")) : nil
    }
  }

  /// The form of a good signature, otherwise the rule that is broken.
  package var reason: String {
    switch self {
    case .good(let form): form.rawValue
    case .bad(let finding): finding.summary
    case .keyUnknown: Rule.keyUnknown.id
    case .unsigned: Rule.signatureMissing.id
    }
  }
}
