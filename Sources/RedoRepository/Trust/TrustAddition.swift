// Adding signers to the trust file: named ones, or every key that nodes carry.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoHistory
package import RedoObject

/// Signers to add to the trust file.
package struct TrustAddition {
  /// The signers.
  package enum Signers {
    /// These.
    case named([Signer])
    /// Every key that nodes of the history carry and that is not in the file.
    case seen
  }

  /// The signers.
  package let signers: Signers
  /// What the file is to say about each.
  package let model: TrustLine
  /// The source of the passphrases of keys that are to prove a line; `nil` without a proof.
  package let proof: PassphraseSource?
  /// Whether the file is left as it is.
  package let isDryRun: Bool

  /// Creates a value with these members.
  package init(
    of signers: Signers, model: TrustLine, proof: PassphraseSource? = nil, isDryRun: Bool = false
  ) {
    self.signers = signers
    self.model = model
    self.proof = proof
    self.isDryRun = isDryRun
  }

  /// Adds them.
  ///
  /// - Parameter effects: where the store is looked for, and the clock.
  /// - Returns: what was added.
  /// - Throws: `TrustEditFault` for a signer about whom the file says something else, and for what cannot be proved.
  package func make(_ effects: Effects) throws -> TrustChange {
    let opened: Repository?
    var lines: [TrustLine]
    let isSeen: Bool
    switch signers {
    case .seen:
      let store = try effects.openRepository()
      (opened, isSeen) = (store, true)
      lines = try seenLines(store)
    case .named(let named):
      (opened, isSeen) = (try effects.openRepositoryIfPresent(), false)
      lines = named.map { line($0) }
    }
    if let same = model.sameAs, lines.contains(where: { $0.signer == same }) {
      throw TrustEditFault.sameAsItself
    }
    if let proof {
      guard let opened, lines.count == 1 else { throw TrustEditFault.proofOfOneKey }
      try KeyProof.add(to: &lines[0], proof, opened, effects)
    }
    return try TrustChange.make(opened, isDryRun: isDryRun, effects) { list throws in
      try Self.missing(lines, list, skipsKnown: isSeen)
    }
  }

  private func line(_ signer: Signer, comment: [UInt8]? = nil) -> TrustLine {
    var line = TrustLine(signer)
    (line.role, line.sameAs) = (model.role, model.sameAs)
    (line.validAfter, line.validBefore) = (model.validAfter, model.validBefore)
    line.comment = model.comment ?? comment
    return line
  }

  /// The lines that are not yet in the file.
  ///
  /// - Throws: `revoked` or `saysOtherwise`.
  private static func missing(
    _ lines: [TrustLine], _ list: TrustList, skipsKnown: Bool
  ) throws(TrustEditFault) -> [TrustLine] {
    var added: [TrustLine] = []
    for line in lines where !added.contains(where: { $0.signer == line.signer }) {
      guard let entry = line.signer.key.map({ list.entry(of: $0) }) ?? list.entry(of: line.signer)
      else {
        added.append(line)
        continue
      }
      if skipsKnown || entry.says(line) { continue }
      if let revoked = entry.revokedLine { throw .revoked(line.signer, line: revoked) }
      throw .saysOtherwise(line.signer, line: entry.line)
    }
    return added
  }

  /// A line for each key that nodes of the history carry, by their first node.
  private func seenLines(_ opened: Repository) throws -> [TrustLine] {
    let history = try HistoryGraph.open(opened, usesCache: true, [.labels])
    let graph = history.graph
    var isSeen = [Bool](repeating: false, count: graph.authors.count)
    var lines: [TrustLine] = []
    var keys = Set<PublicKey>()
    for position in 0..<graph.count where history.members?[position] ?? true {
      let number = graph.authorNumber(at: position)
      guard !isSeen[number] else { continue }
      isSeen[number] = true
      let author = graph.authors[number]
      guard let bytes = author.publicKey else { continue }
      let key = PublicKey(bytes: InlineArray { bytes[$0] })
      guard keys.insert(key).inserted else { continue }
      lines.append(line(.key(key), comment: Self.comment(author)))
    }
    return lines
  }

  /// The name of the author: shown, not trusted.
  private static func comment(_ author: GraphAuthor) -> [UInt8]? {
    guard let name = author.name, !name.isEmpty else { return nil }
    return Array(Escape.text(StringEscape.unescape(name.span)).utf8)
  }
}

extension TrustEntry {
  /// Whether the file says the same about the signer as a line.
  fileprivate func says(_ line: TrustLine) -> Bool {
    line.signer == signer && !isRevoked && role == line.role ?? .author
      && validAfter == line.validAfter && validBefore == line.validBefore && sameAs == line.sameAs
      && (line.proof == nil || proof != nil)
  }
}
