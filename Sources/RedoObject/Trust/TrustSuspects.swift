// Objects from outside whose good signatures are by keys that the trust file does not let sign. What stays good of a revoked
// key is known only when everything has come: until then each has the answers for both cases.

package import RedoCrypto

/// Objects that the trust file may keep out.
package struct TrustSuspects: Sendable {
  /// One of them.
  private struct Suspect: Sendable {
    let signer: Signer
    /// What the file says about it.
    let standing: Standing
    /// What it says if the object is among those that stay good; `nil` where none do.
    let reached: Standing?
    /// The line of the revocation.
    let revokedLine: Int?
  }

  /// What the file says about one of them.
  package struct Answer: Equatable, Sendable {
    /// Whose signature it is.
    package let signer: Signer
    /// Why it is not good: U, X or R.
    package let standing: Standing

    /// An answer of these parts.
    package init(signer: Signer, standing: Standing) {
      self.signer = signer
      self.standing = standing
    }
  }

  private let list: TrustList
  private var suspects: [ObjectID: Suspect] = [:]
  /// What stays good of the revoked keys among them, by the lines of the revocations.
  package private(set) var anchors: [Int: [ObjectID]] = [:]

  /// No objects.
  ///
  /// - Parameter list: what the file says.
  package init(_ list: TrustList) { self.list = list }

  /// Whether there are none.
  package var isEmpty: Bool { suspects.isEmpty }

  /// Notes an object, unless the file lets its signer sign it.
  ///
  /// - Parameters:
  ///   - id: the object.
  ///   - key: the key that its signature was verified with.
  ///   - wall: the time that its author states; `nil` where there is none: then no limit of time is kept.
  package mutating func note(_ id: ObjectID, by key: PublicKey, at wall: WallTime?) {
    let entry = list.entry(of: key)
    let wall = wall ?? (entry?.validBefore == nil ? WallTime.earliest : WallTime.latest)
    let standing = list.standing(of: key, at: wall)
    guard standing.rule != nil else { return }
    var reached: Standing?
    if let entry, let line = entry.revokedLine, !entry.validThrough.isEmpty {
      reached = list.standing(of: key, at: wall, isReached: true)
      anchors[line] = entry.validThrough
    }
    suspects[id] = Suspect(
      signer: .key(key), standing: standing, reached: reached, revokedLine: entry?.revokedLine)
  }

  /// Those that the file keeps out.
  ///
  /// - Parameter reached: for the lines of `anchors` what they reach.
  /// - Returns: what the file says about each.
  package func untrusted(reached: [Int: Set<ObjectID>]) -> [ObjectID: Answer] {
    var answers: [ObjectID: Answer] = [:]
    for (id, suspect) in suspects {
      var standing = suspect.standing
      if let line = suspect.revokedLine, let better = suspect.reached,
        reached[line]?.contains(id) ?? false
      {
        standing = better
      }
      guard standing.rule != nil else { continue }
      answers[id] = Answer(signer: suspect.signer, standing: standing)
    }
    return answers
  }
}
