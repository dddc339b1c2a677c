// A change of one ref as it is asked for: values are texts, and are not looked at yet.

package import RedoStore

/// What is to be done with one ref.
package struct RefChange: Equatable, Sendable {
  /// What is to be done.
  package enum Verb: String, CaseIterable, Sendable {
    /// Makes the new values all that stands there.
    case update
    /// The same, where nothing may stand before.
    case create
    /// Removes all that stands there.
    case delete
    /// Demands that just the old values stand there.
    case verify
    /// Puts an id beside those that stand there.
    case add
    /// Takes an id away from those that stand there.
    case remove
  }

  /// What is to be done.
  package let verb: Verb
  /// The ref.
  package let name: RefName
  /// The new value as written, empty for none; what `add` and `remove` are about.
  package let new: String?
  /// The old value as written, empty for none; `nil` when it is not given.
  package let old: String?

  /// One that may be said, whatever stands under the ref.
  ///
  /// - Parameters:
  ///   - verb: what is to be done.
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
