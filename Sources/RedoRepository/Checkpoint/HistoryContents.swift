// The ids of a history, as a list that a checkpoint covers: a file of lines, ascending, which says of each whether it is
// a head.
//
//   <id>[ SP "head"] LF
//
// The ids alone, `cut -c1-71`, have the hash of the checkpoint's line `objects`; those of the heads that of `heads`.

internal import RedoHistory
package import RedoObject
internal import RedoStore

/// The nodes of a history.
package struct HistoryContents: Equatable, Sendable {
  /// All ids, ascending.
  package let ids: [ObjectID]
  /// Those that no other node of them names as a parent, ascending.
  package let heads: [ObjectID]

  private static let headWord = Array(" head".utf8)
  /// The largest list, in bytes: more than ten million ids.
  private static let byteLimit = 1 << 30

  /// The history of a store.
  ///
  /// - Throws: when it cannot be read as a whole.
  init(_ opened: Repository) throws {
    let history = try ArchiveSet(opened, usesCache: true)
    ids = (0..<history.graph.count).filter { history.members[$0] }
      .map { history.graph.id(at: $0) }.sorted()
    heads = history.heads
  }

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - effects: says where relative paths begin.
  /// - Throws: `CheckpointFault.badList`, and as `InputFile.read`.
  package init(path: String, _ effects: Effects) throws {
    let bytes =
      path == InputFile.standardInputSign
      ? try InputFile.read(effects.surroundings.standardInput, limit: Self.byteLimit)
      : try InputFile.read(path, limit: Self.byteLimit, effects)
    switch Self.read(bytes) {
    case .success(let found): self = found
    case .failure(let bad): throw CheckpointFault.badList(path: path, line: bad.line)
    }
  }

  /// Whether an existing file may be replaced by a list.
  package static func isList(_ bytes: [UInt8]) -> Bool { (try? read(bytes).get()) != nil }

  private struct BadLine: Error { let line: Int }

  private init(ids: [ObjectID], heads: [ObjectID]) {
    self.ids = ids
    self.heads = heads
  }

  private static func read(_ bytes: [UInt8]) -> Result<HistoryContents, BadLine> {
    guard bytes.isEmpty || bytes.last == UInt8(ascii: "\n") else {
      return .failure(BadLine(line: bytes.count { $0 == UInt8(ascii: "\n") } + 1))
    }
    var ids: [ObjectID] = []
    var heads: [ObjectID] = []
    let lines = bytes.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !bytes.isEmpty {
      let text = Array(line.prefix(ObjectID.textCount))
      let rest = line.dropFirst(ObjectID.textCount)
      guard let id = ObjectID(ascii: text.span), rest.isEmpty || rest.elementsEqual(headWord),
        ids.last.map({ $0 < id }) ?? true
      else { return .failure(BadLine(line: number + 1)) }
      ids.append(id)
      if !rest.isEmpty { heads.append(id) }
    }
    return .success(HistoryContents(ids: ids, heads: heads))
  }

  /// The statement of a checkpoint about them.
  package var statement: HistoryStatement { HistoryStatement(.node, ids: ids, heads: heads) }

  /// The list as a file.
  package var list: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(ids.count * (ObjectID.textCount + 1))
    var next = 0
    for id in ids {
      id.append(to: &bytes)
      if next < heads.count, heads[next] == id {
        bytes += Self.headWord
        next += 1
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
