// What was asked for, to compare with what comes.

package import RedoObject

/// Requests as a set of nodes.
package struct RangeRequest: Sendable {
  private struct Part: Sendable {
    let start: RangeBound
    let end: RangeBound
    /// Which nodes of it; `nil` for all.
    let fingerprints: Set<ShortFingerprint>?
  }

  private let digests: RangeDigests
  private let parts: [Part]

  /// What some requests ask for.
  ///
  /// - Parameters:
  ///   - requests: ascending, as a comparison found them.
  ///   - digests: with the salt of the exchange.
  package init(_ requests: [RangeMessage], _ digests: RangeDigests) {
    self.digests = digests
    var parts: [Part] = []
    for request in requests {
      var start = RangeBound.start
      for part in request.parts {
        switch part.content {
        case .everything: parts.append(Part(start: start, end: part.end, fingerprints: nil))
        case .list(let fingerprints):
          parts.append(Part(start: start, end: part.end, fingerprints: Set(fingerprints)))
        case .settled, .fingerprint, .difference, .nothing, .later: break
        }
        start = part.end
      }
    }
    self.parts = parts
  }

  /// Whether a node was asked for.
  ///
  /// - Parameters:
  ///   - fingerprint: the fingerprint of the node.
  ///   - place: its place.
  /// - Returns: `false` for a node that was not asked for.
  package func asksFor(_ fingerprint: NodeFingerprint, at place: RangeBound) -> Bool {
    // The first part that ends after the place.
    var low = 0
    var high = parts.count
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].end <= place { low = middle + 1 } else { high = middle }
    }
    guard low < parts.count, parts[low].start <= place else { return false }
    return parts[low].fingerprints?.contains(digests.short(fingerprint)) ?? true
  }
}
