// Which queries are answered: as Google's service does, one that filters and orders by different members needs
// an index that was declared for it. `firestore/firestore.indexes.json` is written from this table.

internal import FirestoreModel

/// An index over several members of a collection.
struct DeclaredIndex: Equatable, Sendable {
  /// What an index says about a member.
  enum Mode: String, Sendable {
    /// It is an array, and asked for an element.
    case contains = "CONTAINS"
    /// The least comes first.
    case ascending = "ASCENDING"
    /// The greatest comes first.
    case descending = "DESCENDING"
  }

  /// A member of an index.
  struct Member: Hashable, Sendable {
    let path: FieldPath
    let mode: Mode

    init(_ path: FieldPath, _ mode: Mode) {
      self.path = path
      self.mode = mode
    }

    /// As people write it.
    var text: String {
      switch mode {
      case .contains: "\(path.text) (ARRAY)"
      case .ascending: "\(path.text) (ASC)"
      case .descending: "\(path.text) (DESC)"
      }
    }
  }

  let members: [Member]

  init(_ members: Member...) { self.members = members }

  private static let accessList = Member(HeldMembers.paths[HeldMembers.accessList], .contains)
  private static let createdAt = HeldMembers.paths[HeldMembers.createdAt]
  private static let lamport = Member(FieldPath("timestamp", "lamport"), .ascending)
  private static let action = Member(FieldPath("action"), .ascending)
  private static let task = Member(FieldPath("taskId"), .ascending)

  /// The indexes of the collection `nodes`: the four of the schema, then those that its queries need as well
  /// (the newest first, those of an action, of a task) and that fetching needs (the oldest first).
  static let all = [
    DeclaredIndex(accessList, lamport),
    DeclaredIndex(accessList, Member(FieldPath("timestamp", "wall"), .descending)),
    DeclaredIndex(Member(FieldPath("author", "userId"), .ascending), action, lamport),
    DeclaredIndex(task, lamport),
    DeclaredIndex(accessList, Member(createdAt, .ascending)),
    DeclaredIndex(accessList, Member(createdAt, .descending)),
    DeclaredIndex(accessList, action, lamport),
    DeclaredIndex(accessList, task, lamport),
  ]

  /// The file that declares them to Google's service (firebase deploy --only firestore:indexes).
  static var file: String {
    let indexes = all.map { index in
      let members = index.members.map { member in
        let mode =
          member.mode == .contains
          ? "\"arrayConfig\": \"CONTAINS\"" : "\"order\": \"\(member.mode.rawValue)\""
        return "        { \"fieldPath\": \"\(member.path.text)\", \(mode) }"
      }
      return """
            {
              "collectionGroup": "\(DocumentKey.nodes)",
              "queryScope": "COLLECTION",
              "fields": [
        \(members.joined(separator: ",\n"))
              ]
            }
        """
    }
    let exempt = HeldMembers.exempt.map { path in
      """
          {
            "collectionGroup": "\(DocumentKey.nodes)",
            "fieldPath": "\(path.text)",
            "indexes": []
          }
      """
    }
    return """
      {
        "indexes": [
      \(indexes.joined(separator: ",\n"))
        ],
        "fieldOverrides": [
      \(exempt.joined(separator: ",\n"))
        ]
      }

      """
  }
}

/// What a query asks of the indexes.
struct IndexNeed {
  /// The members that have one value, or must contain an element.
  var equal: Set<DeclaredIndex.Member> = []
  /// The members by which the result is ordered, without the document's name.
  var order: [DeclaredIndex.Member] = []
  /// Whether the document's name is ordered as the last of them.
  var isNameAlong = true

  /// The index that is missing.
  ///
  /// As in Google's service, several indexes that end with the order serve together the members before it,
  /// and an index is not read backwards.
  ///
  /// - Parameter declared: the declared indexes.
  /// - Returns: `nil` when none is.
  func missing(of declared: [DeclaredIndex]) -> DeclaredIndex? {
    let equalPaths = Set(equal.filter { $0.mode != .contains }.map(\.path))
    let order = order.filter { !equalPaths.contains($0.path) }
    guard !order.isEmpty else { return isNameAlong || equal.count <= 1 ? nil : needed(order) }
    if order.count == 1, equal.isEmpty, isNameAlong { return nil }
    var served: Set<DeclaredIndex.Member> = []
    var isOrdered = false
    for index in declared where isNameAlong && Array(index.members.suffix(order.count)) == order {
      let prefix = index.members.dropLast(order.count)
      guard equal.isSuperset(of: prefix) else { continue }
      isOrdered = true
      served.formUnion(prefix)
    }
    return isOrdered && served == equal ? nil : needed(order)
  }

  private func needed(_ order: [DeclaredIndex.Member]) -> DeclaredIndex {
    let equal = equal.sorted { one, other in
      one.mode != other.mode ? one.mode == .contains : one.path.text < other.path.text
    }
    var members = equal + order
    if !isNameAlong {
      let isDescending = order.last?.mode == .descending
      members.append(.init(.documentName, isDescending ? .ascending : .descending))
    }
    return DeclaredIndex(members)
  }
}

extension DeclaredIndex {
  fileprivate init(_ members: [Member]) { self.members = members }

  /// As people write it.
  var text: String { members.map(\.text).joined(separator: " + ") }
}
