// redo quarantine list: which changes wait, and for what.

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
  static var options: [OptionSpec] { [.json, .nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let shelf = try QuarantineShelf(try context.effects.openRepository())
    let rows = try QuarantineRow.rows(shelf, of: shelf.ids())
    let writer = RowWriter(QuarantineRow.columns, options)
    try writer.write(rows + shelf.documentIDs().map { QuarantineRow(document: $0) }, &context)
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

  /// `<id> <status> <missing> <lamport> <task> <action>`, and the wall in JSON.
  static var columns: [RowColumn<QuarantineRow>] {
    [
      .word("id") { $0.id.text },
      .word("status") { $0.status },
      .list("missing") {
        $0.missing.map(\.text)
      } text: {
        $0.first
      },
      .number("lamport") { $0.node.map { Int(clamping: $0.lamport.value) } },
      .word("task") { $0.node?.taskID?.text },
      .word("action") { $0.node?.action?.rawValue },
      .word("wall", in: .json) { $0.node?.wall.text },
    ]
  }
}
