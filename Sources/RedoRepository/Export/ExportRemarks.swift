// What is to be said about an export: what does not fit into the app's file (the nodes are still written completely, so that
// nothing is lost on the way back, but the app itself may not be able to read them), and what it leaves out.

internal import CanonicalJSON
package import RedoObject

/// Remarks of an export about its nodes.
package struct ExportRemarks: Sendable {
  /// Something that the app's documents do not describe.
  package enum Kind: CaseIterable, Sendable {
    /// An action that the app does not know.
    case action
    /// Content in `payload`.
    case payload
    /// An e-mail address or device name of the author.
    case author
    /// A record of a merge.
    case conflictResolution
    /// Member names that the app regards as equal.
    case names
  }

  /// The actions that the app's documents list.
  private static let actions: [StaticString] = [
    "CREATE", "UPDATE", "CREATE_TODO", "COMPLETE_TODO", "SNOOZE", "ARCHIVE", "UNARCHIVE", "DELETE",
  ]

  /// For each kind, the number of nodes and the first of them.
  package private(set) var counts: [Kind: (count: Int, first: ObjectID)] = [:]

  /// How many receipts were left out because they, or what they follow, tell a precise place.
  package var precise = 0
  /// How many receipts were left out because somebody else has shared them, or what they follow.
  package var shared = 0
  /// How many chains of receipts the store has that an export of nodes leaves out.
  package var chains = 0
  /// How many schemas it has.
  package var schemas = 0

  /// Notes the remarks about a node.
  mutating func note(_ kinds: [Kind], of id: ObjectID) {
    for kind in kinds { counts[kind, default: (0, id)].count += 1 }
  }

  /// The kinds of remarks that apply to a node.
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

  /// Whether two names of one object are equal in Swift, which compares by Unicode equivalence.
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
