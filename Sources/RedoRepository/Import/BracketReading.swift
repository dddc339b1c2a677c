// Where the brackets of a text close that may be damaged.
//
// After damage any `{` may begin a node, and reading on from each of them to where it ends would read a hostile text as
// often as it has brackets. So a reading notes the end of every bracket that it passes, and goes on where it stopped when
// it is asked for the next one. It takes its first byte to be outside of strings; a bracket that it took for a part of a
// string, because of damage before, begins a reading of its own. At most two are on their way at any byte: one of them is
// in a string wherever the other one is not, because a backslash outside of strings ends a reading.

internal import CanonicalJSON
internal import RedoObject

/// One reading of the brackets of a text.
///
/// All offsets are those of the stream.
struct BracketReading {
  private struct Opening {
    let offset: Int
    /// The end of its value, once it is known.
    var end: ValueReader.End?
  }

  private var openings: [Opening] = []
  /// The first opening that may still be asked for.
  private var next = 0
  /// The openings that have not been closed, by their places; those before `outermost` are of no interest any more.
  private var open: [Int] = []
  private var outermost = 0
  private var isInString = false
  private var isEscaped = false
  /// The next byte to read.
  private(set) var offset: Int

  /// Passed openings are forgotten together, once they are the most, so that it costs little for each.
  private static let forgottenCount = 4096

  /// A reading from a bracket on.
  init(at offset: Int) {
    self.offset = offset
    open(at: offset)
    self.offset += 1
  }

  /// Whether it has nothing to say of what follows the last place that was sought.
  var isOver: Bool { next == openings.count }

  /// The end of the bracket that was sought last; `nil` when more has to be read.
  var end: ValueReader.End? { openings[next].end }

  /// Looks for a bracket, and forgets those before it.
  ///
  /// - Returns: whether one opens there.
  mutating func seek(_ offset: Int) -> Bool {
    while next < openings.count, openings[next].offset < offset { next += 1 }
    while outermost < open.count, open[outermost] < next { outermost += 1 }
    if next >= Self.forgottenCount, 2 * next >= openings.count {
      openings.removeFirst(next)
      open.removeFirst(outermost)
      for place in open.indices { open[place] -= next }
      next = 0
      outermost = 0
    }
    return next < openings.count && openings[next].offset == offset
  }

  /// Reads on until the end of the bracket that was sought is known, or the bytes end.
  ///
  /// - Parameters:
  ///   - bytes: a part of the stream.
  ///   - base: the offset of the first of them.
  ///   - isLast: whether the stream ends with them.
  mutating func read(_ bytes: Span<UInt8>, base: Int, isLast: Bool) {
    while openings[next].end == nil {
      guard offset - base < bytes.count else {
        if isLast { fail(.malformed(.jsonSyntax, at: offset)) }
        return
      }
      if offset - openings[open[outermost]].offset >= Node.byteLimit {
        failOutermost(.nodeSize, at: openings[open[outermost]].offset)
        continue
      }
      let byte = bytes[offset - base]
      if isInString {
        guard byte >= 0x20 else { return fail(.malformed(.jsonSyntax, at: offset)) }
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): open(at: offset)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          openings[open.removeLast()].end = .whole(offset + 1)
        case UInt8(ascii: "\\"): return fail(.malformed(.jsonSyntax, at: offset))
        default: break
        }
      }
      offset += 1
    }
  }

  private mutating func open(at offset: Int) {
    open.append(openings.count)
    openings.append(Opening(offset: offset))
    if open.count - outermost > Scanner.depthLimit { failOutermost(.jsonDepth, at: offset) }
  }

  private mutating func failOutermost(_ rule: Rule, at place: Int) {
    openings[open[outermost]].end = .malformed(rule, at: place)
    outermost += 1
  }

  /// Nothing that is open can end any more.
  private mutating func fail(_ end: ValueReader.End) {
    for place in open[outermost...] { openings[place].end = end }
    open.removeAll()
    outermost = 0
  }
}
