// Names of authors and devices that look alike although they differ: one may pass itself off as the other.

internal import CanonicalJSON
package import RedoObject

/// What nodes call authors and devices, and who does.
package struct AlikeNames: Sendable {
  /// What is named.
  package enum Kind: Int, CaseIterable, Sendable {
    /// The name of an author.
    case author
    /// The address of an author.
    case email
    /// The id of a device.
    case deviceID
    /// The name of a device.
    case deviceName
  }

  /// Who uses a name.
  package struct Holders: Sendable {
    /// The names under which a summary counts the nodes.
    package fileprivate(set) var rows: Set<[UInt8]> = []
    /// The authors.
    package fileprivate(set) var users: Set<UserID> = []
  }

  /// Two or more names with one look.
  package struct Group: Sendable {
    /// What they name.
    package let kind: Kind
    /// The names, in the order of their bytes, each with those who use it.
    package let names: [(text: String, holders: Holders)]
  }

  /// The most other rows that a row lists.
  private static let otherLimit = 16

  private var holders = Kind.allCases.map { _ in [[UInt8]: Holders]() }

  /// Creates an empty value.
  package init() {}

  /// Records a name.
  ///
  /// - Parameters:
  ///   - name: JSON without quotes; `nil` when the node does not say.
  ///   - kind: what it names.
  ///   - row: the node.
  ///   - countedAs: the name of the row of the summary that counts the node.
  package mutating func note(
    _ name: [UInt8]?, _ kind: Kind, of row: VerdictRow, countedAs: [UInt8]
  ) {
    guard let name else { return }
    var found = holders[kind.rawValue][name] ?? Holders()
    found.rows.insert(countedAs)
    if let user = row.userID { found.users.insert(user) }
    holders[kind.rawValue][name] = found
  }

  /// The names that look alike, by kind, then by the bytes of the first name.
  package func groups() -> [Group] {
    Kind.allCases.flatMap { kind in
      let names = holders[kind.rawValue]
        .map { (text: StringEscape.unescape($0.key.span), holders: $0.value) }
        .sorted { $0.text.lexicographicallyPrecedes($1.text) }
        .map { (text: String(decoding: $0.text, as: UTF8.self), holders: $0.holders) }
      // Names are told apart by their bytes, and put together by what Swift calls equal.
      return Dictionary(grouping: names) { LookAlike.look(of: $0.text) }.values
        .filter { $0.count > 1 }
        .sorted { $0[0].text.utf8.lexicographicallyPrecedes($1[0].text.utf8) }
        .map { Group(kind: kind, names: $0) }
    }
  }

  /// For each row of the summary the first of the others with a name that looks like one of its own, sorted.
  package static func others(_ groups: [Group]) -> [[UInt8]: [String]] {
    var others: [[UInt8]: Set<[UInt8]>] = [:]
    for group in groups {
      let rows = group.names.reduce(into: Set<[UInt8]>()) { $0.formUnion($1.holders.rows) }
      guard rows.count > 1 else { continue }
      let first = rows.sorted { $0.lexicographicallyPrecedes($1) }.prefix(otherLimit + 1)
      for row in rows { others[row, default: []].formUnion(first) }
    }
    return others.reduce(into: [:]) { result, entry in
      result[entry.key] = entry.value.subtracting([entry.key])
        .sorted { $0.lexicographicallyPrecedes($1) }
        .prefix(otherLimit)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
