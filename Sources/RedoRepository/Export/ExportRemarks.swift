// What the app's file has no place for: the nodes are written whole all the same, so that nothing
// is lost on the way back, but the app itself may not read them.

internal import CanonicalJSON
package import RedoObject

/// What an export has to say about its nodes.
package struct ExportRemarks: Sendable {
  /// What the app's documents do not describe.
  package enum Kind: CaseIterable, Sendable {
    /// An action that the app does not know.
    case action
    /// Content in `payload`.
    case payload
    /// An e-mail address or device name of the author.
    case author
    /// A record of a merge.
    case conflictResolution
    /// Member names that the app takes for the same one.
    case names
  }

  /// The actions that the app's documents list.
  private static let actions: [StaticString] = [
    "CREATE", "UPDATE", "CREATE_TODO", "COMPLETE_TODO", "SNOOZE", "ARCHIVE", "UNARCHIVE", "DELETE",
  ]

  /// How many nodes there are of each kind, and the first of them.
  package private(set) var counts: [Kind: (count: Int, first: ObjectID)] = [:]

  /// Notes what is remarkable about a node.
  mutating func note(_ kinds: [Kind], of id: ObjectID) {
    for kind in kinds { counts[kind, default: (0, id)].count += 1 }
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
