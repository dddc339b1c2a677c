// A requested change of one ref: its values are texts that have not been resolved.

package import RedoStore

/// What to do with one ref.
package struct RefChange: Equatable, Sendable {
  /// The kind of change.
  package enum Verb: String, CaseIterable, Sendable {
    /// Replaces all values by the new ones.
    case update
    /// The same, if the ref has no values before.
    case create
    /// Removes all values.
    case delete
    /// Requires exactly the old values.
    case verify
    /// Adds an ID to the values.
    case add
    /// Removes an ID from the values.
    case remove
  }

  /// The kind of change.
  package let verb: Verb
  /// The ref.
  package let name: RefName
  /// The new value as written, empty for none; for `add` and `remove` the ID in question.
  package let new: String?
  /// The old value as written, empty for none; `nil` when it is not given.
  package let old: String?

  /// Creates a change that makes sense whatever values the ref has.
  ///
  /// - Parameters:
  ///   - verb: the kind of change.
  ///   - name: the ref.
  ///   - new: the new value as written, empty for none.
  ///   - old: the old value as written, empty for none; `nil` for anything.
  /// - Throws: `singleValued`, `zeroNew` or `zeroOld`.
  package init(
    verb: Verb, name: RefName, new: String?, old: String?
  ) throws(RefFault) {
    (self.verb, self.name, self.new, self.old) = (verb, name, new, old)
    if isAboutOne, !name.isMultiValued { throw .singleValued(self) }
    if verb == .create || isAboutOne, let new, RefValue.isZero(new) { throw .zeroNew(self) }
    if verb == .delete, let old, RefValue.isZero(old) { throw .zeroOld(self) }
  }

  /// Whether it is about one of several ids.
  var isAboutOne: Bool { verb == .add || verb == .remove }
}
