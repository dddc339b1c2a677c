// A value of a ref as it is written: a revision, nothing (zeros or no text), or for
// names under which several ids stand, revisions with commas between them.

package import RedoObject
package import RedoStore

/// Reads values.
package enum RefValue {
  /// Whether a text says that nothing stands there: empty, or 64 zeros with or without the prefix.
  package static func isZero(_ text: String) -> Bool {
    let digits = text.hasPrefix("sha256:") ? text.dropFirst(7) : text[...]
    return text.isEmpty || (digits.utf8.count == 64 && digits.utf8.allSatisfy { $0 == 0x30 })
  }

  /// The ids that a text stands for, in order; none for nothing.
  ///
  /// - Throws: `fatal` when a part of it stands for nothing or for several.
  package static func ids(
    _ text: String, for name: RefName, _ revisions: Revisions
  ) throws -> [ObjectID] {
    if isZero(text) { return [] }
    guard name.isMultiValued else { return [try revisions.one(text)] }
    var ids: Set<ObjectID> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      ids.insert(try revisions.one(String(part)))
    }
    return ids.sorted()
  }

  /// Ids as one value.
  package static func text(_ ids: [ObjectID]) -> String {
    ids.isEmpty
      ? RefTransaction.zero.text : ids.map(\.text).joined(separator: ",")
  }
}
