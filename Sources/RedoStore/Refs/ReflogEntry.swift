// One change of refs, as the journal and the reflog keep it:
//
//   entry <n> <time, ms since 1970> <received bytes after it>
//   - sha256:<hex> <name>       removals, sorted by name, then id
//   + sha256:<hex> <name>       additions, the same
//   message <one line, escaped>  and one byte more than need be, if its nodes were written in this store
//   chain <SHA-256 hex of: previous chain hex + all payload bytes before this line>
//
// Redo 0.1 knows these lines and no others, and reads a byte that is escaped without need as any other. Stores of a time between
// have `written` for `message` instead, which is read as well.

package import RedoCrypto

/// One change of any number of refs.
package struct ReflogEntry: Sendable {
  /// Its number, from 1.
  package let number: Int
  /// When it was made, in milliseconds since 1970.
  package let milliseconds: Int64
  /// The bytes of `received` that count after it.
  package let receivedBytes: Int
  /// What is removed.
  package let removals: [Ref]
  /// What is added.
  package let additions: [Ref]
  /// Why, for people.
  package let message: String
  /// Whether the nodes that it brought were written in this store, and not taken in from elsewhere.
  package let isWritten: Bool
  /// The hash of this and, through the previous chain, of all entries before it.
  package private(set) var chain: Digest = .zero

  /// An entry before it is chained; `payload(after:)` does that.
  init(
    number: Int, milliseconds: Int64, receivedBytes: Int, removals: [Ref], additions: [Ref],
    message: String, isWritten: Bool = false
  ) {
    self.number = number
    self.milliseconds = max(0, milliseconds)
    self.receivedBytes = receivedBytes
    self.removals = removals
    self.additions = additions
    self.message = message
    self.isWritten = isWritten
  }

  /// Chains the entry to the one before, and writes it.
  mutating func payload(after previous: Digest) -> [UInt8] {
    var bytes = Array("entry \(number) \(milliseconds) \(receivedBytes)\n".utf8)
    for ref in removals {
      bytes.append(contentsOf: "- ".utf8)
      ref.appendLine(to: &bytes)
    }
    for ref in additions {
      bytes.append(contentsOf: "+ ".utf8)
      ref.appendLine(to: &bytes)
    }
    bytes.append(contentsOf: "message ".utf8)
    Self.escape(message, to: &bytes, marked: isWritten)
    bytes.append(UInt8(ascii: "\n"))
    chain = Self.chain(after: previous, bytes.span)
    bytes.append(contentsOf: "chain ".utf8)
    Hex.append(chain.bytes.span, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that contain the payload.
  ///   - range: its place.
  ///   - base: the place in the file of the first of the bytes.
  ///   - previous: the chain of the entry before.
  ///   - file: the path, for messages.
  /// - Throws: corruption at the frame line, which is right before the payload.
  init(
    parsing bytes: [UInt8], in range: Range<Int>, base: Int, after previous: Digest, file: String
  ) throws(RefsError) {
    let start = base + range.lowerBound - JournalFrame.byteCount
    let wrongLine = RefsError.corrupt(file, at: start, "a record has a line out of place")
    // The chain first: it covers all the rest.
    let chainCount = 6 + 64 + 1
    guard range.count > chainCount else { throw wrongLine }
    let body = range.lowerBound..<range.upperBound - chainCount
    var tail = LineScanner(bytes, in: body.upperBound..<range.upperBound)
    guard tail.take("chain "), let chain = tail.digest(), tail.take("\n"),
      chain == Self.chain(after: previous, bytes.span.extracting(body))
    else { throw .corrupt(file, at: start, "a record has another hash than its chain says") }
    var scanner = LineScanner(bytes, in: body)
    guard scanner.take("entry "), let number = scanner.decimal(), scanner.take(" "),
      let milliseconds = scanner.decimal(), scanner.take(" "),
      let receivedBytes = scanner.decimal(), scanner.take("\n"),
      let removals = Self.refs(&scanner, "- "), let additions = Self.refs(&scanner, "+ "),
      case let isOfBetween = scanner.take("written "), isOfBetween || scanner.take("message "),
      let text = scanner.line(), scanner.isAtEnd, let message = Self.unescape(bytes[text])
    else { throw wrongLine }
    self.init(
      number: number, milliseconds: Int64(milliseconds), receivedBytes: receivedBytes,
      removals: removals, additions: additions,
      message: message.text, isWritten: isOfBetween || message.isMarked)
    self.chain = chain
  }

  private static func chain(after previous: Digest, _ body: Span<UInt8>) -> Digest {
    var text: [UInt8] = []
    Hex.append(previous.bytes.span, to: &text)
    var hash = SHA256()
    hash.update(text.span)
    hash.update(body)
    return hash.finalize()
  }

  private static func refs(_ scanner: inout LineScanner, _ sign: StaticString) -> [Ref]? {
    var refs: [Ref] = []
    while scanner.take(sign) {
      guard let ref = scanner.ref() else { return nil }
      if let last = refs.last, !(last < ref) { return nil }
      refs.append(ref)
    }
    return refs
  }

  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\")
  }

  /// Writes control bytes and the backslash as `\xNN`, and for a mark the first other byte as well.
  private static func escape(_ text: String, to output: inout [UInt8], marked: Bool) {
    var isToMark = marked
    for byte in text.utf8 {
      let isNeeded = mustBeEscaped(byte)
      if isNeeded || isToMark {
        isToMark = isToMark && isNeeded
        output.append(contentsOf: "\\x".utf8)
        JournalFrame.appendHex(Int(byte), digits: 2, to: &output)
      } else {
        output.append(byte)
      }
    }
  }

  /// The text, and whether a byte of it is escaped that need not be.
  private static func unescape(_ bytes: ArraySlice<UInt8>) -> (text: String, isMarked: Bool)? {
    var output: [UInt8] = []
    var isMarked = false
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        continue
      }
      guard rest.popFirst() == UInt8(ascii: "x"), let high = rest.popFirst().map(Hex.value),
        let low = rest.popFirst().map(Hex.value), high < 16, low < 16
      else { return nil }
      output.append(high << 4 | low)
      isMarked = isMarked || !mustBeEscaped(high << 4 | low)
    }
    return String(validating: output, as: UTF8.self).map { ($0, isMarked) }
  }
}
