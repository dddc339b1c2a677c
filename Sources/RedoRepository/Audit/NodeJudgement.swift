// What an audit makes of a node, in one byte: the table of an audit keeps it for every object.

internal import RedoObject

/// What an audit makes of a copy of a node; of several copies the one that comes first here counts.
package enum NodeJudgement: UInt8, CaseIterable, Sendable {
  /// Its ID is its hash, its signature is good, and no trust file says anything against the key.
  case good
  /// It has no signature.
  case unsigned
  /// Its signature cannot be checked, because the key is unknown.
  case unknownKey
  /// Its signature is good, and the trust file does not trust the key.
  case untrusted
  /// It cannot be read, breaks a rule, or has a bad signature.
  case bad
  /// It was not judged in this run, or belongs to another store.
  case unjudged

  /// What follows from a verdict on a receipt or a schema.
  ///
  /// - Parameters:
  ///   - judged: the object and its verdict.
  ///   - profile: the rules that apply.
  init(_ judged: JudgedObject, _ profile: Profile) {
    switch judged.verdict {
    case .good where judged.errors(profile).isEmpty:
      self = judged.standing?.rule == nil ? .good : .untrusted
    case .unsigned where judged.object != nil: self = .unsigned
    case .keyUnknown where judged.object != nil: self = .unknownKey
    case .good, .bad, .unsigned, .keyUnknown, nil: self = .bad
    }
  }

  /// What follows from a verdict, once nothing is left to settle.
  ///
  /// - Parameters:
  ///   - judged: the node and its verdict.
  ///   - profile: the rules that apply.
  init(_ judged: Judged, _ profile: Profile) {
    switch judged.verdict {
    case .good where !judged.errors(profile).isEmpty: self = .bad
    case .good: self = judged.standing?.rule == nil ? .good : .untrusted
    case .unsigned: self = .unsigned
    case .keyUnknown: self = .unknownKey
    case .bad: self = .bad
    // Without a verdict, a node is one whose key could not be looked for.
    case nil: self = judged.node == nil ? .bad : .unknownKey
    }
  }
}
