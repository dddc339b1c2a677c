// The lines of `redo update-ref --stdin`, in the grammar of git-update-ref(1):
//
//   update SP <ref> SP <new> [SP <old>] LF        create SP <ref> SP <new> LF
//   delete SP <ref> [SP <old>] LF                 verify SP <ref> [SP <old>] LF
//   add SP <ref> SP <id> LF                       remove SP <ref> SP <id> LF
//   start LF   prepare LF   commit LF   abort LF  option SP <option> LF
//
// and with -z, NUL replaces LF and the spaces after the ref. A field may be quoted as a C
// string.

internal import RedoRepository
internal import RedoShell
internal import RedoStore

extension RefChange.Verb {
  /// Whether a new value must follow the ref.
  fileprivate var takesNew: Bool {
    switch self {
    case .update, .create, .add, .remove: true
    case .delete, .verify: false
    }
  }
  /// Whether an old value may follow at the end.
  fileprivate var takesOld: Bool {
    switch self {
    case .update, .delete, .verify: true
    case .create, .add, .remove: false
    }
  }
  /// The number of fields including the ref and optional ones.
  fileprivate var fieldCount: Int { 1 + (takesNew ? 1 : 0) + (takesOld ? 1 : 0) }
}

/// One line.
enum RefCommand: Equatable {
  case change(RefChange)
  /// An option for the next line.
  case option(String)
  case start, prepare, commit, abort

  /// Reads a line.
  ///
  /// - Parameter line: the line without its line feed.
  /// - Returns: the command.
  /// - Throws: `fatal` when it is not a command.
  static func parse(line: ArraySlice<UInt8>) throws -> RefCommand {
    let (word, rest) = try verb(line)
    if let control = try control(word, rest, line) { return control }
    guard let verb = RefChange.Verb(rawValue: word), let rest else { throw unknown(line) }
    var fields = FieldReader(rest: rest)
    let name = try name(verb, try fields.next() ?? [])
    let new = verb.takesNew ? try fields.next() : nil
    if verb.takesNew, new == nil { throw missing(verb, name) }
    let old = verb.takesOld ? try fields.next() : nil
    guard fields.isAtEnd else {
      throw CommandError.fatal(
        "\(verb.rawValue) \(name.text): extra input: '\(Escape.text(fields.rest))'")
    }
    return try change(verb, name, new: new, old: old)
  }

  /// Reads a command of the NUL-terminated form.
  ///
  /// - Parameters:
  ///   - first: its first field, `<verb> SP <ref>`.
  ///   - next: gives the next field of the input; `nil` at its end.
  /// - Returns: the command.
  /// - Throws: `fatal` when it is not a command, and the errors of `next`.
  static func parse(
    first: ArraySlice<UInt8>, next: () throws -> [UInt8]?
  ) throws -> RefCommand {
    let (word, rest) = try verb(first)
    if let control = try control(word, rest, first) { return control }
    guard let verb = RefChange.Verb(rawValue: word), let rest else { throw unknown(first) }
    let name = try name(verb, Array(rest))
    var fields: [[UInt8]] = []
    for _ in 1..<verb.fieldCount {
      guard let field = try next() else {
        throw CommandError.fatal("\(verb.rawValue) \(name.text): unexpected end of input")
      }
      fields.append(field)
    }
    let new = verb.takesNew ? fields.removeFirst() : nil
    // An empty field means that the value is missing; only `update` accepts that, as in git.
    if verb.takesNew, verb != .update, new?.isEmpty == true { throw missing(verb, name) }
    let old = fields.first.flatMap { $0.isEmpty ? nil : $0 }
    return try change(verb, name, new: new, old: old)
  }

  /// The first word, and the text after the following space.
  private static func verb(
    _ line: ArraySlice<UInt8>
  ) throws -> (word: String, rest: ArraySlice<UInt8>?) {
    guard let first = line.first else { throw CommandError.fatal("empty command in input") }
    guard first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else {
      throw CommandError.fatal("whitespace before command: '\(Escape.text(line))'")
    }
    let space = line.firstIndex(of: UInt8(ascii: " "))
    let word = String(decoding: line[..<(space ?? line.endIndex)], as: UTF8.self)
    return (word, space.map { line[($0 + 1)...] })
  }

  /// The commands that control the transaction itself.
  private static func control(
    _ word: String, _ rest: ArraySlice<UInt8>?, _ line: ArraySlice<UInt8>
  ) throws -> RefCommand? {
    switch (word, rest) {
    case ("start", nil): return .start
    case ("prepare", nil): return .prepare
    case ("commit", nil): return .commit
    case ("abort", nil): return .abort
    case ("option", .some(let rest)):
      let option = String(decoding: rest, as: UTF8.self)
      // There are no symbolic refs to follow, but scripts written for git may use this option.
      guard option == "no-deref" else {
        throw CommandError.fatal("option unknown: '\(Escape.text(rest))'")
      }
      return .option(option)
    default: return nil
    }
  }

  private static func name(
    _ verb: RefChange.Verb, _ bytes: [UInt8]
  ) throws -> RefName {
    guard !bytes.isEmpty else { throw CommandError.fatal("\(verb.rawValue): missing <ref>") }
    guard let name = RefName(bytes: bytes) else {
      throw CommandError.fatal("\(verb.rawValue): invalid name of a ref: '\(Escape.text(bytes))'")
    }
    return name
  }

  private static func change(
    _ verb: RefChange.Verb, _ name: RefName, new: [UInt8]?, old: [UInt8]?
  ) throws -> RefCommand {
    func text(_ bytes: [UInt8]?) throws -> String? {
      guard let bytes else { return nil }
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      throw CommandError.fatal("\(verb.rawValue) \(name.text): not UTF-8: '\(Escape.text(bytes))'")
    }
    return .change(
      try RefChange(verb: verb, name: name, new: try text(new), old: try text(old)))
  }

  private static func missing(_ verb: RefChange.Verb, _ name: RefName) -> CommandError {
    .fatal("\(verb.rawValue) \(name.text): missing <new>")
  }

  private static func unknown(_ line: ArraySlice<UInt8>) -> CommandError {
    let word = String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    let known =
      RefChange.Verb.allCases.map(\.rawValue) + ["start", "prepare", "commit", "abort", "option"]
    return .fatal(
      "unknown command: '\(Escape.text(line))'", hints: Suggestion.hints(for: word, among: known))
  }
}

/// Splits a line at single spaces; a field in double quotes is a C string.
private struct FieldReader {
  /// The rest of the line, with the space before the next field.
  private(set) var rest: ArraySlice<UInt8>
  private var isFirst = true

  init(rest: ArraySlice<UInt8>) { self.rest = rest }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next field; `nil` when there is none.
  mutating func next() throws -> [UInt8]? {
    if !isFirst {
      guard rest.first == UInt8(ascii: " ") else { return nil }
      rest = rest.dropFirst()
    }
    isFirst = false
    if rest.first == UInt8(ascii: "\"") { return try quoted() }
    let field = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    rest = rest[field.endIndex...]
    return Array(field)
  }

  private mutating func quoted() throws -> [UInt8] {
    guard let (bytes, end) = CQuote.unquote(rest) else {
      throw CommandError.fatal("badly quoted argument: '\(Escape.text(rest))'")
    }
    rest = rest[end...]
    guard rest.isEmpty || rest.first == UInt8(ascii: " ") else {
      throw CommandError.fatal(
        "unexpected character after a quoted argument: '\(Escape.text(rest))'")
    }
    return bytes
  }
}
