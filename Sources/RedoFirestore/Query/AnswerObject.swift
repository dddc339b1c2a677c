// What the helper answers to a question: a canonical JSON object a line, and at the end `{"end":<rows>}` or
// `{"error":{"code":...,"text":...}}`.

internal import CanonicalJSON
internal import FirestoreModel
internal import RedoRepository
internal import RedoRemote

/// An object, member by member; the caller keeps their order, that of RFC 8785.
struct AnswerObject {
  private var members = JSONWriter()

  mutating func add(_ name: StaticString, _ value: String?) {
    if let value { members.add(name, value) }
  }

  mutating func add(_ name: StaticString, _ value: Int64?) {
    if let value { members.add(name, value) }
  }

  mutating func add(_ name: StaticString, _ value: AnswerObject) {
    members.add(name, json: value.bytes)
  }

  mutating func add(_ name: StaticString, _ values: [AnswerObject]) {
    members.addArray(name) { json in
      for value in values { json.value(json: value.bytes) }
    }
  }

  mutating func add(_ name: StaticString, _ values: [String]) {
    members.add(name, values)
  }

  mutating func add(_ name: StaticString, json value: [UInt8]) {
    members.add(name, json: value)
  }

  /// The object.
  var bytes: [UInt8] { [UInt8(ascii: "{")] + members.bytes + [UInt8(ascii: "}")] }
}

/// What a row says about a node.
struct NodeRow {
  private let id: String
  private let lamport: Int64?
  private let wall: String?
  private let author: String?
  private let action: String?
  private let task: String?
  private let createdAt: String?

  /// What a document says about a node.
  init(_ document: FirestoreDocument) {
    let fields = document.fields
    id = DocumentName(text: document.name)?.id ?? document.name
    lamport = fields[FieldPath("timestamp", "lamport")]?.integer
    wall = fields[FieldPath("timestamp", "wall")]?.text
    author = fields[FieldPath("author", "userId")]?.text
    action = fields["action"]?.text
    task = fields["taskId"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    createdAt = fields["createdAt"].flatMap { $0.timestamp?.text ?? $0.text }
  }

  /// A node of which it is only known that a document names it.
  init(id: String) {
    self.id = id
    (lamport, wall, author, action, task, createdAt) = (nil, nil, nil, nil, nil, nil)
  }

  /// Whether it comes first by logical time, then by id.
  static func isOrdered(_ left: NodeRow, _ right: NodeRow) -> Bool {
    if left.lamport != right.lamport { return left.lamport ?? 0 < right.lamport ?? 0 }
    return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }

  /// The row.
  var row: AnswerObject {
    var row = AnswerObject()
    row.add("action", action)
    row.add("author", author)
    row.add("createdAt", createdAt)
    row.add("id", id)
    row.add("lamport", lamport)
    row.add("task", task)
    row.add("wall", wall)
    return row
  }
}
