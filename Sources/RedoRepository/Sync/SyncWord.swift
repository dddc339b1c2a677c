// The words of greetings (redo-wire(5)) that are about stores, and not about the wire itself.

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
    capabilities.words.lazy.filter { $0.hasPrefix(nodes) }
      .compactMap { Int($0.dropFirst(nodes.utf8.count)) }.first
  }
}
