// redo quarantine list: which changes wait, and for what.

internal import CanonicalJSON
internal import RedoHistory
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
    let rows = try QuarantineRow.rows(shelf, of: shelf.ids())
    for row in rows + (try shelf.documentIDs().map { QuarantineRow(document: $0) }) {
      try context.output.append { output throws in
        row.append(asJSON: options.has(QuarantineWords.json), to: &output)
        output.append(QuarantineWords.end(options))
      }
    }
    try context.output.flush()
    try shelf.hintAtPacks(&context)
    return .ok
  }
}

/// A change that waits, as it is listed.
struct QuarantineRow {
  let id: ObjectID
  /// What can be read of it; `nil` when it is damaged.
  private let node: BrokenNode?
  private let object: StoredObject?
  /// Its parents that are neither here nor in the quarantine.
  private let missing: [ObjectID]
  /// Whether it could be taken in now.
  private let isReady: Bool
  /// Whether it is a document of a remote that is no node.
  private var isDocument = false

  /// The row of a document.
  init(document: ObjectID) {
    id = document
    node = nil
    object = nil
    missing = []
    isReady = false
    isDocument = true
  }

  private init(
    id: ObjectID, node: BrokenNode?, object: StoredObject?, missing: [ObjectID], isReady: Bool
  ) {
    self.id = id
    self.node = node
    self.object = object
    self.missing = missing
    self.isReady = isReady
  }

  /// The rows of some changes.
  ///
  /// - Throws: `fatal` when the store cannot be read.
  static func rows(
    _ shelf: QuarantineShelf, of ids: [ObjectID]
  ) throws -> [QuarantineRow] {
    guard let waiting = shelf.waiting, !ids.isEmpty else { return [] }
    let nodes = WaitingNodes(waiting)
    let all = Set(try nodes.ids())
    let lookUp = try HistoryLookUp(shelf.opened, .sync, allowsUnsigned: true)
    let ready = Set(try nodes.complete { id throws in try lookUp.node(id) != nil })
    var decoder = NodeDecoder()
    var rows: [QuarantineRow] = []
    for id in ids {
      let object = try nodes.object(id)
      let node = object.flatMap { object in
        decoder.decode(object).map { BrokenNode($0) } ?? decoder.decodeBroken(object)
      }
      var missing: [ObjectID] = []
      for parent in node?.parents ?? [] where !all.contains(parent) {
        if try lookUp.node(parent) == nil { missing.append(parent) }
      }
      rows.append(
        QuarantineRow(
          id: id, node: node, object: object, missing: missing, isReady: ready.contains(id)))
    }
    return rows
  }

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
