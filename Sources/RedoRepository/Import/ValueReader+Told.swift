// Reading for somebody who wants to be told of everything: what is damaged is handed on like a value, so that the judge
// of values says what is wrong with it, and reading goes on behind it: in lines with the next line, in an array with the
// next node.

internal import CanonicalJSON
internal import RedoObject
internal import RedoStore

/// What becomes of the values of an input, and of what is damaged.
package enum ImportManner: Sendable {
  /// Damage ends the input.
  case whole
  /// What is intact of a damaged input is taken.
  case salvaging
  /// Every value is told of, and so is damage.
  case told
  /// The same for a list of lines, each of which is told of at once, whatever it is; an array may stand instead.
  case toldLines

  /// Whether damage comes as values.
  var isTold: Bool { self == .told || self == .toldLines }
}

extension ValueReader {
  /// Reads the next values; the number of each is that of the line on which it begins, or in an array its own.
  ///
  /// - Returns: at least one value; `nil` at the end.
  /// - Throws: `InputError` when the descriptor cannot be read.
  mutating func nextTold() throws -> RecordBatch? {
    var batch = RecordBatch()
    while batch.records.count < batchCount, batch.bytes.count < Self.batchBytes {
      if form == .lines, !batch.records.isEmpty, try !hasLineWithoutWaiting() { break }
      guard try tellNext(&batch) else { break }
    }
    return batch.records.isEmpty ? nil : batch
  }

  /// Adds the next value, line or damage; returns whether there was any.
  private mutating func tellNext(_ batch: inout RecordBatch) throws -> Bool {
    if form == .unknown, manner == .toldLines, try !beginsArray() { form = .lines }
    switch form {
    case .ended: return false
    case .lines:
      if position == buffer.count, try !fill() { return false }
      return try tellLine(&batch)
    case .unknown, .array, .values: break
    }
    if isSearching { return try tellFound(&batch) }
    var malformed: Malformed?
    guard try seekValue(&malformed) else {
      guard malformed != nil else { return false }
      return tellPunctuation(&batch)
    }
    switch try findEnd() {
    case .whole(let end):
      if isJSON(position..<end) {
        let start = position
        tell(start..<end, .complete, &batch)
        hasLongValue = hasLongValue || buffer[start..<end].contains(UInt8(ascii: "\n"))
        position = end
        needsComma = true
      } else if isArray || hasLongValue {
        tellDamage(to: end, .complete, &batch)
      } else {
        return try tellLine(&batch)
      }
    case .malformed(let rule, at: let index):
      guard isArray || hasLongValue else { return try tellLine(&batch) }
      tellDamage(
        to: min(index + 1, buffer.count), rule == .nodeSize ? .tooLong : .complete, &batch)
    }
    return true
  }

  /// Adds a damaged value, of which only its place is told when it is a part of one that was told of, and looks for a node
  /// behind its first byte.
  private mutating func tellDamage(
    to end: Int, _ state: LineRecord.State, _ batch: inout RecordBatch
  ) {
    tell(position..<(base + position < toldTo ? position : end), state, &batch)
    toldTo = max(toldTo, base + end)
    search(behind: base + position)
  }

  /// Adds what stands between the elements of an array or behind it and should not, or that the array does not end.
  private mutating func tellPunctuation(_ batch: inout RecordBatch) -> Bool {
    number += 1
    tell(position..<position, as: number, .complete, &batch)
    if position < buffer.count { search(behind: base + position - 1) } else { form = .ended }
    return true
  }

  /// Adds the next node after damage; what is not at least like a node is passed over.
  private mutating func tellFound(_ batch: inout RecordBatch) throws -> Bool {
    var decoder = NodeDecoder(envelope: .strip)
    while try searchValue() {
      if case .whole(let end) = try findEnd() {
        examinedBytes += end - position
        let node = decoder.decode(buffer.span.extracting(position..<end))
        if node != nil || decoder.findings.contains(where: \.isOfNode) {
          endSearch()
          tell(position..<end, .complete, &batch)
          position = end
          needsComma = true
          return true
        }
      }
      position += 1
    }
    return false
  }

  /// Adds the rest of the line.
  private mutating func tellLine(_ batch: inout RecordBatch) throws -> Bool {
    let number = lineNumber()
    let offset = base + position
    var index = position
    while true {
      while index < buffer.count, buffer[index] != UInt8(ascii: "\n") { index += 1 }
      if index < buffer.count || index - position > Node.byteLimit { break }
      let before = base
      if try !fill() { break }
      index -= base - before
    }
    guard index - position <= Node.byteLimit else {
      batch.records.append(
        LineRecord(
          range: 0..<0, offset: offset, byteCount: index - position, number: number,
          state: .tooLong))
      try skipLine()
      return true
    }
    tell(position..<index, as: number, .complete, &batch)
    position = min(index + 1, buffer.count)
    return true
  }

  /// Goes to the next line, keeping nothing of this one.
  private mutating func skipLine() throws {
    while true {
      while position < buffer.count {
        position += 1
        if buffer[position - 1] == UInt8(ascii: "\n") { return }
      }
      if try !fill() { return }
    }
  }

  private mutating func tell(
    _ range: Range<Int>, _ state: LineRecord.State, _ batch: inout RecordBatch
  ) {
    number += 1
    tell(range, as: isArray ? number : lineNumber(), state, &batch)
  }

  private mutating func tell(
    _ range: Range<Int>, as number: Int, _ state: LineRecord.State, _ batch: inout RecordBatch
  ) {
    let from = batch.bytes.count
    if state != .tooLong { batch.bytes += buffer[range] }
    batch.records.append(
      LineRecord(
        range: from..<batch.bytes.count, offset: base + range.lowerBound, byteCount: range.count,
        number: number, state: state))
  }

  private mutating func isJSON(_ range: Range<Int>) -> Bool {
    examinedBytes += range.count
    var scanner = Scanner()
    return (try? scanner.scan(buffer.span.extracting(range))) != nil
  }

  /// Whether the first byte that is not white space begins an array; nothing is passed over.
  private mutating func beginsArray() throws -> Bool {
    var index = position
    while true {
      while index < buffer.count {
        switch buffer[index] {
        case 0x20, 0x09, 0x0D: index += 1
        default: return buffer[index] == UInt8(ascii: "[")
        }
      }
      if try !fill() { return false }
    }
  }

  private mutating func hasLineWithoutWaiting() throws -> Bool {
    var index = position
    while true {
      while index < buffer.count, buffer[index] != UInt8(ascii: "\n") { index += 1 }
      // One that is too long is passed over as it comes.
      if isAtEnd || index < buffer.count || index - position > Node.byteLimit { return true }
      guard source.isReady else { return false }
      let before = base
      _ = try fill()
      index -= base - before
    }
  }

  /// The number of the line on which the next byte stands, from 1.
  private mutating func lineNumber() -> Int {
    countLines()
    return lines + 1
  }

  /// Counts the lines that end before the next byte.
  mutating func countLines() {
    guard manner.isTold, counted < base + position else { return }
    for index in (counted - base)..<position where buffer[index] == UInt8(ascii: "\n") {
      lines += 1
    }
    counted = base + position
  }
}
