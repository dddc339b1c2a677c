// What the app's file has no place for: the nodes are written whole all the same, so that nothing
// is lost on the way back, but the app itself may not read them.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// What an export has to say about its nodes.
struct ExportRemarks {
  /// What the app's documents do not describe.
  enum Kind: String, CaseIterable, Sendable {
    case action = "an action that the app does not know"
    case payload = "content in 'payload'"
    case author = "an e-mail address or device name of the author"
    case conflictResolution = "a record of a merge"
    case names = "member names that the app takes for the same one"
  }

  /// The actions that the app's documents list.
  private static let actions: [StaticString] = [
    "CREATE", "UPDATE", "CREATE_TODO", "COMPLETE_TODO", "SNOOZE", "ARCHIVE", "UNARCHIVE", "DELETE",
  ]

  private var counts: [Kind: (count: Int, first: ObjectID)] = [:]

  /// Notes what is remarkable about a node.
  mutating func note(_ kinds: [Kind], of id: ObjectID) {
    for kind in kinds { counts[kind, default: (0, id)].count += 1 }
  }

  /// Says each thing once, with the first node that has it.
  func report(_ context: inout Context) {
    for kind in Kind.allCases {
      guard let (count, first) = counts[kind] else { continue }
      let changes = count == 1 ? "1 change has" : "\(count) changes have"
      context.warning(
        "\(changes) \(kind.rawValue), which the app's file does not describe, "
          + "the first is '\(first.text)'")
    }
  }

  /// What is remarkable about a node.
  static func kinds(in root: JSONValue) -> [Kind] {
    var kinds: [Kind] = []
    if let action = root["action"], !actions.contains(where: { action.isText($0) }) {
      kinds.append(.action)
    }
    if let author = root["author"], author["email"] != nil || author["deviceName"] != nil {
      kinds.append(.author)
    }
    guard let data = root["data"] else { return kinds }
    if data["conflictResolution"] != nil { kinds.append(.conflictResolution) }
    if data["payload"] != nil { kinds.append(.payload) }
    if hasEqualNames(below: data) { kinds.append(.names) }
    return kinds
  }

  /// Whether two names of one object are the same to Swift, which equates what Unicode holds to be
  /// equivalent.
  private static func hasEqualNames(below top: JSONValue) -> Bool {
    var values = top.descent
    while let value = values.next() {
      var isPlain = true
      var members = value.members
      while let member = members.next() {
        let name = member.name.content
        for index in name.indices where name[index] >= 0x80 || name[index] == 0x5C {
          isPlain = false
        }
      }
      if isPlain { continue }
      let names = value.nameIndices.map { value.value(at: $0).string ?? "" }
      if Set(names).count < names.count { return true }
    }
    return false
  }
}
