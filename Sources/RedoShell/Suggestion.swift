// "Did you mean": the nearest known words, by the restricted Damerau-Levenshtein distance
// (insert, delete, replace, swap neighbours; each costs one).

/// Finds the words that were probably meant.
package enum Suggestion {
  /// The known words that are nearest, if they are near enough.
  ///
  /// - Parameters:
  ///   - word: the word as typed.
  ///   - candidates: the known words; those equally near are returned in this order.
  /// - Returns: the nearest words; none when more than about a third of the letters would be wrong.
  package static func nearest(to word: String, among candidates: [String]) -> [String] {
    let length = word.utf8.count
    // A longer word is not a typing error, and the cost of the distance is quadratic.
    guard length > 0, length <= 64 else { return [] }
    var best = max(1, min(3, (length + 1) / 3))
    var found: [String] = []
    for candidate in candidates where candidate != word {
      // A prefix of a longer word was meant to be completed.
      let isBeginning = length >= 2 && candidate.hasPrefix(word)
      let distance = isBeginning ? 0 : distance(Array(word.utf8), Array(candidate.utf8))
      if distance < best || (distance == best && distance < length) {
        if distance < best { found = [] }
        best = distance
        found.append(candidate)
      }
    }
    return found
  }

  /// A hint with the nearest known words, if there are any.
  package static func hints(
    for word: String, among candidates: [String], prefix: String = ""
  ) -> [String] {
    let words = nearest(to: word, among: candidates).prefix(3).map { "'\(prefix)\($0)'" }
    return words.isEmpty ? [] : ["did you mean \(words.joined(separator: " or "))?"]
  }

  /// The number of typing errors between two words.
  ///
  /// - Complexity: O(*n* × *m*).
  package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for i in 0..<left.count {
      var row = [i + 1]
      for j in 0..<right.count {
        var cost = min(last[j] + (left[i] == right[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
