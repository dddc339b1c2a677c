// redo archive verify: checks everything that can be checked with nothing but the archive's file.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo archive verify [--profile=<profile>] [--json] [-z] <file>...`.
enum ArchiveVerify: Command {
  static let name = "verify"
  static let summary = "check archives: every byte, every id, every signature"
  static var usage: [String] {
    [
      "redo-archive verify [--profile=<profile>] [--prerequisites] [--json] [-z] [<keys>]\n"
        + "             <file>..."
    ]
  }
  private static let prerequisites = OptionSpec(
    "prerequisites", help: "say which nodes that they need are not in the store")
  static var options: [OptionSpec] {
    [.profile, prerequisites, .json, .nul] + SealKeys.options
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard !options.arguments.isEmpty else { throw CommandError.usage("no archive is named") }
    let profile = try options.choice(.profile, as: Profile.self) ?? .v1
    var output = VerifyOutput(
      profile: profile, isJSON: options.has(.json), end: options.rowEnd)
    let keys = try SealKeys(options, reading: options.arguments)
    let store = options.has(prerequisites) ? try context.effects.openRepository().objects : nil
    var isSound = true
    for path in options.arguments {
      do {
        let request = ArchiveExam.Request(path, keys, profile, needsIn: store)
        if try !verify(request, &output, &context) { isSound = false }
      } catch {
        let error = CommandError(error)
        // A damaged archive does not keep the others from being checked.
        guard error.kind == .fatal else { throw error }
        try context.output.flush()
        context.report(
          CommandError(.refused, error.message, hints: error.hints), asJSON: output.isJSON)
        isSound = false
      }
    }
    _ = try output.finish(&context)
    return isSound ? .ok : .no
  }

  /// Prints the result for one archive.
  ///
  /// - Returns: whether no node breaks a rule that is an error under the profile, and all else is well.
  /// - Throws: `fatal` when the archive is damaged, or does not contain what its directory says.
  private static func verify(
    _ request: ArchiveExam.Request, _ output: inout VerifyOutput, _ context: inout Context
  ) throws -> Bool {
    let (isJSON, end) = (output.isJSON, output.end)
    return try ArchiveExam.run(request, context.effects) { note throws in
      switch note {
      case .node(let row): try output.write(row, &context)
      case .beside(let finding):
        try RowWriter(ManifestFinding.columns, isJSON: isJSON, end: end).write(finding, &context)
      case .missing(let id):
        try context.output.append { output throws in
          output += (isJSON ? "{\"missing\":\"\(id.text)\"}" : "missing node \(id.text)").utf8
          output.append(end)
        }
      }
    }
  }
}
