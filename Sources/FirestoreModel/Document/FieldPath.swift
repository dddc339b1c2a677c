// The place of a field: names joined by dots. A name that is not an identifier is in backquotes, within
// which a backslash escapes a backquote or a backslash.

package import CanonicalJSON

/// The place of a field in a document.
package struct FieldPath: Sendable {
  /// The longest path in bytes.
  package static let byteLimit = 1500
  /// The pseudo field for the document's name.
  package static let documentName = FieldPath("__name__")

  /// The names from the outside to the inside, at least one.
  package let names: [String]

  /// A path of names that are taken as they are; for paths that are known at compile time.
  ///
  /// - Parameter names: at least one.
  package init(_ names: String...) {
    precondition(!names.isEmpty, "BUG: a field path without names")
    self.names = names
  }

  /// A path of names that are taken as they are.
  ///
  /// `nil` without names, or with an empty one.
  ///
  /// - Parameter names: any names.
  package init?(names: [String]) {
    guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.names = names
  }

  /// Reads a path.
  ///
  /// `nil` for anything else, and for a path over 1500 bytes.
  ///
  /// - Parameter text: names joined by dots, those that are not identifiers in backquotes.
  package init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.byteLimit else { return nil }
    var names: [String] = []
    var index = 0
    while true {
      guard let name = Self.takeName(bytes, &index) else { return nil }
      names.append(name)
      if index == bytes.count { break }
      guard bytes[index] == UInt8(ascii: ".") else { return nil }
      index += 1
    }
    self.names = names
  }

  private static func takeName(_ bytes: [UInt8], _ index: inout Int) -> String? {
    guard index < bytes.count else { return nil }
    var name: [UInt8] = []
    if bytes[index] != UInt8(ascii: "`") {
      while index < bytes.count, bytes[index] != UInt8(ascii: ".") {
        name.append(bytes[index])
        index += 1
      }
      let text = String(decoding: name, as: UTF8.self)
      return isIdentifier(text) ? text : nil
    }
    index += 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "`") {
      if bytes[index] == UInt8(ascii: "\\") { index += 1 }
      guard index < bytes.count else { return nil }
      name.append(bytes[index])
      index += 1
    }
    guard index < bytes.count, !name.isEmpty else { return nil }
    index += 1
    return String(decoding: name, as: UTF8.self)
  }

  /// Whether a name needs no backquotes: `[a-zA-Z_][a-zA-Z_0-9]*`.
  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.utf8.first, first &- UInt8(ascii: "0") >= 10 else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  /// Whether a name is one that Firestore keeps for itself: `__`, anything, `__`.
  ///
  /// - Parameter name: a name of a field, a collection or a document.
  /// - Returns: whether the name is reserved.
  package static func isReserved(_ name: String) -> Bool {
    let bytes = name.utf8
    return bytes.count >= 4 && bytes.starts(with: "__".utf8)
      && bytes.reversed().starts(with: "__".utf8)
  }

  /// The path in its written form.
  package var text: String { names.map(Self.quoted).joined(separator: ".") }

  private static func quoted(_ name: String) -> String {
    guard !isIdentifier(name) else { return name }
    var output: [UInt8] = [UInt8(ascii: "`")]
    for byte in name.utf8 {
      if byte == UInt8(ascii: "`") || byte == UInt8(ascii: "\\") {
        output.append(UInt8(ascii: "\\"))
      }
      output.append(byte)
    }
    output.append(UInt8(ascii: "`"))
    return String(decoding: output, as: UTF8.self)
  }

  /// Whether this is the document's name rather than a field.
  package var isDocumentName: Bool { names.count == 1 && names[0] == "__name__" }
}

extension FieldPath: Hashable {
  package static func == (left: FieldPath, right: FieldPath) -> Bool {
    left.names.count == right.names.count
      && zip(left.names, right.names).allSatisfy { ExactText.areEqual($0, $1) }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(names) }
}

extension FieldPath {
  /// Reads a path from JSON.
  ///
  /// - Parameters:
  ///   - json: a string.
  ///   - owner: what it is a part of.
  /// - Throws: `FirestoreFormatError` for anything that is not a path.
  package init(_ json: JSONValue?, of owner: JSONValue) throws(FirestoreFormatError) {
    guard let json else { throw owner.fault("no field path") }
    guard let path = json.string.flatMap({ FieldPath(text: $0) }) else {
      throw json.fault("not a field path")
    }
    self = path
  }
}
