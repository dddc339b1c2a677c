// Reads a command line according to a table of options, in the manner of git's parse-options:
// --name=value, --name value, -nvalue, -n value, -ab, --no-name, unique prefixes of long
// names, options between arguments, `--` and `--end-of-options`.

internal import RedoRepository

/// What a command line asks for.
package enum ParseOutcome: Sendable {
  /// To run the command.
  case run(ParsedOptions)
  /// `-h`
  case usage
  /// `--help-all`
  case usageWithHidden
  /// `--help`
  case manual
  /// `--version`
  case version
}

/// Reads one command line.
package struct OptionParser {
  private let specs: [OptionSpec]
  private let stopsAtArgument: Bool
  private let words: [String]
  private var next = 0
  private var parsed = ParsedOptions()

  /// Reads a command line whose options may come anywhere before `--`.
  ///
  /// - Parameters:
  ///   - arguments: the words after the command's name.
  ///   - specs: the table; the first entry with a letter or name counts.
  /// - Returns: what is asked for.
  /// - Throws: `usage`.
  package static func parse(
    _ arguments: [String], _ specs: [OptionSpec]
  ) throws -> ParseOutcome {
    var parser = OptionParser(specs: specs, stopsAtArgument: false, words: arguments)
    return try parser.parse()
  }

  /// Reads options up to the first argument; it and everything after it become the arguments.
  ///
  /// - Throws: `usage`.
  package static func parseLeading(
    _ arguments: [String], _ specs: [OptionSpec]
  ) throws -> ParseOutcome {
    var parser = OptionParser(specs: specs, stopsAtArgument: true, words: arguments)
    return try parser.parse()
  }

  private mutating func parse() throws -> ParseOutcome {
    while next < words.count {
      let word = words[next]
      next += 1
      guard word.utf8.first == UInt8(ascii: "-"), word != "-" else {
        parsed.arguments.append(word)
        if stopsAtArgument { break }
        continue
      }
      switch word {
      case "--", "--end-of-options":
        parsed.arguments += words[next...]
        return .run(parsed)
      case "--help": return .manual
      case "--help-all": return .usageWithHidden
      case "--version": return .version
      default: break
      }
      if word.hasPrefix("--") {
        try parseLong(word.dropFirst(2))
      } else if try parseShort(word.dropFirst()) {
        return .usage
      }
    }
    parsed.arguments += words[next...]
    return .run(parsed)
  }

  // MARK: Long options

  private mutating func parseLong(_ text: Substring) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let stuck = parts.count == 2 ? String(parts[1]) : nil
    let (spec, isNegated) = try find(name)
    if isNegated {
      guard stuck == nil else {
        throw CommandError.usage("option 'no-\(spec.name)' takes no value")
      }
      parsed.given.append(GivenOption(spec: spec, value: nil, isNegated: true))
      return
    }
    var value = stuck
    switch spec.value {
    case .none:
      guard stuck == nil else { throw CommandError.usage("option '\(spec.name)' takes no value") }
    case .optional: break
    case .required:
      if stuck == nil {
        value = try nextValue(of: spec, "option '\(spec.name)'")
      }
    }
    parsed.given.append(GivenOption(spec: spec, value: value, isNegated: false))
  }

  /// The option with a long name: an exact match first, then a unique prefix.
  private func find(_ name: String) throws -> (OptionSpec, isNegated: Bool) {
    var candidates: [(spec: OptionSpec, isNegated: Bool)] = []
    for spec in specs where !spec.name.isEmpty {
      if spec.name == name { return (spec, false) }
      let negated = "no-\(spec.name)"
      if spec.isNegatable, negated == name { return (spec, true) }
      guard !name.isEmpty else { continue }
      if spec.name.hasPrefix(name) {
        candidates.append((spec, false))
      } else if spec.isNegatable, negated.hasPrefix(name) {
        candidates.append((spec, true))
      }
    }
    if candidates.count == 1 { return (candidates[0].spec, candidates[0].isNegated) }
    guard candidates.isEmpty else {
      let names = candidates.map { "--\($0.isNegated ? "no-" : "")\($0.spec.name)" }
      throw CommandError.usage(
        "ambiguous option '\(name)' (could be \(names.joined(separator: " or ")))")
    }
    let listed = specs.filter { !$0.traits.contains(.hidden) && !$0.name.isEmpty }
    var known = listed.map(\.name)
    if name.hasPrefix("no-") { known += listed.filter(\.isNegatable).map { "no-\($0.name)" } }
    throw CommandError.unknownWord(
      "unknown option '\(name)'", hints: Suggestion.hints(for: name, among: known, prefix: "--"))
  }

  /// The word after an option that requires a value.
  private mutating func nextValue(
    of spec: OptionSpec, _ subject: String
  ) throws -> String? {
    let isLenient = spec.traits.contains(.lenientEnd)
    guard next < words.count else {
      if isLenient { return nil }
      throw CommandError.usage("\(subject) requires a value")
    }
    if isLenient, words[next] != "-", words[next].hasPrefix("-") { return nil }
    next += 1
    return words[next - 1]
  }

  // MARK: Short options

  /// Reads one word of short options.
  ///
  /// - Returns: whether `-h` was among them.
  private mutating func parseShort(_ text: Substring) throws -> Bool {
    if let spec = specs.first(where: { $0.traits.contains(.digits) }),
      text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    {
      parsed.given.append(GivenOption(spec: spec, value: String(text), isNegated: false))
      return false
    }
    var rest = text.unicodeScalars
    while let letter = rest.popFirst() {
      guard let spec = specs.first(where: { $0.letter == letter }) else {
        if letter == "h" { return true }
        throw unknown(letter, in: text)
      }
      var value: String?
      switch spec.value {
      case .none: break
      case .optional:
        if !rest.isEmpty { value = String(rest) }
        rest = Substring("").unicodeScalars
      case .required:
        if !rest.isEmpty {
          value = String(rest)
          rest = Substring("").unicodeScalars
        } else {
          value = try nextValue(of: spec, "switch '\(letter)'")
        }
      }
      parsed.given.append(GivenOption(spec: spec, value: value, isNegated: false))
    }
    return false
  }

  private func unknown(_ letter: Unicode.Scalar, in text: Substring) -> CommandError {
    let name = String(text.prefix { $0 != "=" })
    let isLong = name.utf8.count > 2 && specs.contains { $0.name.hasPrefix(name) }
    return .unknownWord(
      "unknown switch '\(letter)'",
      hints: isLong ? ["did you mean '--\(name)' (with two dashes)?"] : [])
  }
}
