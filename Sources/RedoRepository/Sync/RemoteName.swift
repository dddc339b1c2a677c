// The names of remotes, which are used in settings, in refs and as directories.

internal import RedoStore

/// The name of a remote.
package struct RemoteName: Hashable, Sendable {
  /// The most bytes of a name.
  package static let byteLimit = 64

  /// The name.
  package let text: String

  /// Creates a name; `nil` when it is not valid.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, bytes.count <= Self.byteLimit, Self.isAlphanumeric(first),
      bytes.allSatisfy({ Self.isAlphanumeric($0) || "._-".utf8.contains($0) }),
      RefName("remotes/\(text)/heads/-") != nil, bytes.last != UInt8(ascii: ".")
    else { return nil }
    self.text = text
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
