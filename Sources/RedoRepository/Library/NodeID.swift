// The name of a node for programs outside this package: a value, not a text.

package import RedoObject

/// The ID of a node: the SHA-256 of its canonical bytes, 32 bytes.
///
/// Its written form is `sha256:` and 64 lower-case hex digits (redo-node(5)). IDs are ordered bytewise, which is also
/// the order of their written forms.
public struct NodeID: Hashable, Comparable, LosslessStringConvertible, Sendable {
  /// The same ID as this package uses it.
  package let object: ObjectID

  /// Creates the ID of an object.
  package init(_ object: ObjectID) { self.object = object }

  /// Reads the written form, 71 characters.
  ///
  /// - Parameter description: `sha256:` and 64 lower-case hex digits; anything else returns `nil`.
  public init?(_ description: String) {
    guard let object = ObjectID(text: description) else { return nil }
    self.object = object
  }

  /// The written form, 71 characters.
  public var description: String { object.text }

  /// Whether one ID comes before another.
  public static func < (left: NodeID, right: NodeID) -> Bool { left.object < right.object }
}
