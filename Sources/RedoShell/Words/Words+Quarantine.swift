// Messages about the quarantine.

internal import RedoObject
package import RedoRepository

extension QuarantineFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .noName(let name): .fatal("nothing in the quarantine has the name '\(name)'")
    case .malformedName(let name, let hint):
      .fatal("not a valid object name '\(name)'", hints: hint.map { [$0] } ?? [])
    case .severalNodes(let name, let candidates):
      .fatal("short id '\(name)' is ambiguous", hints: candidates.hints)
    case .severalDocuments(let name, let ids):
      .fatal("short id '\(name)' is ambiguous", hints: ids.prefix(10).map { $0.text })
    }
  }
}
