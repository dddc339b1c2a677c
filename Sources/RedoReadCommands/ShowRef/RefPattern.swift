// Patterns of ref names, as in git-for-each-ref(1): a name, a prefix of one that ends at a
// slash, or a glob in which `*` and `?` stop at slashes (fnmatch(3) with FNM_PATHNAME, and `**`).

internal import RedoRepository
internal import RedoShell

/// One pattern.
struct RefPattern: Sendable {
  private let pattern: [UInt8]
  /// The literal prefix of every name that matches.
  let literal: [UInt8]
  private let isGlob: Bool

  /// The pattern written as a text.
  init(_ text: String) {
    pattern = Array(text.utf8)
    let special: [UInt8] = Array("*?[\\".utf8)
    literal = Array(pattern.prefix { !special.contains($0) })
    isGlob = literal.count < pattern.count
  }

  /// Whether a name matches.
  func matches(_ name: [UInt8]) -> Bool {
    if isGlob { return Self.matches(pattern[...], name[...]) }
    guard name.starts(with: pattern) else { return false }
    return name.count == pattern.count || pattern.isEmpty || pattern.last == Self.slash
      || name[pattern.count] == Self.slash
  }

  /// The common literal prefix of all names that match one of some patterns.
  static func commonPrefix(of patterns: [RefPattern]) -> [UInt8] {
    guard var common = patterns.first?.literal else { return [] }
    for pattern in patterns.dropFirst() {
      common = zip(common, pattern.literal).prefix { $0 == $1 }.map(\.0)
    }
    // Two prefixes may differ in the middle of a character.
    return Array(common.prefix { $0 < 0x80 })
  }

  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")

  /// A place to go back to: of a star that stops at slashes, or of one that does not.
  private struct Star {
    var pattern: Int
    var name: Int
  }

  /// Matches without recursion; for each of the two kinds of stars, the last place is remembered.
  private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
    var (p, n) = (pattern.startIndex, name.startIndex)
    var single: Star?
    var double: Star?
    while true {
      if p < pattern.endIndex, pattern[p] == star {
        var end = p
        while end < pattern.endIndex, pattern[end] == star { end += 1 }
        if end - p >= 2 {
          // `**/` also matches nothing at all; `**` matches anything, including slashes.
          if end < pattern.endIndex, pattern[end] == slash,
            n == name.startIndex || name[n - 1] == slash,
            matches(pattern[(end + 1)...], name[n...])
          {
            return true
          }
          double = Star(pattern: end, name: n)
          single = nil
        } else {
          single = Star(pattern: end, name: n)
        }
        p = end
        continue
      }
      if n == name.endIndex {
        if p == pattern.endIndex { return true }
      } else if p < pattern.endIndex, let next = element(pattern, p, name[n]) {
        p = next
        n += 1
        continue
      }
      if let place = single, place.name < name.endIndex, name[place.name] != slash {
        single = Star(pattern: place.pattern, name: place.name + 1)
        (p, n) = (place.pattern, place.name + 1)
      } else if let place = double, place.name < name.endIndex {
        single = nil
        double = Star(pattern: place.pattern, name: place.name + 1)
        (p, n) = (place.pattern, place.name + 1)
      } else {
        return false
      }
    }
  }

  /// The place after an element of a pattern that matches a byte; `nil` when it does not match.
  private static func element(
    _ pattern: ArraySlice<UInt8>, _ place: Int, _ byte: UInt8
  ) -> Int? {
    switch pattern[place] {
    case UInt8(ascii: "?"): return byte == slash ? nil : place + 1
    case UInt8(ascii: "["): return bracket(pattern, place + 1, byte)
    case UInt8(ascii: "\\"):
      guard place + 1 < pattern.endIndex else { return nil }
      return pattern[place + 1] == byte ? place + 2 : nil
    default: return pattern[place] == byte ? place + 1 : nil
    }
  }

  /// Matches `[a-z]`, `[!a-z]` or `[^a-z]`; an unclosed bracket matches nothing.
  private static func bracket(
    _ pattern: ArraySlice<UInt8>, _ start: Int, _ byte: UInt8
  ) -> Int? {
    var place = start
    var isNegated = false
    if place < pattern.endIndex,
      pattern[place] == UInt8(ascii: "!") || pattern[place] == UInt8(ascii: "^")
    {
      isNegated = true
      place += 1
    }
    var isMatched = false
    let first = place
    while place < pattern.endIndex {
      if pattern[place] == UInt8(ascii: "]"), place > first {
        return isMatched != isNegated && byte != slash ? place + 1 : nil
      }
      let low = pattern[place]
      var high = low
      if place + 2 < pattern.endIndex, pattern[place + 1] == UInt8(ascii: "-"),
        pattern[place + 2] != UInt8(ascii: "]")
      {
        high = pattern[place + 2]
        place += 2
      }
      if low <= byte, byte <= high { isMatched = true }
      place += 1
    }
    return nil
  }
}
