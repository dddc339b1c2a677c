// The words of greetings (redo-wire(5)) that are about stores, and not about the wire itself.

package import RedoObject
package import RedoRemote

/// The words of greetings that both sides know.
package enum SyncWord {
  /// Nodes without a signature are compared, too.
  package static let unsigned = "unsigned"
  /// Nothing may be pushed.
  package static let readOnly = "read-only"
  /// A server that caches data from elsewhere reads all of it again.
  package static let anew = "looks-anew"
  /// The prefix of the number of nodes that are compared.
  package static let nodes = WireCapabilities.nodes

  /// The prefix of the number of schemas that are compared, in an exchange about nodes: they may be asked for in the next one.
  package static let schemas = "schemas-"

  /// How many schemas a server compares, if it says so.
  package static func schemaCount(_ capabilities: WireCapabilities) -> Int? {
    count(behind: schemas, capabilities)
  }

  /// The word of an exchange about another kind of objects than nodes, said by both sides.
  package static func word(of kind: ObjectKind) -> String { "\(kindPrefix)\(kind.name)" }
  private static let kindPrefix = "kind-"

  /// The kind that a client asks for: nodes, unless it says another; `nil` for one that has no history here.
  package static func kind(in words: some Sequence<String>) -> ObjectKind? {
    guard let word = words.first(where: { $0.hasPrefix(kindPrefix) }) else { return .node }
    return ObjectKind(name: String(word.dropFirst(kindPrefix.utf8.count)))
      .flatMap { $0.hasHistory && $0 != .node ? $0 : nil }
  }

  /// The prefix of the number of receipts that a server keeps to itself, because they are private.
  ///
  /// Neither their ids nor a digest of these are told: with one, a guess at what a receipt says could be confirmed.
  package static let kept = "private-"

  /// How many receipts a server keeps to itself, if it says so.
  package static func keptCount(_ capabilities: WireCapabilities) -> Int {
    capabilities.words.lazy.filter { $0.hasPrefix(kept) }
      .compactMap { Int($0.dropFirst(kept.utf8.count)) }.first { $0 > 0 } ?? 0
  }

  /// The supported filters.
  package static let filters = ["filter-since", "filter-task"]

  /// The prefix of the most bytes in a turn.
  package static let body = "body-"

  /// The most bytes that a server accepts in one turn, if it says so.
  package static func turnLimit(_ capabilities: WireCapabilities) -> Int? {
    capabilities.words.lazy.filter { $0.hasPrefix(body) }
      .compactMap { Int($0.dropFirst(body.utf8.count)) }.first { $0 > 0 }
  }

  /// The number of nodes that a server compares, if it says so.
  package static func nodeCount(_ capabilities: WireCapabilities) -> Int? {
    count(behind: nodes, capabilities)
  }

  private static func count(behind prefix: String, _ capabilities: WireCapabilities) -> Int? {
    capabilities.words.lazy.filter { $0.hasPrefix(prefix) }
      .compactMap { Int($0.dropFirst(prefix.utf8.count)) }.first
  }
}
