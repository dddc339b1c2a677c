// What an ambiguous name may mean: a few of the candidates, since others decide how many there are.

package import RedoObject

/// Hints about candidates.
package enum Candidates {
  /// The most that are named.
  private static let limit = 20

  /// Hints that name candidates, and say how many more there are.
  ///
  /// - Parameters:
  ///   - ids: the candidates.
  ///   - spelling: how one is written so that nothing else is meant.
  /// - Returns: the hints, without their prefix.
  package static func hints(
    _ ids: [UniqueID], _ spelling: (String) -> String = { "'\($0)'" }
  ) -> [String] {
    let named = ids.prefix(limit).map { "one is \(spelling($0.text))" }
    return ids.count > limit ? named + ["and \(ids.count - limit) more"] : named
  }
}
