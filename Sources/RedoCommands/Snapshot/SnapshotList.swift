// redo snapshot list: what is kept, and whether it is of use.

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
  static var options: [OptionSpec] { [SnapshotWords.json, SnapshotWords.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let shelf = try SnapshotShelf(try context.effects.openRepository())
    for row in try SnapshotRow.rows(shelf) {
      try context.output.append { output throws in
        if options.has(SnapshotWords.json) {
          row.appendJSON(to: &output)
        } else {
          row.append(to: &output)
        }
        output.append(options.has(SnapshotWords.nul) ? 0 : UInt8(ascii: "\n"))
      }
    }
    return .ok
  }
}

/// A snapshot as it is listed.
struct SnapshotRow {
  /// What a snapshot is good for.
  enum Status: String {
    /// It is of the whole history.
    case current
    /// It is of a part of the history.
    case usable
    /// It is of other nodes, or was made by other rules.
    case stale
    /// It is damaged.
    case corrupt

    /// Whether it is of no use to the present history.
    var isUseless: Bool { self == .stale || self == .corrupt }
  }

  let name: ObjectID
  let status: Status
  private let file: FileStatus?
  /// What is in it; `nil` when it cannot be read.
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
      // It may have been dropped since.
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
        // A file of another release is whole, and of no use here.
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

  /// Appends `<name> <status> <nodes> <tasks> <bytes> <when>`.
  func append(to output: inout [UInt8]) {
    let nodes = snapshot.map { "\($0.nodeCount) \($0.taskCount)" } ?? "- -"
    output += "\(name.hex) \(status.rawValue) \(nodes) \(file?.size ?? 0) \(made)".utf8
  }

  /// Appends `{"hash":…,"made":…,"name":…,"nodes":…,"rules":…,"size":…,"states":…,"status":…,"tasks":…}`.
  func appendJSON(to output: inout [UInt8]) {
    var members = JSONRow()
    if let snapshot { members.add("hash", snapshot.hash.text) }
    members.add("made", made)
    members.add("name", name.hex)
    if let snapshot {
      members.add("nodes", snapshot.nodeCount)
      members.add("rules", Int(truncatingIfNeeded: snapshot.rules))
    }
    members.add("size", file?.size ?? 0)
    if let snapshot { members.add("states", snapshot.stateCount) }
    members.add("status", status.rawValue)
    if let snapshot { members.add("tasks", snapshot.taskCount) }
    members.append(to: &output)
  }
}
