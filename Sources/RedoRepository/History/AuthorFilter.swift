// Which authors somebody means, by what people remember of them: for the log, and for what is taken back.

internal import CanonicalJSON
internal import RedoCrypto
package import RedoHistory
internal import RedoObject

/// A choice among authors.
package struct AuthorFilter: Sendable {
  private let authors: [Pattern]
  private let devices: [Pattern]
  private let keys: [String]

  /// Whether every author is chosen.
  package var isEmpty: Bool { authors.isEmpty && devices.isEmpty && keys.isEmpty }

  /// A choice by any of several names of each sort; of a sort without names, every author is chosen.
  ///
  /// - Parameters:
  ///   - authors: each the beginning of a user id, or a part of a name or an e-mail address.
  ///   - devices: each a part of an id or a name.
  ///   - keys: public keys that nodes carry, or their beginnings.
  package init(authors: [String] = [], devices: [String] = [], keys: [String] = []) {
    self.authors = authors.map(Pattern.init)
    self.devices = devices.map(Pattern.init)
    self.keys = keys.map { $0.lowercased() }
  }

  /// Whether a text can be a public key or its beginning: 4 to 64 hex digits.
  package static func isKey(_ text: String) -> Bool {
    ObjectName.shortest...64 ~= text.utf8.count
      && text.lowercased().utf8.allSatisfy { Hex.value($0) < 16 }
  }

  /// Whether an author is chosen.
  package func matches(_ author: GraphAuthor) -> Bool {
    (authors.isEmpty || authors.contains { $0.matches(author) })
      && (devices.isEmpty || devices.contains { $0.matches(deviceOf: author) })
      && (keys.isEmpty || hasKey(author))
  }

  private func hasKey(_ author: GraphAuthor) -> Bool {
    guard let key = author.publicKey else { return false }
    let digits = Hex.text(key.span)
    return keys.contains { digits.hasPrefix($0) }
  }
}

/// A name as people remember it: the prefix of an id, or a part of a name, ignoring case.
private struct Pattern: Sendable {
  private let text: String
  private let needle: QueryNeedle

  init(_ text: String) {
    self.text = text.lowercased()
    needle = QueryNeedle(Array(text.utf8))
  }

  /// Whether an author has a matching user id, name or e-mail address.
  func matches(_ author: GraphAuthor) -> Bool {
    isBeginning(of: author.userID.text) || isPart(of: author.name) || isPart(of: author.email)
  }

  /// Whether an author's device has a matching id or name.
  func matches(deviceOf author: GraphAuthor) -> Bool {
    isPart(of: author.deviceID) || isPart(of: author.deviceName)
  }

  private func isBeginning(of id: String) -> Bool {
    text.utf8.count >= ObjectName.shortest && id.hasPrefix(text)
  }

  private func isPart(of escaped: [UInt8]?) -> Bool {
    escaped.map { needle.isIn(StringEscape.unescape($0.span)) } ?? false
  }
}
