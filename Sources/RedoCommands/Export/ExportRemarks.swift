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
  static func kinds(in scanner: borrowing Scanner, _ text: Span<UInt8>) -> [Kind] {
    var kinds: [Kind] = []
    forEachMember(of: 0, scanner) { name, value in
      let name = text.extracting(scanner[name].range)
      if name.elementsEqual("action") {
        let action = text.extracting(scanner[value].range)
        if !actions.contains(where: { action.elementsEqual($0) }) { kinds.append(.action) }
      } else if name.elementsEqual("author") {
        forEachMember(of: value, scanner) { name, _ in
          let name = text.extracting(scanner[name].range)
          let isExtra = name.elementsEqual("email") || name.elementsEqual("deviceName")
          if isExtra, !kinds.contains(.author) { kinds.append(.author) }
        }
      } else if name.elementsEqual("data") {
        forEachMember(of: value, scanner) { name, _ in
          let name = text.extracting(scanner[name].range)
          if name.elementsEqual("payload") { kinds.append(.payload) }
          if name.elementsEqual("conflictResolution") { kinds.append(.conflictResolution) }
        }
        if hasEqualNames(below: value, scanner, text) { kinds.append(.names) }
      }
    }
    return kinds
  }

  private static func forEachMember(
    of object: Int, _ scanner: borrowing Scanner, _ visit: (_ name: Int, _ value: Int) -> Void
  ) {
    guard scanner[object].kind == .object else { return }
    var name = object + 1
    let end = Int(scanner[object].next)
    while name < end {
      visit(name, name + 1)
      name = Int(scanner[name + 1].next)
    }
  }

  /// Whether two names of one object are the same to Swift, which equates what Unicode holds to be
  /// equivalent.
  private static func hasEqualNames(
    below value: Int, _ scanner: borrowing Scanner, _ text: Span<UInt8>
  ) -> Bool {
    for index in value..<Int(scanner[value].next) where scanner[index].kind == .object {
      var names: [Range<Int>] = []
      forEachMember(of: index, scanner) { name, _ in names.append(scanner[name].range) }
      let isASCII = names.allSatisfy { $0.allSatisfy { text[$0] < 0x80 && text[$0] != 0x5C } }
      if isASCII { continue }
      let texts = names.map { range in
        String(decoding: StringEscape.unescape(text.extracting(range)), as: UTF8.self)
      }
      if Set(texts).count < texts.count { return true }
    }
    return false
  }
}
