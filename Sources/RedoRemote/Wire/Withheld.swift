// What a side has and does not compare, in words of its greeting (redo-wire(5)):
//
//   withholds-<count>                               how many nodes these are
//   withheld-<rule>-<count>-<below>-<16 hex>        those that break a rule, those that only follow one, and which they are
//
// A side that says neither does not say what it withholds.

internal import RedoCrypto
package import RedoObject

/// The nodes that a side has and does not compare.
package struct Withheld: Equatable, Sendable {
  /// The nodes that one rule keeps from being compared.
  package struct Reason: Equatable, Sendable {
    /// The rule that is broken.
    package let rule: String
    /// How many nodes break it.
    package let count: Int
    /// How many nodes break no rule themselves, and have an ancestor that breaks this one.
    package let below: Int
    /// Which nodes these are: the first 8 bytes of SHA-256 of their ids, in the order of redo-protocol(7).
    package let digest: UInt64

    /// A reason.
    package init(rule: String, count: Int, below: Int, digest: UInt64) {
      self.rule = rule
      self.count = count
      self.below = below
      self.digest = digest
    }

    /// How many nodes it is about.
    package var total: Int { count + below }
  }

  /// The reasons, by rule.
  package let reasons: [Reason]

  /// What is withheld for some reasons.
  package init(_ reasons: some Sequence<Reason> = []) {
    self.reasons = reasons.sorted { $0.rule < $1.rule }
  }

  /// How many nodes are withheld.
  package var count: Int { reasons.reduce(0) { $0 + $1.total } }

  /// What the words begin with.
  package static let total = "withholds-"
  /// What the words begin with.
  package static let reason = "withheld-"
  /// More nodes than any history has.
  private static let countLimit = 1 << 40

  /// The words of a greeting that say it.
  package var words: [String] {
    ["\(Self.total)\(count)"]
      + reasons.map {
        "\(Self.reason)\($0.rule)-\($0.count)-\($0.below)-" + Self.hex($0.digest)
      }
  }

  /// What a greeting says; `nil` when it says nothing, or something that does not add up.
  package init?(_ capabilities: WireCapabilities) {
    var total: Int?
    var reasons: [Reason] = []
    for word in capabilities.words {
      if word.hasPrefix(Self.total) {
        guard total == nil, let count = Self.number(word.dropFirst(Self.total.utf8.count)) else {
          return nil
        }
        total = count
      } else if word.hasPrefix(Self.reason) {
        guard let reason = Self.reason(in: word.dropFirst(Self.reason.utf8.count)),
          !reasons.contains(where: { $0.rule == reason.rule })
        else { return nil }
        reasons.append(reason)
      }
    }
    self.init(reasons)
    guard total == count else { return nil }
  }

  private static func reason(in text: Substring) -> Reason? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count > 3, let count = number(parts[parts.count - 3]),
      let below = number(parts[parts.count - 2]), parts[parts.count - 1].utf8.count == 16,
      let digest = UInt64(parts[parts.count - 1], radix: 16)
    else { return nil }
    let rule = parts.dropLast(3).joined(separator: "-")
    guard (1...RefusedNode.ruleLimit).contains(rule.utf8.count) else { return nil }
    return Reason(rule: rule, count: count, below: below, digest: digest)
  }

  private static func number(_ text: Substring) -> Int? {
    guard let number = Int(text), "\(number)" == text, (0...countLimit).contains(number) else {
      return nil
    }
    return number
  }

  /// The digest as 16 hex digits.
  package static func hex(_ digest: UInt64) -> String {
    let text = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}

/// Counts nodes that are withheld, reason by reason.
package struct WithheldCount {
  private struct Row {
    var count = 0
    var below = 0
    var hash = SHA256()
  }

  private var rows: [String: Row] = [:]

  /// Begins with nothing.
  package init() {}

  /// Counts a node.
  ///
  /// - Parameters:
  ///   - id: the node, after all that come before it in the order of nodes.
  ///   - rule: the rule that it, or its ancestor, breaks.
  ///   - isBelow: whether an ancestor breaks it, and not the node itself.
  package mutating func add(_ id: ObjectID, _ rule: String, isBelow: Bool) {
    var bytes: [UInt8] = []
    id.appendRaw(to: &bytes)
    if isBelow {
      rows[rule, default: Row()].below += 1
    } else {
      rows[rule, default: Row()].count += 1
    }
    rows[rule, default: Row()].hash.update(bytes.span)
  }

  /// What was counted.
  package var withheld: Withheld {
    Withheld(
      rows.map { rule, row in
        var hash = row.hash
        let digest = hash.finalize()
        let number = (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(digest.bytes[$1]) }
        return Withheld.Reason(rule: rule, count: row.count, below: row.below, digest: number)
      })
  }
}
