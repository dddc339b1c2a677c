// The values of a JSON text one by one, without keeping the whole text: the elements of an array, or values separated
// by white space, of which NDJSON is one case.
//
// Only brackets and strings are examined here, to find the end of a value; afterwards the scanner checks each value.
//
// Whoever asks for all of it (`ImportManner.told`) gets damage as a value, too: see ValueReader+Told.swift.

internal import CanonicalJSON
package import RedoObject
package import RedoStore

/// Splits a stream into values.
package struct ValueReader: ~Copyable {
  /// A place where the stream cannot be split any further.
  package struct Malformed {
    /// What is wrong.
    package let rule: Rule
    /// Where.
    package let offset: Int
    /// The first byte of the value that it is about.
    package let start: Int
  }

  enum Form { case unknown, array, values, lines, ended }
  enum End {
    case whole(Int)
    case malformed(Rule, at: Int)
  }

  var source: ImportBytes
  var buffer: [UInt8] = []
  /// The next byte to look at.
  var position = 0
  /// The offset of the buffer's first byte in the stream.
  var base = 0
  var isAtEnd = false
  var form = Form.unknown
  var needsComma = false
  var number = 0
  /// How many values are handed out together.
  let batchCount: Int
  let manner: ImportManner
  /// Whether the next value is looked for after damage.
  var isSearching = false
  /// Whether the values are the elements of an array.
  var isArray = false
  /// Whether a value went over more than one line.
  var hasLongValue = false
  /// How many lines have ended, and up to which byte of the stream that has been counted.
  var lines = 0
  var counted = 0
  /// What is known of where brackets close, and the ends of what was taken for whole and of which a part is looked at.
  private var readings: [BracketReading] = []
  private var around: [Int] = []
  /// Up to which byte of the stream damage has been told of.
  var toldTo = 0
  /// How many bytes have been looked at to find the ends of values, and whether these are nodes after damage.
  var examinedBytes = 0

  /// Of a CAR file, the roots that have not come yet, and the block that comes next.
  var roots: Set<ObjectID> = []
  var held: CARBlock?

  /// How many bytes are read at a time.
  private static let stepBytes = 1 << 18
  /// The number of bytes after which a batch is full.
  static let batchBytes = 8 << 20
  /// How deep a node is looked for in values that are none: each level is read again.
  private static let nestingLimit = 16

  /// - Parameters:
  ///   - descriptor: where to read.
  ///   - name: its name in messages.
  ///   - manner: what becomes of damage; if it is salvaged, values are returned one by one, so that the reader can go
  ///     back to the beginning of a damaged one.
  package init(descriptor: Int32, name: String, _ manner: ImportManner) {
    source = ImportBytes(descriptor, name)
    self.manner = manner
    batchCount = manner == .salvaging ? 1 : 4096
  }

  /// The first bytes of the stream.
  mutating func peek(_ count: Int) throws -> ArraySlice<UInt8> {
    while buffer.count - position < count {
      // Whoever sends lines may wait for the answer to a short one.
      if manner == .toldLines, buffer.contains(UInt8(ascii: "\n")) { break }
      if try !fill() { break }
    }
    return buffer[position..<min(buffer.count, position + count)]
  }

  /// Hands on the rest of the stream as it is.
  mutating func drain(_ body: ([UInt8]) throws -> Void) throws {
    repeat {
      try body(Array(buffer[position...]))
      position = buffer.count
    } while try fill()
  }

  /// Reads the next values.
  ///
  /// - Parameter malformed: receives the place where the stream cannot be split; nothing follows until a search.
  /// - Returns: at least one value; `nil` at the end.
  /// - Throws: `InputError` when the descriptor cannot be read.
  package mutating func next(_ malformed: inout Malformed?) throws -> RecordBatch? {
    if manner.isTold { return try nextTold() }
    var batch = RecordBatch()
    while batch.records.count < batchCount, batch.bytes.count < Self.batchBytes,
      malformed == nil, form != .ended
    {
      guard try isSearching ? searchValue() : seekValue(&malformed) else { break }
      switch try findEnd() {
      case .whole(let end):
        number += 1
        let from = batch.bytes.count
        batch.bytes += buffer[position..<end]
        batch.records.append(
          LineRecord(
            range: from..<batch.bytes.count, offset: base + position, byteCount: end - position,
            number: number, state: .complete))
        position = end
        needsComma = true
      case .malformed(let rule, at: let index):
        malformed =
          earlierDamage(before: index)
          ?? Malformed(rule: rule, offset: base + index, start: base + position)
      }
    }
    return batch.records.isEmpty ? nil : batch
  }

  /// Damage that the scanner finds in a value before the place where its end was looked for in vain.
  private func earlierDamage(before end: Int) -> Malformed? {
    guard !isSearching else { return nil }
    var scanner = Scanner()
    do throws(JSONError) {
      try scanner.scan(buffer.span.extracting(position..<min(end, buffer.count)))
    } catch {
      guard position + error.offset < end, let rule = Rule(rawValue: error.rule.rawValue) else {
        return nil
      }
      return Malformed(
        rule: rule, offset: base + position + error.offset, start: base + position)
    }
    return nil
  }

  /// Looks for the next value after the beginning of a damaged one: a `{` that is not the value of a member.
  ///
  /// - Parameter start: the first byte of the value returned last, or of the malformed one.
  package mutating func search(behind start: Int) {
    position = min(max(start - base + 1, 0), buffer.count)
    isSearching = true
    form = .values
  }

  /// Accepts the value returned last as intact, and continues after it.
  mutating func endSearch() { isSearching = false }

  mutating func searchValue() throws -> Bool {
    while true {
      while position < buffer.count {
        if buffer[position] == UInt8(ascii: "{"), beginsValue(position) { return true }
        position += 1
      }
      if try !fill() { return false }
    }
  }

  /// Whether a `{` may begin a node: one after a colon is the value of a member.
  private func beginsValue(_ place: Int) -> Bool {
    var index = place - 1
    while index >= 0 {
      switch buffer[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index -= 1
      default: return buffer[index] != UInt8(ascii: ":")
      }
    }
    return true
  }

  /// Skips white space and, in an array, the separators between elements.
  mutating func seekValue(_ malformed: inout Malformed?) throws -> Bool {
    while true {
      guard try skipSpace() else {
        if form == .array { malformed = here(.jsonSyntax) }
        return false
      }
      let byte = buffer[position]
      switch form {
      case .unknown:
        isArray = byte == UInt8(ascii: "[")
        form = isArray ? .array : .values
        if isArray { position += 1 }
      case .array:
        return try seekElement(byte, &malformed)
      case .values:
        // After a search in an array, the rest of the array's punctuation is skipped.
        guard isArray, needsComma, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") else {
          return true
        }
        position += 1
      case .lines, .ended: return false
      }
    }
  }

  private mutating func seekElement(
    _ byte: UInt8, _ malformed: inout Malformed?
  ) throws -> Bool {
    if byte == UInt8(ascii: "]") {
      position += 1
      form = .ended
      if try skipSpace() { malformed = here(.jsonTrailing) }
      return false
    }
    guard needsComma else {
      if byte == UInt8(ascii: ",") { malformed = here(.jsonSyntax) }
      return malformed == nil
    }
    guard byte == UInt8(ascii: ",") else {
      malformed = here(.jsonSyntax)
      return false
    }
    position += 1
    needsComma = false
    guard try skipSpace(), buffer[position] != UInt8(ascii: "]"),
      buffer[position] != UInt8(ascii: ",")
    else {
      malformed = here(.jsonSyntax)
      return false
    }
    return true
  }

  private func here(_ rule: Rule) -> Malformed {
    Malformed(rule: rule, offset: base + position, start: base + position)
  }

  mutating func skipSpace() throws -> Bool {
    while true {
      while position < buffer.count {
        switch buffer[position] {
        case 0x20, 0x09, 0x0A, 0x0D: position += 1
        default: return true
        }
      }
      if try !fill() { return false }
    }
  }

  /// Finds the position after the last byte of the value that begins here, reading more as needed.
  ///
  /// The search gives up as soon as the value cannot be valid. Where damage does not end the input, no byte is read more
  /// than twice, whatever the text is.
  mutating func findEnd() throws -> End {
    let isBracket = buffer[position] == UInt8(ascii: "{") || buffer[position] == UInt8(ascii: "[")
    if manner != .whole, isBracket { return try findNotedEnd() }
    var state = EndSearch()
    var index = position
    defer { examinedBytes += index - position }
    while true {
      let count = buffer.count
      // SAFETY: the scan is given the bytes below the count of the buffer.
      let end = unsafe buffer.withUnsafeBufferPointer { unsafe state.scan($0.span, &index) }
      if case .whole(let end) = end {
        guard end - position <= Node.byteLimit else { return .malformed(.nodeSize, at: position) }
        return .whole(max(end, position + 1))
      }
      if let end { return end }
      if count - position > Node.byteLimit { return .malformed(.nodeSize, at: position) }
      let before = base
      if try !fill() {
        // A number or word needs nothing after it.
        return state.isOutside ? .whole(buffer.count) : .malformed(.jsonSyntax, at: buffer.count)
      }
      index -= base - before
    }
  }

  /// The same of a bracket, after what is known of it.
  private mutating func findNotedEnd() throws -> End {
    let start = base + position
    around.removeAll { $0 <= start }
    guard around.count < Self.nestingLimit else { return .malformed(.jsonDepth, at: position) }
    var known: Int?
    for place in readings.indices where readings[place].seek(start) { known = place }
    var reading = known.map { readings.remove(at: $0) } ?? BracketReading(at: start)
    readings.removeAll(where: \.isOver)
    defer { readings.append(reading) }
    while true {
      let before = reading.offset
      reading.read(buffer.span, base: base, isLast: isAtEnd)
      examinedBytes += reading.offset - before
      switch reading.end {
      case nil: _ = try fill()
      case .whole(let end):
        around.append(end)
        return .whole(end - base)
      case .malformed(let rule, at: let offset): return .malformed(rule, at: offset - base)
      }
    }
  }

  /// What is open at a position in a value.
  private struct EndSearch {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var hasBegun = false

    /// Whether nothing is open.
    var isOutside: Bool { depth == 0 && !isInString }

    /// Goes on to the end of the value, or of the bytes.
    mutating func scan(_ bytes: Span<UInt8>, _ index: inout Int) -> End? {
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if isInString {
          if byte < 0x20 { return .malformed(.jsonSyntax, at: index - 1) }
          if isEscaped {
            isEscaped = false
          } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
          } else if byte == UInt8(ascii: "\"") {
            isInString = false
            if depth == 0 { return .whole(index) }
          }
          continue
        }
        let isFirst = !hasBegun
        hasBegun = true
        switch byte {
        case UInt8(ascii: "\\"): return .malformed(.jsonSyntax, at: index - 1)
        case UInt8(ascii: "\"") where depth > 0 || isFirst: isInString = true
        case UInt8(ascii: "{") where depth > 0 || isFirst,
          UInt8(ascii: "[") where depth > 0 || isFirst:
          depth += 1
          if depth > Scanner.depthLimit { return .malformed(.jsonDepth, at: index - 1) }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          if depth == 0 { return .whole(index) }
          if depth < 0 { return .whole(index - 1) }
        case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["):
          // Nothing begins in the middle of a word.
          return .malformed(.jsonSyntax, at: index - 1)
        case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
          if depth == 0 { return .whole(index - 1) }
        default: break
        }
      }
      return nil
    }
  }

  /// Reads more; returns whether there was any.
  mutating func fill() throws -> Bool {
    if isAtEnd { return false }
    if position > Self.stepBytes {
      countLines()
      // What precedes a value tells a search whether it is one.
      let dropped = position - 64
      buffer.removeFirst(dropped)
      base += dropped
      position -= dropped
    }
    isAtEnd = try source.append(atMost: Self.stepBytes, to: &buffer) == 0
    return !isAtEnd
  }
}
