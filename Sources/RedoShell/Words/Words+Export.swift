// Messages about histories that cannot be exported.

internal import CanonicalJSON
internal import RedoObject
package import RedoRepository

extension ExportFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .malformed(let id, let rule):
      .fatal("object '\(id.text)' is no valid node: \(rule.rawValue)")
    case .tooLarge(let id, let bytes, let limit):
      .fatal(
        "node '\(id.text)' takes \(bytes) bytes in the app's layout, "
          + "more than a node may have (\(limit))",
        hints: ["'--format=ndjson' and '--format=dir' write it as it is"])
    case .unwritten(let error): Self.named(CommandError(error))
    }
  }

  /// The same error, with the code that the app's documents give to it.
  private static func named(_ error: CommandError) -> CommandError {
    guard error.kind == .fatal, error.code == nil else { return error }
    return .fatal(error.message, hints: error.hints, code: "STORAGE_002")
  }
}
