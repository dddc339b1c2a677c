// Of several copies of a node, the one with the better signature is kept (protocol, section 1.1).

internal import RedoCrypto
package import RedoObject
internal import RedoStore

/// Chooses among the copies of one node after another.
package struct CopyChooser: ~Copyable {
  private let trust: TrustList?
  private var decoder = NodeDecoder()
  private var best: StoredObject?
  /// Whether copies of some node had different signatures, so that a different one may be read from now on.
  private(set) var hasRivals = false

  /// - Parameter trust: the keys of users whose nodes do not carry them.
  package init(_ trust: TrustList?) { self.trust = trust }

  /// Takes the next copy of the node; the copy that reads prefer comes first.
  package mutating func take(_ copy: StoredObject?) {
    guard let copy else { return }
    guard let kept = best else {
      best = copy
      return
    }
    guard kept.signature != copy.signature else { return }
    hasRivals = true
    let key = key(of: kept)
    // If the key is unknown, a good signature may not be told from another one: the copy that reads prefer stays.
    if key == nil, kept.signature != nil { return }
    if SignatureChoice.between(
      stored: kept.signature, arriving: copy.signature, of: kept, key: key) == .take
    {
      best = copy
    }
  }

  private mutating func key(of object: StoredObject) -> PublicKey? {
    guard let node = decoder.decode(object) else { return nil }
    return node.publicKey ?? trust?.key(of: node.userID)
  }

  /// The copy that is kept; the next one belongs to another node.
  package mutating func finish() -> StoredObject? {
    defer { best = nil }
    return best
  }
}
