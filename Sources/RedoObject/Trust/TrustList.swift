// Who may sign, as all lines of a trust file together say, and what follows for one signature.

package import RedoCrypto

/// What the lines of a trust file say about one signer.
package struct TrustEntry: Sendable {
  /// The signer.
  package let signer: Signer
  /// The number of the first line about them.
  package let line: Int
  /// What they sign.
  package private(set) var role = TrustLine.Role.author
  /// The first instant at which they sign.
  package private(set) var validAfter: WallTime?
  /// The first instant at which the signer may no longer sign.
  package private(set) var validBefore: WallTime?
  /// The number of the first line that revokes them; `nil` when they are not revoked.
  package private(set) var revokedLine: Int?
  /// What stays good of a revoked key: these nodes, with all their ancestors.
  package private(set) var validThrough: [ObjectID] = []
  /// Another signer who is the same person.
  package private(set) var sameAs: Signer?
  /// What proves it, if it holds.
  package private(set) var proof: KeyLink?
  /// The devices whose receipts the key signs.
  package private(set) var devices: [DeviceName] = []
  /// The first comment.
  package private(set) var comment: [UInt8]?
  /// Whether there has been a line that says more than that the signer is revoked.
  private var isPlain = false

  fileprivate init(_ entry: TrustText.Entry) throws(TrustFault) {
    signer = entry.line.signer
    line = entry.number
    try add(entry)
  }

  /// Takes in one more line.
  ///
  /// - Throws: when it contradicts those before it.
  fileprivate mutating func add(_ entry: TrustText.Entry) throws(TrustFault) {
    let new = entry.line
    func fault(_ reason: String) -> TrustFault {
      TrustFault(line: entry.number, offset: entry.offset, reason)
    }
    if !new.isOnlyRevocation {
      guard !isPlain else { throw fault("the signer stands on line \(line) already") }
      isPlain = true
      role = new.role ?? .author
      (validAfter, validBefore) = (new.validAfter, new.validBefore)
      (sameAs, proof, devices) = (new.sameAs, new.proof, new.devices)
    }
    if new.isRevoked {
      if let revokedLine, new.validThrough.isEmpty || validThrough.isEmpty {
        throw fault(
          "the signer is revoked on line \(revokedLine) already, and only 'valid-through' adds up")
      }
      revokedLine = revokedLine ?? entry.number
      validThrough += new.validThrough
    }
    comment = comment ?? new.comment
  }

  /// Whether the proof holds that the signer is the same person as another; `nil` without one.
  package var isProved: Bool? {
    guard let proof, let old = sameAs?.key, let new = signer.key else { return nil }
    return proof.holds(old: old, new: new)
  }

  /// Whether the signer is revoked.
  package var isRevoked: Bool { revokedLine != nil }
}

/// What a signer is to be trusted with.
package enum TrustPurpose: Sendable {
  /// A node.
  case node
  /// A checkpoint.
  case checkpoint
}

/// What a trust file says about one good signature.
package struct Standing: Equatable, Sendable {
  /// Why.
  package enum Reason: String, Sendable {
    /// The key may sign this.
    case trusted
    /// The key is revoked, but what it signed here stays good.
    case stays
    /// The key is not in the file, or there for something else.
    case untrusted = "key-untrusted"
    /// The wall time is not one at which the key may sign.
    case expired = "key-expired"
    /// The key is revoked.
    case revoked = "key-revoked"
  }

  /// Why.
  package let reason: Reason
  /// The line of the file that decides; `nil` when no line concerns the key.
  package let line: Int?
  /// What the signer signs; `nil` when no line concerns the key.
  package let role: TrustLine.Role?

  /// An answer of these parts.
  package init(reason: Reason, line: Int?, role: TrustLine.Role?) {
    (self.reason, self.line, self.role) = (reason, line, role)
  }

  /// G, U, X or R.
  package var letter: Unicode.Scalar {
    switch reason {
    case .trusted, .stays: "G"
    case .untrusted: "U"
    case .expired: "X"
    case .revoked: "R"
    }
  }

  /// The rule that is broken, if one is.
  package var rule: Rule? {
    switch reason {
    case .trusted, .stays: nil
    case .untrusted: .keyUntrusted
    case .expired: .keyExpired
    case .revoked: .keyRevoked
    }
  }
}

/// The signers of a trust file.
package struct TrustList: Sendable {
  /// Every signer in the file, in the order of their first lines.
  package private(set) var entries: [TrustEntry] = []
  private var places: [Signer: Int] = [:]
  /// The keys that the file names, by user; `nil` for a user with several.
  private var keys: [UserID: PublicKey?] = [:]
  /// The line about the key of each device.
  private var devices: [DeviceName: (key: PublicKey, line: Int)] = [:]

  /// No signers.
  init() {}

  /// Puts lines together.
  ///
  /// - Throws: a line that contradicts one before it.
  init(_ lines: [TrustText.Entry]) throws(TrustFault) {
    for entry in lines {
      let signer = entry.line.signer
      try noteDevices(entry)
      if let place = places[signer] {
        try entries[place].add(entry)
        continue
      }
      try checkOverlap(entry)
      places[signer] = entries.count
      entries.append(try TrustEntry(entry))
      guard let key = signer.key else { continue }
      let isFirst = keys[signer.userID] == nil
      keys.updateValue(isFirst ? key : nil, forKey: signer.userID)
    }
  }

  /// A user id covers all its keys, so a line for one of those would concern the same signer.
  private func checkOverlap(_ entry: TrustText.Entry) throws(TrustFault) {
    let user = entry.line.signer.userID
    var other: TrustEntry?
    if entry.line.signer.key != nil {
      other = places[.user(user)].map { entries[$0] }
    } else if keys[user] != nil {
      other = entries.first { $0.signer.key != nil && $0.signer.userID == user }
    }
    guard let other else { return }
    throw TrustFault(
      line: entry.number, offset: entry.offset,
      "line \(other.line) is about the same user; name either the key or the user id")
  }

  /// A device has one key.
  private mutating func noteDevices(_ entry: TrustText.Entry) throws(TrustFault) {
    guard let key = entry.line.signer.key else { return }
    for device in entry.line.devices {
      if let other = devices[device] {
        throw TrustFault(
          line: entry.number, offset: entry.offset,
          "line \(other.line) names the key of device '\(device.escaped)' already")
      }
      devices[device] = (key, entry.number)
    }
  }

  /// The key that the file names for a device.
  package func key(of device: DeviceName) -> PublicKey? { devices[device]?.key }

  /// What the file says about a key, by itself or by its user id.
  package func entry(of key: PublicKey) -> TrustEntry? {
    let place = places[.key(key)] ?? places[.user(UserID(of: key))]
    return place.map { entries[$0] }
  }

  /// What the file says about a signer, as it is named there.
  package func entry(of signer: Signer) -> TrustEntry? { places[signer].map { entries[$0] } }

  /// The key of a user; `nil` when the file names none, or several.
  package func key(of user: UserID) -> PublicKey? { keys[user] ?? nil }

  /// What the file says about a good signature.
  ///
  /// - Parameters:
  ///   - key: the key that made the signature.
  ///   - purpose: what was signed.
  ///   - wall: the time that the signer states.
  ///   - isReached: whether what was signed is among the nodes, or their ancestors, that stay good according to
  ///     the file; only called where `TrustEntry.validThrough` has any.
  /// - Returns: the answer, and the line that gives it.
  package func standing(
    of key: PublicKey, for purpose: TrustPurpose = .node, at wall: WallTime,
    isReached: Bool = false
  ) -> Standing {
    guard let entry = entry(of: key) else {
      return Standing(reason: .untrusted, line: nil, role: nil)
    }
    func answer(_ reason: Standing.Reason, _ line: Int) -> Standing {
      Standing(reason: reason, line: line, role: entry.role)
    }
    if let revokedLine = entry.revokedLine, !isReached { return answer(.revoked, revokedLine) }
    if purpose == .node, entry.role == .auditor { return answer(.untrusted, entry.line) }
    if let first = entry.validAfter, wall < first { return answer(.expired, entry.line) }
    if let end = entry.validBefore, wall >= end { return answer(.expired, entry.line) }
    return answer(entry.isRevoked ? .stays : .trusted, entry.line)
  }
}
