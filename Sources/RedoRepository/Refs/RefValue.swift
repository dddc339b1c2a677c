// A value of a ref as it is written: a revision, nothing (zeros or an empty text), or for names with several values,
// revisions separated by commas.

package import RedoObject
package import RedoStore

/// Reads values.
package enum RefValue {
  /// Whether a text means that there is no value: empty, or 64 zeros with or without the prefix.
  package static func isZero(_ text: String) -> Bool {
    let digits = text.hasPrefix("sha256:") ? text.dropFirst(7) : text[...]
    return text.isEmpty || (digits.utf8.count == 64 && digits.utf8.allSatisfy { $0 == 0x30 })
  }

  /// The IDs that a text stands for, in order; empty for no value.
  ///
  /// - Throws: `RevisionFault` when a part of it resolves to nothing or to several objects.
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
