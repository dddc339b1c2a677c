// Messages about tidying a store up.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension RepackFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .pack(let error, let path): .fatal(Self.message(error, path))
    case .unwritten(let error):
      .fatal("the new pack does not read as it was written: \(error.description)")
    case .gone(let id): .fatal("object '\(id.text)' has gone meanwhile")
    }
  }

  /// What is wrong with a pack.
  static func message(_ error: PackError, _ path: String) -> String {
    switch error {
    case .system(let error): CommandError(error.named(path)).message
    case .corrupt: "pack '\(path)' is damaged \(error.description)"
    case .notPack, .unsupported, .kind, .locked:
      "pack '\(path)' cannot be read: \(error.description)"
    }
  }
}

extension TidyDamage {
  /// The message.
  package var words: String {
    switch self {
    case .unreadable(let error): CommandError(error).message
    case .missing(let id): "object '\(id.text)' is missing"
    case .object(let error): "\(error.description); it stays as it is"
    case .invalid(let id, let kind):
      "object '\(id.text)' is no valid \(kind.name); it stays as it is"
    case .pack(let error, let path): "\(RepackFault.message(error, path)); it stays as it is"
    case .unknownNodes: "no node is moved while something is damaged or missing"
    case .blobs: "no blob is removed while something that may name it is damaged, missing or away"
    case .part(let path, let reason): "'\(path)' cannot be read: \(reason)"
    case .away(let path): "'\(path)' is away"
    case .cut(let path): "'\(path)' ends in the middle of a record; the next row takes its place"
    case .local(let fault): "\(fault.words.message); it stays as it is"
    }
  }
}
