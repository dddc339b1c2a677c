// redo canonicalize: JSON in, its RFC 8785 form out.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo canonicalize [--check | --explain] [<file>]`.
enum Canonicalize: Command {
  static let name = "canonicalize"
  static let summary = "write JSON in its canonical form (RFC 8785)"
  static var usage: [String] { ["redo-canonicalize [--check | --explain] [<file>]"] }

  private static let check = OptionSpec(
    "check", help: "print nothing; exit 1 if the input is not canonical")
  private static let explain = OptionSpec(
    "explain", help: "print where the input first differs from its canonical form, and why")
  static var options: [OptionSpec] { [check, explain] }

  /// The largest input: offsets are kept in 32 bits.
  private static let inputLimit = 1 << 31

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let mode = try options.only(oneOf: [check, explain])
    guard options.arguments.count <= 1 else {
      throw CommandError.usage("only one file can be named")
    }
    let path = options.arguments.first
    let input =
      if let path {
        try InputFile.read(path, limit: inputLimit, context.effects)
      } else {
        try InputFile.read(context.input, limit: inputLimit)
      }
    var scanner = Scanner()
    do throws(JSONError) {
      try scanner.scan(input.span)
    } catch {
      throw CommandError.fatal(
        Diagnosis.text(Finding(error), of: path ?? InputFile.standardInputName))
    }
    guard let mode else {
      try context.output.append { output throws in
        scanner.appendCanonical(input.span, to: &output)
      }
      return .ok
    }
    if scanner.isCanonical { return .ok }
    if mode.isSame(as: explain) {
      var canonical: [UInt8] = []
      scanner.appendCanonical(input.span, to: &canonical)
      let difference = Difference(input, canonical, scanner)
      try context.output.writeLine("offset \(difference.offset): \(Escape.text(difference.reason))")
    }
    return .no
  }
}

/// The first difference between a text and its canonical form.
private struct Difference {
  let offset: Int
  let reason: String

  init(_ text: [UInt8], _ canonical: [UInt8], _ scanner: borrowing Scanner) {
    var offset = 0
    while offset < min(text.count, canonical.count), text[offset] == canonical[offset] {
      offset += 1
    }
    self.offset = offset
    reason = Self.reason(at: offset, text, canonical, scanner)
  }

  private static func reason(
    at offset: Int, _ text: [UInt8], _ canonical: [UInt8], _ scanner: borrowing Scanner
  ) -> String {
    let root = scanner.root(of: text.span)
    var isUnordered = false
    var values = root.descent
    while let value = values.next() {
      guard value.place.lowerBound <= offset else { break }
      let isAround = offset < value.place.upperBound
      switch value.kind {
      case .object where isAround: isUnordered = value.isUnordered
      case .array, .object, .literalTrue, .literalFalse, .null: break
      case .number where isAround || offset == value.place.upperBound:
        var shortest: [UInt8] = []
        scanner.appendCanonical(of: value, text.span, to: &shortest)
        if value.bytes != shortest {
          return "the number '\(value.bytes[...].text)' is written '\(shortest[...].text)'"
        }
      case .string where isAround:
        var spelled: [UInt8] = []
        scanner.appendCanonical(of: value, text.span, to: &spelled)
        if value.bytes != spelled {
          return "the string \(value.bytes[...].text) is written \(spelled[...].text)"
        }
      case .string, .number: break
      }
    }
    if offset < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[offset]) {
      return "white space between values"
    }
    if isUnordered {
      return "the members of an object are not in order"
    }
    return offset < text.count ? "members are not in order" : "the text ends early"
  }
}

extension ArraySlice where Element == UInt8 {
  /// The bytes as text, cut to a length that fits into a message.
  fileprivate var text: String {
    let limit = 80
    return Escape.text(prefix(limit)) + (count > limit ? "..." : "")
  }
}
