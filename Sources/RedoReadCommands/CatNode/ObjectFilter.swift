// Which objects a batch mode shows: the filters of git that can be told from an object alone.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// A filter of objects, as git writes it.
enum ObjectFilter: Sendable {
  /// Every object.
  case none
  /// `object:type=<kind>`: objects of one kind.
  case kind(ObjectKind)
  /// `blob:limit=<n>`: no blob of that many bytes or more; `blob:none` for 0.
  case blobsBelow(Int)

  /// Reads a filter.
  ///
  /// - Parameter text: as it was written.
  /// - Throws: `usage` when it is none.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("blob:none", 1): self = .blobsBelow(0)
    case ("blob:limit", 2):
      guard let limit = ParsedOptions.size(String(parts[1])) else {
        throw CommandError.usage("'\(parts[1])' is no number of bytes in '--filter=\(text)'")
      }
      self = .blobsBelow(limit)
    case ("object:type", 2):
      guard let kind = ObjectKind(name: parts[1]) else {
        throw CommandError.usage("'\(parts[1])' is no kind of object in '--filter=\(text)'")
      }
      self = .kind(kind)
    default:
      throw CommandError.usage(
        "'\(text)' is no filter: 'object:type=<kind>', 'blob:none' or 'blob:limit=<n>'")
    }
  }

  /// Whether an object is shown.
  func admits(_ object: StoredObject) -> Bool {
    switch self {
    case .none: true
    case .kind(let kind): object.kind == kind
    case .blobsBelow(let limit): object.kind != .blob || object.wholeSize < limit
    }
  }
}
