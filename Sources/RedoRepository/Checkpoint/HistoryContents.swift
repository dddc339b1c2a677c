// The ids of a history, as a list that a checkpoint covers: a file of lines, ascending, which says of each whether it is
// a head.
//
//   <id>[ SP <kind>][ SP "head"] LF          the kind is left out for nodes
//
// The ids alone of one kind, `cut -c1-71`, have the hash of the checkpoint's line `objects`; those of its heads that of
// `heads`.

internal import RedoHistory
package import RedoObject
internal import RedoStore

/// The objects of a history.
package struct HistoryContents: Equatable, Sendable {
  /// The objects of one kind.
  package struct Part: Equatable, Sendable {
    /// The kind.
    package let kind: ObjectKind
    /// All ids, ascending.
    package fileprivate(set) var ids: [ObjectID] = []
    /// Those that no other object of them names as a parent, ascending.
    package fileprivate(set) var heads: [ObjectID] = []

    /// The statement of a checkpoint about them.
    package var statement: HistoryStatement { HistoryStatement(kind, ids: ids, heads: heads) }
  }

  /// That of nodes, and those of other kinds of which there is anything; ascending by the word of the kind.
  package let parts: [Part]

  private static let headWord = Array("head".utf8)
  /// The largest list, in bytes: more than ten million ids.
  private static let byteLimit = 1 << 30

  /// The history of a store.
  ///
  /// - Throws: when it cannot be read as a whole.
  init(_ opened: Repository) throws {
    let history = try ArchiveSet(opened, usesCache: true)
    let ids = (0..<history.graph.count).filter { history.members[$0] }
      .map { history.graph.id(at: $0) }.sorted()
    try self.init(
      [Part(kind: .node, ids: ids, heads: history.heads)]
        + ObjectKind.grouped.map { kind throws in try Self.part(of: kind, opened) })
  }

  private init(_ parts: [Part]) {
    self.parts = parts.filter { $0.kind == .node || !$0.ids.isEmpty }
      .sorted { "\($0.kind.name)" < "\($1.kind.name)" }
  }

  /// The receipts or schemas that the heads of their groups reach.
  private static func part(of kind: ObjectKind, _ opened: Repository) throws -> Part {
    let tips = try opened.heads(of: kind).ids
    let all = try HistoryWalk.reach(
      from: tips, opened.objects, of: kind, parents: \.parents
    ) { object, reader throws -> (id: ObjectID, parents: [ObjectID]) in
      guard let grouped = reader.places.grouped(object) else {
        throw HistoryFault.invalid(object)
      }
      return (grouped.id, grouped.place.parents)
    }
    let named = Set(all.flatMap(\.parents))
    let ids = all.map(\.id).sorted()
    return Part(kind: kind, ids: ids, heads: ids.filter { !named.contains($0) })
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

  private static func read(_ bytes: [UInt8]) -> Result<HistoryContents, BadLine> {
    guard bytes.isEmpty || bytes.last == UInt8(ascii: "\n") else {
      return .failure(BadLine(line: bytes.count { $0 == UInt8(ascii: "\n") } + 1))
    }
    var parts = ObjectKind.allCases.filter(\.hasHistory).map { Part(kind: $0) }
    var last: ObjectID?
    let lines = bytes.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() where !bytes.isEmpty {
      let text = Array(line.prefix(ObjectID.textCount))
      guard let id = ObjectID(ascii: text.span), last.map({ $0 < id }) ?? true,
        let words = words(line.dropFirst(ObjectID.textCount)),
        let index = parts.firstIndex(where: { $0.kind == words.kind })
      else { return .failure(BadLine(line: number + 1)) }
      last = id
      parts[index].ids.append(id)
      if words.isHead { parts[index].heads.append(id) }
    }
    return .success(HistoryContents(parts))
  }

  /// What follows an id: the kind, but for a node, and whether it is a head; `nil` for anything else.
  private static func words(_ rest: ArraySlice<UInt8>) -> (kind: ObjectKind, isHead: Bool)? {
    var words = rest.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard !rest.isEmpty else { return (.node, false) }
    guard words.removeFirst().isEmpty else { return nil }
    let isHead = words.last?.elementsEqual(headWord) ?? false
    if isHead { words.removeLast() }
    guard let word = words.first else { return (.node, isHead) }
    guard words.count == 1, let kind = ObjectKind(name: String(decoding: word, as: UTF8.self)),
      kind != .node
    else { return nil }
    return (kind, isHead)
  }

  /// The statements of a checkpoint about them.
  package var statements: [HistoryStatement] { parts.map(\.statement) }

  /// The objects of a kind.
  package subscript(_ kind: ObjectKind) -> Part {
    parts.first { $0.kind == kind } ?? Part(kind: kind)
  }

  /// The list as a file.
  package var list: [UInt8] {
    var rows: [(id: ObjectID, kind: ObjectKind)] = []
    for part in parts { rows += part.ids.map { ($0, part.kind) } }
    rows.sort { $0.id < $1.id }
    let heads = Set(parts.flatMap(\.heads))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rows.count * (ObjectID.textCount + 1))
    for (id, kind) in rows {
      id.append(to: &bytes)
      if kind != .node { bytes += " \(kind.name)".utf8 }
      if heads.contains(id) { bytes += [UInt8(ascii: " ")] + Self.headWord }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
