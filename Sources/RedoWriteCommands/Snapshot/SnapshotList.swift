// redo snapshot list: the saved states, and whether they can be used.

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo snapshot list [--json] [-z]`.
enum SnapshotList: Command {
  static let name = "list"
  static let summary = "list the snapshots, and whether they are of use"
  static var usage: [String] { ["redo-snapshot list [--json] [-z]"] }
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let shelf = try SnapshotShelf(try context.effects.openRepository())
    try RowWriter(SnapshotRow.columns, options).write(SnapshotRow.rows(shelf), &context)
    return .ok
  }
}

/// A snapshot in the list.
struct SnapshotRow {
  /// How a snapshot can be used.
  enum Status: String {
    /// It covers the whole history.
    case current
    /// It covers a part of the history.
    case usable
    /// It covers other nodes, or was made with other rules.
    case stale
    /// It is damaged.
    case corrupt

    /// Whether it cannot be used for the present history.
    var isUseless: Bool { self == .stale || self == .corrupt }
  }

  let name: ObjectID
  let status: Status
  private let file: FileStatus?
  /// Its contents; `nil` when they cannot be read.
  private let snapshot: StateSnapshot?

  /// All snapshots, by name.
  ///
  /// - Throws: `fatal` when the history cannot be read.
  static func rows(_ shelf: SnapshotShelf) throws -> [SnapshotRow] {
    let names = try shelf.names()
    guard !names.isEmpty else { return [] }
    let history = try HistoryGraph.open(shelf.opened, usesCache: true)
    let count = history.members?.count { $0 } ?? history.graph.count
    return names.compactMap { name in
      // It may have been dropped in the meantime.
      guard let file = shelf.status(name) else { return nil }
      let snapshot = shelf.snapshot(name)
      let status: Status
      if let snapshot, SnapshotShelf.isSound(snapshot) {
        let isOfHistory = snapshot.heads.allSatisfy { head in
          history.graph.position(of: head).map { history.members?[$0] ?? true } ?? false
        }
        let isUsable = isOfHistory && snapshot.rules == StateSnapshot.rulesVersion
        status = !isUsable ? .stale : snapshot.nodeCount == count ? .current : .usable
      } else {
        // A file of another release is intact, but cannot be used here.
        let layout = shelf.memory(name).flatMap { StateSnapshot.layout(of: $0) }
        status = layout.map { $0 != StateSnapshot.layoutVersion } == true ? .stale : .corrupt
      }
      return SnapshotRow(
        name: name, status: status, file: file, snapshot: status == .corrupt ? nil : snapshot)
    }
  }

  private var made: String {
    DateStyle.iso.text((file?.modifiedNanoseconds ?? 0) / 1_000_000, now: 0)
  }

  /// `<name> <status> <nodes> <tasks> <bytes> <when>`, and more in JSON.
  static var columns: [RowColumn<SnapshotRow>] {
    [
      .word("name") { $0.name.hex },
      .word("status") { $0.status.rawValue },
      .number("nodes") { $0.snapshot?.nodeCount },
      .number("tasks") { $0.snapshot?.taskCount },
      .number("size") { $0.file?.size ?? 0 },
      .word("made") { $0.made },
      .word("hash", in: .json) { $0.snapshot?.hash.text },
      .number("rules", in: .json) { $0.snapshot.map { Int(truncatingIfNeeded: $0.rules) } },
      .number("states", in: .json) { $0.snapshot?.stateCount },
    ]
  }
}
