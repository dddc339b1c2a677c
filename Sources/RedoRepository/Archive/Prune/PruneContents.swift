// What many archives hold, as sets of small numbers: each archive is read once, and what would be lost without it is
// decided from these sets.

internal import RedoCrypto
internal import RedoObject

/// Numbers for the nodes of archives, one for each id and signature.
struct PruneContents {
  /// The node of each number.
  private(set) var ids: [ObjectID] = []
  /// A hash of the signature of each number; 0 for none.
  private var marks: [UInt64] = []
  /// The first number of each node.
  private var first: [ObjectID: Int32] = [:]
  /// The further ones of nodes of which archives have several signatures.
  private var others: [ObjectID: [Int32]] = [:]
  /// The numbers of what documents beside archives say.
  private var statements: [Digest: Int32] = [:]

  /// The number of a node with its signature.
  mutating func number(of id: ObjectID, _ signature: Signature?) -> Int {
    let mark = Self.mark(signature)
    guard let number = first[id] else {
      first[id] = add(id, mark)
      return ids.count - 1
    }
    if marks[Int(number)] == mark { return Int(number) }
    if let other = others[id]?.first(where: { marks[Int($0)] == mark }) { return Int(other) }
    others[id, default: []].append(add(id, mark))
    return ids.count - 1
  }

  private mutating func add(_ id: ObjectID, _ mark: UInt64) -> Int32 {
    ids.append(id)
    marks.append(mark)
    return Int32(ids.count - 1)
  }

  /// The number of what a document says.
  mutating func number(of statement: Digest) -> Int {
    if let number = statements[statement] { return Int(number) }
    let number = statements.count
    statements[statement] = Int32(number)
    return number
  }

  /// Whether a set has a node, with whatever signature.
  func contains(_ id: ObjectID, in set: NumberSet) -> Bool {
    guard let number = first[id] else { return false }
    return set.contains(Int(number)) || others[id]?.contains { set.contains(Int($0)) } ?? false
  }

  /// The numbers of one set for which another one has no substitute; for a node without a signature any copy is one.
  func missing(of set: NumberSet, in other: NumberSet) -> [Int] {
    set.subtracting(other).filter { marks[$0] != 0 || !contains(ids[$0], in: other) }
  }

  /// Whether a signature is the one of a number, or as good as it.
  func isCopy(_ signature: Signature?, of number: Int) -> Bool {
    marks[number] == 0 || Self.mark(signature) == marks[number]
  }

  private static func mark(_ signature: Signature?) -> UInt64 {
    guard let signature else { return 0 }
    let digest = SHA256.digest(of: signature.bytes.span)
    return (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(digest.bytes[$1]) } | 1
  }
}

/// A set of small numbers, a bit for each.
struct NumberSet: Sendable {
  private var words: [UInt64] = []

  mutating func insert(_ number: Int) {
    let word = number / 64
    if word >= words.count {
      words += [UInt64](repeating: 0, count: word + 1 - words.count)
    }
    words[word] |= 1 << UInt64(number % 64)
  }

  mutating func formUnion(_ other: NumberSet) {
    if other.words.count > words.count {
      words += [UInt64](repeating: 0, count: other.words.count - words.count)
    }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  func contains(_ number: Int) -> Bool {
    number / 64 < words.count && words[number / 64] & (1 << UInt64(number % 64)) != 0
  }

  /// The numbers that another set does not have, ascending.
  func subtracting(_ other: NumberSet) -> [Int] {
    var numbers: [Int] = []
    for (index, word) in words.enumerated() {
      var left = index < other.words.count ? word & ~other.words[index] : word
      while left != 0 {
        numbers.append(index * 64 + left.trailingZeroBitCount)
        left &= left - 1
      }
    }
    return numbers
  }
}
