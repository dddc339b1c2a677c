// redo verify without names: checks the whole store, with one row for each finding.

internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// `redo verify [--sample=<n>/<t>] [--max-duration=<time>] [--resume=<token>] [--json] [-z]`.
enum VerifyStore {
  static var options: [OptionSpec] { AuditPart.options + [.progress] }

  /// Audits the store.
  ///
  /// - Throws: `fatal` when there is no store, it has another format, or a setting is invalid.
  static func run(
    _ context: inout Context, _ options: ParsedOptions, _ profile: Profile, isJSON: Bool, end: UInt8
  ) throws -> Exit {
    let request = StoreAudit.Request(profile, try AuditPart(options))
    let output = FindingOutput(isJSON: isJSON, end: end)
    let outcome = try StoreAudit.run(request, context.effects) { finding, severity in
      try output.write(finding, severity, &context)
    }
    if let token = outcome.token { try output.write(resume: token, &context) }
    return outcome.hasError ? .no : .ok
  }
}
