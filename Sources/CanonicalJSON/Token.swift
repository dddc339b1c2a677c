// The parse tree of a JSON text, flat: one token for each value and each member name, in the order
// of the text. An object's token is followed by its members, each a name and a value; an array's
// token by its elements. `next` leads past a value with all it contains, so no walk recurses.
//
// `@usableFromInline` lets `package` functions be inlined in other modules: without it the compiler
// leaves a call for each look at a token.

/// One value or member name of a scanned text.
@usableFromInline
struct Token: Sendable {
  /// Marks of a token.
  @usableFromInline
  struct Marks: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8
    @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The string contains at least one backslash escape.
    static let escaped = Marks(rawValue: 1)
    /// The members of the object are not in ascending order.
    static let unordered = Marks(rawValue: 2)
  }

  /// The first byte: of a string the one after the opening quote.
  @usableFromInline var start: UInt32
  /// One past the last byte: of a string the closing quote.
  @usableFromInline var end: UInt32
  /// The index of the token after this value and all it contains.
  @usableFromInline var next: UInt32
  /// What it is.
  @usableFromInline var kind: JSONKind
  /// Its marks.
  @usableFromInline var marks: Marks

  /// The bytes of the value; of a string those between the quotes.
  @inlinable
  var range: Range<Int> { Int(start)..<Int(end) }

  /// The bytes of the value as they are in the text, quotes included.
  @inlinable
  var outerRange: Range<Int> {
    kind == .string ? Int(start) - 1..<Int(end) + 1 : Int(start)..<Int(end)
  }
}

/// A growing list of tokens that keeps its memory from one text to the next.
///
/// An `Array` would check uniqueness at each append, in the hottest loop of the suite. No `deinit`
/// of its own: the compiler (6.3.1) cannot make one that other modules may inline.
@safe
@usableFromInline
struct Tape {
  @usableFromInline private(set) var storage: UnsafeMutablePointer<Token>
  private var capacity: Int
  @usableFromInline private(set) var count = 0

  init() {
    capacity = 256
    unsafe storage = .allocate(capacity: capacity)
  }

  /// Gives the memory back; the owner does this once, as its last act.
  func deallocate() {
    // SAFETY: tokens are trivial values, so there is nothing to deinitialise.
    unsafe storage.deallocate()
  }

  @inline(__always)
  mutating func removeAll() { count = 0 }

  /// Appends a token that ends where it starts and gives its index.
  @inline(__always)
  mutating func append(_ kind: JSONKind, start: Int, end: Int, marks: Token.Marks = []) -> Int {
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
  @inlinable
  subscript(index: Int) -> Token {
    @inline(__always)
    get {
      precondition(index >= 0 && index < count, "BUG: no such token")
      return unsafe storage[index]
    }
  }

  /// Ends a container, whose token was appended before all it contains.
  @inline(__always)
  mutating func close(_ index: Int, at end: Int) {
    precondition(index >= 0 && index < count, "BUG: no such token")
    unsafe storage[index].end = UInt32(truncatingIfNeeded: end)
    unsafe storage[index].next = UInt32(truncatingIfNeeded: count)
  }

  /// Adds a mark to a token.
  @inline(__always)
  mutating func mark(_ index: Int, _ mark: Token.Marks) {
    precondition(index >= 0 && index < count, "BUG: no such token")
    unsafe storage[index].marks.insert(mark)
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
