// Messages about archives whose content does not match what they say.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension ArchiveExamFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .invalid(let id, let kind, let path):
      .fatal("'\(path)' has an object that is no \(kind.name): '\(id.text)'")
    case .misordered(let fault, let path): .fatal("'\(path)' is no archive: \(fault.rawValue)")
    case .untrue(let part, let path): .fatal("'\(path)' is damaged: \(Self.words(part))")
    }
  }

  private static func words(_ part: Part) -> String {
    switch part {
    case .name: "its name is not that of its nodes"
    case .prerequisites: "the parents that it lacks are not those that it names"
    case .numbers: "the counts and times of its directory are not those of its nodes"
    }
  }
}
