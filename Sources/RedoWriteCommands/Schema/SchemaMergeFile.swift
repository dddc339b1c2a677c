// redo schema merge-file: the join of definitions in files, without a store.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo schema merge-file <file>...`.
enum SchemaMergeFile: Command {
  static let name = "merge-file"
  static let summary = "print the join of the definitions in some files"
  static var usage: [String] {
    ["redo-schema merge-file [--hash] [--scope=<uuid>] [--salvage] [-q] [-z] <file>..."]
  }

  private static let hash = OptionSpec(
    "hash", help: "print the SHA-256 of each definition in place of it")
  private static let scope = OptionSpec(
    "scope", .required("uuid"), help: "the person whose copies all of them are")
  private static let salvage = OptionSpec(
    "salvage", help: "leave out fields that cannot be read, and say which")
  static var options: [OptionSpec] { [hash, scope, salvage, .quiet, .nul] }

  /// The largest file.
  static let inputLimit = 1 << 26

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("files are needed") }
    guard options.arguments.count(where: { $0 == InputFile.standardInputSign }) < 2 else {
      throw CommandError.usage("standard input can be read once")
    }
    var person: UniqueID?
    if let text = options.value(scope) {
      guard let id = UniqueID(Array(text.utf8).span) else {
        throw CommandError.usage("'--scope' is a UUID, not '\(Escape.text(text))'")
      }
      person = id
    }
    var files: [SchemaJoin.File] = []
    for path in options.arguments {
      guard
        let found = try read(
          path, salvages: options.has(salvage), person, isQuiet: options.has(.quiet), &context)
      else { return .no }
      let name = path == InputFile.standardInputSign ? InputFile.standardInputName : path
      files.append(SchemaJoin.File(name: name, definitions: found))
    }
    let joined: [SchemaDefinition]
    do {
      joined = try SchemaJoin.join(files)
    } catch {
      context.error(Diagnosis.text(error.finding, of: error.file))
      return .no
    }
    for definition in joined {
      let line = options.has(hash) ? Array(definition.hash.hex.utf8) : definition.canonical
      try context.output.write(line)
      try context.output.write(byte: options.rowEnd)
    }
    return .ok
  }

  /// Reads the definitions of a file, and says what is wrong with it.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - salvages: whether fields that cannot be read are left out.
  ///   - scope: the person whose copies all of them are.
  ///   - isQuiet: whether warnings are suppressed.
  ///   - context: receives what is wrong.
  /// - Returns: `nil` when the file is refused.
  /// - Throws: the error when it cannot be read.
  static func read(
    _ path: String, salvages: Bool, _ scope: UniqueID?, isQuiet: Bool, _ context: inout Context
  ) throws -> [SchemaDefinition]? {
    let isInput = path == InputFile.standardInputSign
    let bytes =
      isInput
      ? try InputFile.read(context.input, limit: inputLimit)
      : try InputFile.read(path, limit: inputLimit, context.effects)
    let read = SchemaImport(bytes, salvages: salvages, scope: scope)
    report(read, of: isInput ? InputFile.standardInputName : path, isQuiet: isQuiet, context)
    return read.isRefused ? nil : read.definitions
  }

  /// Says what is wrong with a file.
  private static func report(
    _ read: SchemaImport, of name: String, isQuiet: Bool, _ context: borrowing Context
  ) {
    for finding in read.left where !isQuiet {
      context.warning("\(Diagnosis.text(finding, of: name)); its field is left out")
    }
    let errors = read.findings.filter { $0.rule.severity == .error }
    context.errors(errors, summary: "rules are broken") {
      context.error(Diagnosis.text($0, of: name))
    }
    guard !isQuiet else { return }
    for finding in read.findings where finding.rule.severity != .error {
      context.warning("\(Diagnosis.text(finding, of: name)); it is kept in 'x'")
    }
  }
}
