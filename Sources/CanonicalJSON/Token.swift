// The parse tree of a JSON text, flat: one token for each value and each member name, in the order
// of the text. An object's token is followed by its members, each a name and a value; an array's
// token by its elements. `next` leads past a value with all it contains, so no walk recurses.

/// What a token stands for.
package enum TokenKind: UInt8, Sendable {
  case object, array, string, number, literalTrue, literalFalse, null
}

/// One value or member name of a scanned text.
package struct Token: Sendable {
  /// Marks of a token.
  package struct Marks: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The string contains at least one backslash escape.
    package static let escaped = Marks(rawValue: 1)
    /// The members of the object do not stand in ascending order.
    package static let unordered = Marks(rawValue: 2)
  }

  /// The first byte: of a string the one after the opening quote.
  package var start: UInt32
  /// One past the last byte: of a string the closing quote.
  package var end: UInt32
  /// The index of the token after this value and all it contains.
  package var next: UInt32
  /// What it is.
  package var kind: TokenKind
  /// Its marks.
  package var marks: Marks

  /// The bytes of the value; of a string those between the quotes.
  @inlinable
  package var range: Range<Int> { Int(start)..<Int(end) }

  /// The bytes of the value as it stands in the text, quotes included.
  @inlinable
  package var outerRange: Range<Int> {
    kind == .string ? Int(start) - 1..<Int(end) + 1 : Int(start)..<Int(end)
  }
}

/// A growing list of tokens that keeps its memory from one text to the next.
///
/// An `Array` would check uniqueness at each append, in the hottest loop of the suite.
@safe
struct Tape: ~Copyable {
  private var storage: UnsafeMutablePointer<Token>
  private var capacity: Int
  private(set) var count = 0

  init() {
    capacity = 256
    unsafe storage = .allocate(capacity: capacity)
  }

  deinit {
    // SAFETY: tokens are trivial values, so there is nothing to deinitialise.
    unsafe storage.deallocate()
  }

  @inline(__always)
  mutating func removeAll() { count = 0 }

  /// Appends a token that ends where it starts and gives its index.
  @inline(__always)
  mutating func append(_ kind: TokenKind, start: Int, end: Int, marks: Token.Marks = []) -> Int {
    if count == capacity { grow() }
    let index = count
    // SAFETY: index < capacity.
    unsafe (storage + index).initialize(
      to: Token(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: index + 1), kind: kind, marks: marks))
    count = index + 1
    return index
  }

  /// Reads and changes the token at an index below `count`.
  @inline(__always)
  subscript(index: Int) -> Token {
    get {
      precondition(index >= 0 && index < count, "BUG: no such token")
      return unsafe storage[index]
    }
    set {
      precondition(index >= 0 && index < count, "BUG: no such token")
      unsafe storage[index] = newValue
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Token>.allocate(capacity: capacity * 2)
    // SAFETY: both hold at least `count` tokens, and they do not overlap.
    unsafe larger.moveInitialize(from: storage, count: count)
    unsafe storage.deallocate()
    unsafe storage = larger
    capacity *= 2
  }
}
