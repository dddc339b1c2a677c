// What the bytes of an object are (protocol, section 6). The kind is a label, not part of the name.

/// The kind of an object: a label on its canonical bytes.
@frozen
package enum ObjectKind: UInt8, CaseIterable, Sendable {
  /// A signed change; its canonical bytes are its canonical body.
  case node
  /// Bytes without further meaning.
  case blob

  /// The word in a loose object's header and in options.
  package var name: StaticString {
    switch self {
    case .node: "node"
    case .blob: "blob"
    }
  }

  /// Reads the word.
  package init?(name: some StringProtocol) {
    switch name {
    case "node": self = .node
    case "blob": self = .blob
    default: return nil
    }
  }
}
