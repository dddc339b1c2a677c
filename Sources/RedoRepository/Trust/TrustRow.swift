// Who may sign at a moment, according to the lines of a trust file.

package import RedoObject

/// A signer, and how a signature made now would be judged.
package struct TrustRow: Sendable {
  /// How a signature of the signer would be judged, if it were made now.
  package enum State: String, Sendable {
    /// Good.
    case trusted
    /// Too late.
    case expired
    /// Too early.
    case notYet = "not-yet"
    /// Made with a revoked key.
    case revoked
  }

  /// What the file says.
  package let entry: TrustEntry
  /// How a signature would be judged now.
  package let state: State
  /// The number of the person, from 1.
  package let person: Int
  /// Whether the proof that the keys belong together is good; `nil` without one.
  package let isProved: Bool?

  /// All signers: persons in the order of their first lines, with all signers of one person together.
  package static func rows(_ list: TrustList, now: WallTime) -> [TrustRow] {
    let persons = persons(list.entries)
    let rows = list.entries.enumerated().map { place, entry in
      TrustRow(
        entry: entry, state: State(entry, now), person: persons[place], isProved: entry.isProved)
    }
    return rows.sorted(on: \.person)
  }

  /// The person of each signer: linked by `same-as`, in either direction and over any number of steps.
  private static func persons(_ entries: [TrustEntry]) -> [Int] {
    var parent: [UserID: UserID] = [:]
    func root(_ user: UserID) -> UserID {
      var user = user
      while let next = parent[user] { user = next }
      return user
    }
    for entry in entries {
      guard let same = entry.sameAs else { continue }
      let (one, other) = (root(entry.signer.userID), root(same.userID))
      if one != other { parent[other] = one }
    }
    var numbers: [UserID: Int] = [:]
    return entries.map { entry in
      let person = root(entry.signer.userID)
      let number = numbers[person] ?? numbers.count + 1
      numbers[person] = number
      return number
    }
  }
}

extension TrustRow.State {
  fileprivate init(_ entry: TrustEntry, _ now: WallTime) {
    if entry.isRevoked {
      self = .revoked
    } else if let first = entry.validAfter, now < first {
      self = .notYet
    } else if let end = entry.validBefore, now >= end {
      self = .expired
    } else {
      self = .trusted
    }
  }
}
