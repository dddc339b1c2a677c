// A strict scanner of JSON texts: RFC 8259 with the refusals of protocol section 1.2.
//
// One pass over the bytes fills the token tape, refuses what is to be refused, and finds out on the
// way whether the text is already its own RFC 8785 form, in which case nothing is ever rebuilt.
// There is no recursion: open containers are on a stack of fixed size.

/// What becomes of an integer that a double cannot carry exactly.
package enum IntegerPrecision: Sendable {
  /// It is refused, as the protocol wants.
  case exact
  /// It is accepted: somebody else's text, whose integers are read from their digits.
  case any
}

/// Scans JSON texts one after another, keeping its memory.
@usableFromInline
package struct Scanner: ~Copyable {
  /// How deep objects and arrays may be nested; the outermost counts 1.
  package static let depthLimit = 512
  /// The longest text in bytes: offsets are kept in 32 bits.
  package static let textLimit = Int(UInt32.max) - 1

  /// Whether the scanned text is byte for byte its own RFC 8785 form.
  package private(set) var isCanonical = false

  @usableFromInline private(set) var tape = Tape()
  private var stack = Stack()
  /// The length of the text that the tokens are of.
  @usableFromInline private(set) var textCount = 0

  /// What becomes of an integer that a double cannot carry exactly.
  let integers: IntegerPrecision

  /// A scanner that has not scanned anything.
  ///
  /// - Parameter integers: what becomes of an integer that a double cannot carry exactly.
  package init(integers: IntegerPrecision = .exact) { self.integers = integers }

  deinit { tape.deallocate() }

  /// The number of values and names of the scanned text; 0 after a refusal.
  package var count: Int { tape.count }

  /// The whole value of the text that was scanned last.
  ///
  /// - Parameter text: the same bytes that were scanned.
  /// - Returns: the value, which lives as long as the text and until the next scan.
  @inlinable
  @_lifetime(borrow self, copy text)
  package borrowing func root(of text: Span<UInt8>) -> JSONValue {
    requireScanned(text)
    // SAFETY: the tape keeps its tokens until the next scan, which needs exclusive access to self.
    let tokens = unsafe _overrideLifetime(
      Span(_unsafeStart: tape.storage, count: tape.count), borrowing: self)
    return JSONValue(text, tokens, 0)
  }

  /// Scans one text, white space around it included.
  ///
  /// - Parameter text: the bytes; at most `textLimit`.
  /// - Throws: `JSONError` with the first refusal and its byte offset; equal names that are not
  ///   neighbours are looked for when nothing else is wrong.
  /// - Complexity: O(*n*), and O(*m* log *m*) for an object whose *m* members are not in order.
  package mutating func scan(_ text: Span<UInt8>) throws(JSONError) {
    precondition(text.count <= Self.textLimit, "BUG: text of 4 GiB or more")
    isCanonical = false
    textCount = text.count
    do throws(JSONError) {
      try withBytes(of: text) { bytes throws(JSONError) in
        try self.scan(bytes)
      }
    } catch {
      tape.removeAll()
      throw error
    }
  }

  /// Tokens lead into their own text only, which is read without further checks.
  @inlinable
  func requireScanned(_ text: Span<UInt8>) {
    precondition(tape.count > 0 && text.count == textCount, "BUG: not the text that was scanned")
  }

  private mutating func scan(_ text: ByteView) throws(JSONError) {
    tape.removeAll()
    let count = text.count
    if count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF {
      throw JSONError(.byteOrderMark, at: 0)
    }
    var canonical = true
    var hasUnordered = false
    var depth = 0
    var index = 0

    value: while true {
      skipSpace(text, &index, &canonical)
      guard index < count else { throw JSONError(.syntax, at: count) }
      switch text[index] {
      case UInt8(ascii: "\""):
        let start = index + 1
        var end = start
        let marks = try scanString(text, &end, &canonical)
        _ = tape.append(.string, start: start, end: end, marks: marks)
        index = end + 1
      case UInt8(ascii: "{"):
        guard depth < Self.depthLimit else { throw JSONError(.depth, at: index) }
        let token = tape.append(.object, start: index, end: index)
        stack[depth] = OpenContainer(token: UInt32(token), lastName: 0, isObject: true)
        depth += 1
        index += 1
        skipSpace(text, &index, &canonical)
        if index < count, text[index] == UInt8(ascii: "}") { break }
        try scanName(text, &index, depth - 1, &canonical, &hasUnordered)
        continue value
      case UInt8(ascii: "["):
        guard depth < Self.depthLimit else { throw JSONError(.depth, at: index) }
        let token = tape.append(.array, start: index, end: index)
        stack[depth] = OpenContainer(token: UInt32(token), lastName: 0, isObject: false)
        depth += 1
        index += 1
        skipSpace(text, &index, &canonical)
        if index < count, text[index] == UInt8(ascii: "]") { break }
        continue value
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        let start = index
        try scanNumber(text, &index, &canonical)
        _ = tape.append(.number, start: start, end: index)
      case UInt8(ascii: "t"):
        try scanLiteral("true", .literalTrue, text, &index)
      case UInt8(ascii: "f"):
        try scanLiteral("false", .literalFalse, text, &index)
      case UInt8(ascii: "n"):
        try scanLiteral("null", .null, text, &index)
      default:
        throw Self.refusal(of: text, at: index)
      }

      // A value has ended, or a container that has just been opened is empty.
      while depth > 0 {
        skipSpace(text, &index, &canonical)
        guard index < count else { throw JSONError(.syntax, at: count) }
        let byte = text[index]
        let frame = stack[depth - 1]
        if byte == UInt8(ascii: ",") {
          index += 1
          guard frame.isObject else { continue value }
          skipSpace(text, &index, &canonical)
          try scanName(text, &index, depth - 1, &canonical, &hasUnordered)
          continue value
        }
        guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw Self.refusal(of: text, at: index)
        }
        index += 1
        tape.close(Int(frame.token), at: index)
        depth -= 1
      }
      break value
    }

    skipSpace(text, &index, &canonical)
    guard index == count else { throw JSONError(.trailing, at: index) }
    if hasUnordered { try refuseDuplicateNames(text) }
    isCanonical = canonical
  }

  /// Scans a member's name and its colon, and compares it with the name before it.
  @inline(__always)
  private mutating func scanName(
    _ text: ByteView, _ index: inout Int, _ frame: Int, _ canonical: inout Bool,
    _ hasUnordered: inout Bool
  ) throws(JSONError) {
    guard index < text.count else { throw JSONError(.syntax, at: text.count) }
    guard text[index] == UInt8(ascii: "\"") else { throw Self.refusal(of: text, at: index) }
    let start = index + 1
    var end = start
    let marks = try scanString(text, &end, &canonical)
    let token = tape.append(.string, start: start, end: end, marks: marks)
    index = end + 1
    let last = Int(stack[frame].lastName)
    if last != 0 {
      switch NameOrder.compare(tape[last], tape[token], in: text) {
      case .ascending: break
      case .equal: throw JSONError(.duplicateName, at: start - 1)
      case .descending:
        tape.mark(Int(stack[frame].token), .unordered)
        canonical = false
        hasUnordered = true
      }
    }
    stack[frame].lastName = UInt32(truncatingIfNeeded: token)
    skipSpace(text, &index, &canonical)
    guard index < text.count else { throw JSONError(.syntax, at: text.count) }
    guard text[index] == UInt8(ascii: ":") else { throw Self.refusal(of: text, at: index) }
    index += 1
  }

  @inline(__always)
  private func skipSpace(_ text: ByteView, _ index: inout Int, _ canonical: inout Bool) {
    guard index < text.count, text[index] <= 0x20 else { return }
    while index < text.count {
      switch text[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
      canonical = false
    }
  }

  private mutating func scanLiteral(
    _ word: StaticString, _ kind: JSONKind, _ text: ByteView, _ index: inout Int
  ) throws(JSONError) {
    let start = index
    // SAFETY: reads the bytes of a literal, below its count.
    let letters = unsafe UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    for offset in 0..<letters.count {
      guard index < text.count else { throw JSONError(.syntax, at: text.count) }
      guard unsafe text[index] == letters[offset] else { throw Self.refusal(of: text, at: index) }
      index += 1
    }
    _ = tape.append(kind, start: start, end: index)
  }

  /// A byte outside of a string that is not allowed here: ill-formed UTF-8, or just not JSON.
  static func refusal(of text: ByteView, at index: Int) -> JSONError {
    var end = index
    let isText = text[index] < 0x80 || UTF8Sequence.skip(text, &end)
    return JSONError(isText ? .syntax : .utf8, at: index)
  }

  /// Names that do not ascend may be equal without being neighbours: sort, then compare neighbours.
  private func refuseDuplicateNames(_ text: ByteView) throws(JSONError) {
    var found: Int?
    for index in 0..<tape.count
    where tape[index].kind == .object && tape[index].marks.contains(.unordered) {
      let names = sortedNames(of: index, in: text)
      for position in names.indices.dropFirst() {
        let left = names[position - 1]
        let right = names[position]
        guard NameOrder.compare(tape[left], tape[right], in: text) == .equal else { continue }
        let offset = max(tape[left].outerRange.lowerBound, tape[right].outerRange.lowerBound)
        found = min(found ?? offset, offset)
      }
    }
    if let found { throw JSONError(.duplicateName, at: found) }
  }

  /// The token indices of an object's names in RFC 8785 order; equal ones as in the text.
  func sortedNames(of object: Int, in text: ByteView) -> [Int] {
    var names: [Int] = []
    var index = object + 1
    let end = Int(tape[object].next)
    while index < end {
      names.append(index)
      index = Int(tape[index + 1].next)
    }
    guard tape[object].marks.contains(.unordered) else { return names }
    // Equal names keep their order, so that the second of two is the later one.
    names.sort { left, right in
      switch NameOrder.compare(tape[left], tape[right], in: text) {
      case .ascending: true
      case .descending: false
      case .equal: left < right
      }
    }
    return names
  }
}

/// An open container.
struct OpenContainer {
  /// Its token.
  var token: UInt32
  /// The token of the name scanned last, 0 before the first.
  var lastName: UInt32
  /// Whether it is an object rather than an array.
  var isObject: Bool
}

/// The open containers, at most `Scanner.depthLimit`.
@safe
struct Stack: ~Copyable {
  private let storage: UnsafeMutablePointer<OpenContainer>

  init() {
    unsafe storage = .allocate(capacity: Scanner.depthLimit)
    unsafe storage.initialize(
      repeating: OpenContainer(token: 0, lastName: 0, isObject: false), count: Scanner.depthLimit)
  }

  deinit { unsafe storage.deallocate() }

  @inline(__always)
  subscript(index: Int) -> OpenContainer {
    get {
      assert(index >= 0 && index < Scanner.depthLimit, "BUG: stack index")
      return unsafe storage[index]
    }
    nonmutating set {
      assert(index >= 0 && index < Scanner.depthLimit, "BUG: stack index")
      unsafe storage[index] = newValue
    }
  }
}
