// What happens to nodes on their way into a store.

package import RedoObject

/// Something that happened to a node on its way.
package enum WriteEvent: Sendable {
  /// A text breaks a rule and is refused; its name in messages, which put quotes around the whole.
  case refused(Finding, of: String)
  /// A node of the input must not be taken, because of its relation to others.
  case leftOut(Finding, of: String)
  /// Nodes break a rule and are taken nevertheless: the first of them, and how often the rule is broken.
  case odd(Finding, of: String, count: Int)
  /// Whether a change fits its record is not known, since the record or its schema cannot be read.
  case unchecked(String, cause: any Error)
  /// A number is outside of its usual range, and was not forced.
  case outOfRange(Finding, of: String)
  /// This many nodes are refused, more than are named.
  case refusedInAll(Int)
  /// This many nodes are in the history again, out of which they had been taken here.
  case returned(Int)
}
