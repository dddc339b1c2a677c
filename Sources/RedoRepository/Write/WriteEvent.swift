// What happens to nodes on their way into a store.

package import RedoObject

/// Something that happened to a node on its way.
package enum WriteEvent: Sendable {
  /// A text breaks a rule and is refused; what messages call it, whose quotes are around the whole.
  case refused(Finding, of: String)
  /// A node of the input must not be taken, for what others are to it.
  case leftOut(Finding, of: String)
  /// Nodes break a rule and are taken all the same: the first of them, and how many times it is broken.
  case odd(Finding, of: String, count: Int)
  /// So many nodes are refused, more than are named.
  case refusedInAll(Int)
}
