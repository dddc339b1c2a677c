// The name of a ref: what git's check-ref-format(1) allows, in UTF-8, with at least one slash.

package import RedoObject

/// The name of a ref, such as `heads/4f2c` or `remotes/home/heads/-`.
///
/// Names are ordered and compared by their bytes, never by what Unicode considers equivalent.
package struct RefName: Hashable, Comparable, Sendable {
  /// The most bytes a name may have: the longest line of a block stays far below a block.
  package static let maximumCount = 1_024

  /// The bytes of the name.
  package let bytes: [UInt8]

  /// Reads a name.
  ///
  /// - Parameter text: the name; `nil` when it breaks a rule.
  package init?(_ text: some StringProtocol) {
    self.init(bytes: Array(text.utf8))
  }

  /// Reads a name.
  ///
  /// - Parameter bytes: the name; `nil` when it breaks a rule.
  package init?(bytes: [UInt8]) {
    guard Self.isValid(bytes) else { return nil }
    self.bytes = bytes
  }

  /// The name as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Feeds all bytes at once, which takes a fraction of the time of one by one.
  package func hash(into hasher: inout Hasher) {
    // SAFETY: the hasher reads the bytes before the call returns.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// Names are ordered by their bytes.
  package static func < (left: RefName, right: RefName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// Whether the name begins with these bytes.
  package func hasPrefix(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  /// Whether it is a name of heads of this store's own history.
  package var isHeads: Bool { hasPrefix(Array("heads/".utf8)) }

  /// Whether the name may have several ids at once.
  ///
  /// Those are the heads: our own, a remote's, those of a recovered history.
  package var isMultiValued: Bool {
    let parts = bytes.split(separator: UInt8(ascii: "/"))
    switch parts.count {
    case 2: return ObjectKind.isHeadsFolder(parts[0])
    case 4:
      return ObjectKind.isHeadsFolder(parts[2])
        && (parts[0].elementsEqual("remotes".utf8) || parts[0].elementsEqual("recovered".utf8))
    default: return false
    }
  }

  /// One pass over the bytes: every line of every block that is read comes through here.
  private static func isValid(_ bytes: [UInt8]) -> Bool {
    guard (1...maximumCount).contains(bytes.count) else { return false }
    let slash = UInt8(ascii: "/")
    let dot = UInt8(ascii: ".")
    var start = 0
    var hasSlash = false
    var isASCII = true
    var before = slash
    for index in bytes.indices {
      let byte = bytes[index]
      if isBanned(byte) { return false }
      if byte == slash {
        guard index > start, !isLock(bytes, start..<index) else { return false }
        hasSlash = true
        start = index + 1
      } else if byte == dot && (before == slash || before == dot) {
        return false
      } else if byte == UInt8(ascii: "{") && before == UInt8(ascii: "@") {
        return false
      } else if byte >= 0x80 {
        isASCII = false
      }
      before = byte
    }
    guard hasSlash, start < bytes.count, !isLock(bytes, start..<bytes.count) else { return false }
    return isASCII || String(validating: bytes, as: UTF8.self) != nil
  }

  /// Whether a component ends in `.lock`.
  private static func isLock(_ bytes: [UInt8], _ component: Range<Int>) -> Bool {
    component.count >= 5 && bytes[component].suffix(5).elementsEqual(".lock".utf8)
  }

  /// Control bytes, the space, DEL, and what means something in a range or a pattern.
  private static func isBanned(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F: true
    case UInt8(ascii: "~"), UInt8(ascii: "^"), UInt8(ascii: ":"), UInt8(ascii: "?"),
      UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "\\"):
      true
    default: false
    }
  }
}

/// A name and one of its ids.
package struct Ref: Hashable, Comparable, Sendable {
  /// The name.
  package let name: RefName
  /// The object it names.
  package let id: ObjectID

  /// A ref of its parts.
  package init(name: RefName, id: ObjectID) {
    self.name = name
    self.id = id
  }

  /// Refs are ordered by name, then id.
  package static func < (left: Ref, right: Ref) -> Bool {
    left.name == right.name ? left.id < right.id : left.name < right.name
  }

  /// Appends `sha256:<hex> SP <name> LF`.
  func appendLine(to output: inout [UInt8]) {
    id.append(to: &output)
    output.append(UInt8(ascii: " "))
    output.append(contentsOf: name.bytes)
    output.append(UInt8(ascii: "\n"))
  }

  /// The number of bytes of its line.
  var lineCount: Int { ObjectID.textCount + 1 + name.bytes.count + 1 }
}
