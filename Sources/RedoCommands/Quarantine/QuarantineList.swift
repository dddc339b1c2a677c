// redo quarantine list: which changes wait, and for what.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo quarantine list [--json] [-z]`.
enum QuarantineList: Command {
  static let name = "list"
  static let summary = "list the changes that wait, and what they wait for"
  static var usage: [String] { ["redo-quarantine list [--json] [-z]"] }
  static var options: [OptionSpec] { [QuarantineWords.json, QuarantineWords.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let shelf = try QuarantineShelf(try context.effects.openRepository())
    let rows = try shelf.rows(of: shelf.ids())
    for row in rows + (try shelf.documentIDs().map { QuarantineRow(document: $0) }) {
      try context.output.append { output throws in
        row.append(asJSON: options.has(QuarantineWords.json), to: &output)
        output.append(QuarantineWords.end(options))
      }
    }
    try context.output.flush()
    let count = try shelf.packCount()
    guard count > 0 else { return .ok }
    context.hint(
      "\(count) pack\(count == 1 ? " that has" : "s that have") come "
        + "\(count == 1 ? "is" : "are") not taken in yet; 'redo quarantine promote' does so")
    return .ok
  }
}

extension QuarantineRow {
  private var status: String {
    isDocument ? "document" : node == nil ? "corrupt" : isReady ? "ready" : "waits"
  }

  /// Appends `<id> <status> <missing> <lamport> <task> <action>`, or the same as JSON.
  func append(asJSON: Bool, to output: inout [UInt8]) {
    let action = node?.action?.rawValue ?? "-"
    guard asJSON else {
      output += "\(id.text) \(status) \(missing.first?.text ?? "-") ".utf8
      output += (node.map { "\($0.lamport.value) \($0.taskID?.text ?? "-") " } ?? "- - ").utf8
      output += action.utf8
      return
    }
    var row = JSONRow()
    if let action = node?.action { row.add("action", action.rawValue) }
    row.add("id", id.text)
    if let node { row.add("lamport", Int(clamping: node.lamport.value)) }
    row.add("missing", missing) { JSONWriter.appendString($0.text, to: &$1) }
    row.add("status", status)
    row.addIfAny("task", node?.taskID?.text)
    row.addIfAny("wall", node?.wall.text)
    row.append(to: &output)
  }
}
