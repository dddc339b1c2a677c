// One id can arrive with several signatures (protocol, section 1.1): which one a store keeps. Given
// the same keys, every store ends with the same signature, in whatever order they arrive.

package import RedoCrypto

/// The choice between a stored signature and an arriving one.
package enum SignatureChoice: Equatable, Sendable {
  /// The stored one stays.
  case keep
  /// The arriving one replaces it.
  case take

  /// How good a signature is: no store replaces one by another of lower rank.
  private enum Rank: Int {
    case none
    case unknown
    case digest
    case body
  }

  /// Chooses.
  ///
  /// - Parameters:
  ///   - stored: the signature in the store, if any.
  ///   - arriving: the signature of the node that arrives, if any.
  ///   - object: the object they are both about.
  ///   - key: the signer's public key, if it is known.
  /// - Returns: whether the arriving one replaces the stored one.
  package static func between(
    stored: Signature?, arriving: Signature?, of object: StoredObject, key: PublicKey?
  ) -> SignatureChoice {
    guard let arriving, stored != arriving else { return .keep }
    guard let stored else { return .take }
    let storedRank = rank(of: stored, object, key)
    let arrivingRank = rank(of: arriving, object, key)
    if arrivingRank.rawValue != storedRank.rawValue {
      return arrivingRank.rawValue > storedRank.rawValue ? .take : .keep
    }
    return arriving < stored ? .take : .keep
  }

  private static func rank(
    of signature: Signature, _ object: StoredObject, _ key: PublicKey?
  ) -> Rank {
    guard let key else { return .unknown }
    switch object.kind.form(of: signature, object, key: key) {
    case .body: return .body
    case .digest: return .digest
    // It was written while its key was unknown, and does not hold: no better than no signature.
    case nil: return .none
    }
  }
}
