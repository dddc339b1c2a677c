// The RFC 8785 form of a scanned text: no white space, sorted members, one spelling for everything.

extension Scanner {
  /// Appends the RFC 8785 form of the text that was scanned last.
  ///
  /// - Parameters:
  ///   - text: the same bytes that were scanned.
  ///   - output: receives UTF-8.
  /// - Complexity: O(*n*), and O(*m* log *m*) for an object whose *m* members are not in order.
  package func appendCanonical(_ text: Span<UInt8>, to output: inout [UInt8]) {
    appendCanonical(of: root(of: text), text, to: &output)
  }

  /// Appends the RFC 8785 form of one value of the text that was scanned last.
  ///
  /// - Parameters:
  ///   - value: a value of that text.
  ///   - text: the same bytes that were scanned.
  ///   - output: receives UTF-8.
  package func appendCanonical(
    of value: borrowing JSONValue, _ text: Span<UInt8>, to output: inout [UInt8]
  ) {
    requireScanned(text)
    let index = value.index
    withBytes(of: text) { bytes in
      if isCanonical {
        bytes.append(tape[index].outerRange, to: &output)
      } else {
        rebuild(index, bytes, to: &output)
      }
    }
  }

  /// The members or elements of a container that are still to be written.
  private struct Level {
    let isObject: Bool
    /// Of an object its names in order; of an array its elements.
    let members: [Int]
    var position = 0
  }

  private func rebuild(_ value: Int, _ text: ByteView, to output: inout [UInt8]) {
    var levels: [Level] = []
    var token = value
    while true {
      switch tape[token].kind {
      case .object:
        output.append(UInt8(ascii: "{"))
        levels.append(Level(isObject: true, members: sortedNames(of: token, in: text)))
      case .array:
        output.append(UInt8(ascii: "["))
        levels.append(Level(isObject: false, members: elementIndices(of: token)))
      default:
        appendScalar(token, text, to: &output)
      }
      while let level = levels.last, level.position == level.members.count {
        output.append(level.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        levels.removeLast()
      }
      guard let level = levels.last else { return }
      if level.position > 0 { output.append(UInt8(ascii: ",")) }
      token = level.members[level.position]
      levels[levels.count - 1].position += 1
      if level.isObject {
        appendScalar(token, text, to: &output)
        output.append(UInt8(ascii: ":"))
        token += 1
      }
    }
  }

  /// The token indices of an array's elements.
  private func elementIndices(of array: Int) -> [Int] {
    var elements: [Int] = []
    var index = array + 1
    let end = Int(tape[array].next)
    while index < end {
      elements.append(index)
      index = Int(tape[index].next)
    }
    return elements
  }

  private func appendScalar(_ index: Int, _ text: ByteView, to output: inout [UInt8]) {
    let token = tape[index]
    switch token.kind {
    case .string:
      output.append(UInt8(ascii: "\""))
      if token.marks.contains(.escaped) {
        StringEscape.append(StringEscape.unescape(text, token.range).span, to: &output)
      } else {
        text.append(token.range, to: &output)
      }
      output.append(UInt8(ascii: "\""))
    case .number:
      var literal: [UInt8] = []
      text.append(token.range, to: &literal)
      NumberText.append(Self.scannedValue(of: literal), to: &output)
    case .literalTrue, .literalFalse, .null, .object, .array:
      text.append(token.range, to: &output)
    }
  }

  /// The double of a number that the scanner has accepted.
  private static func scannedValue(of literal: [UInt8]) -> Double {
    guard let value = Double(String(decoding: literal, as: UTF8.self)) else {
      preconditionFailure("BUG: a scanned number that is no Double")
    }
    return value
  }
}
