// The fingerprint of one node as it is kept (redo-wire(5)): SHA-256 of its id (32 bytes) and its signature
// (64, or none). The id alone does not tell which of several signatures a store has.

package import RedoCrypto

/// Stands for one node as it is kept: its id and its signature.
package struct NodeFingerprint: Hashable, Sendable {
  /// The number of bytes.
  package static let byteCount = Digest.byteCount

  /// The 32 bytes.
  package let digest: Digest

  /// The fingerprint of these bytes.
  package init(digest: Digest) { self.digest = digest }

  /// The fingerprint of its bytes, eight at a time, each group as a little-endian number.
  ///
  /// - Parameter words: the groups.
  package init(words: (UInt64, UInt64, UInt64, UInt64)) { digest = ObjectID(words: words).digest }

  /// The fingerprint of a node.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - signature: its signature, if it has one.
  package init(id: ObjectID, signature: Signature?) {
    var hash = SHA256()
    hash.update(id.digest.bytes.span)
    if let signature { hash.update(signature.bytes.span) }
    digest = hash.finalize()
  }

  /// Appends the 32 bytes.
  ///
  /// - Parameter output: where to.
  package func appendRaw(to output: inout [UInt8]) { output.append(digest.bytes.span) }
}
