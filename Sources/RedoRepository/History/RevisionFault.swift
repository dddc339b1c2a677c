// Why a revision resolves to nothing: it breaks the grammar, nothing has the name, it is ambiguous, or there is no such
// past.

package import RedoObject
package import RedoStore

/// The errors of resolving a revision.
package enum RevisionFault: Fault {
  /// The text breaks the grammar of revisions.
  case malformed(String, Flaw)
  /// `^` is alone.
  case lonelyCaret
  /// A range has only one end.
  case openRange(String)
  /// A text is meant as an instant, but is not one.
  case malformedDate(String)
  /// A text is neither an ID nor a name.
  case malformedName(String)
  /// No object has the name.
  case noObject(String)
  /// No ref has the name.
  case noRef(String)
  /// A name matches several refs, or objects as well.
  case ambiguous(String, refs: RefCandidates, objects: ObjectCandidates)
  /// A revision that must name one object matches several.
  case severalObjects(String, ObjectCandidates)
  /// The whole history is newer.
  case beforeHistory(WallTime)
  /// A node does not have that many parents.
  case noParent(revision: String, of: ObjectID, parents: Int)
  /// A node does not have that many first ancestors.
  case noAncestor(revision: String, of: ObjectID, ancestors: Int)
  /// No entry of the reflog names the ref.
  case neverNamed(RefName)
  /// The ref has not been changed that often.
  case fewChanges(RefName, count: Int)
  /// The ref did not exist then.
  case absentThen(RefName, Then)

  /// How a text breaks the grammar.
  package enum Flaw: Equatable, Sendable {
    /// Nothing comes before the steps.
    case unnamed
    /// This text is where a step should be.
    case noStep(String)
    /// A number is too large.
    case largeNumber
    /// `@{` is not closed.
    case unclosedPast
    /// The content of `@{}` is neither a number nor an instant.
    case malformedPast(String)
  }

  /// A place in the past of a ref.
  package enum Then: Sendable {
    /// At an instant.
    case instant(Moment)
    /// At the place that this revision names.
    case revision(String)
  }

  /// The kind of error.
  package var code: RedoError.Code {
    switch self {
    case .malformed, .lonelyCaret, .openRange, .malformedDate, .malformedName: .malformed
    case .ambiguous, .severalObjects: .invalid
    case .noObject, .noRef, .beforeHistory, .noParent, .noAncestor, .neverNamed, .fewChanges,
      .absentThen:
      .missing
    }
  }

  /// The revision, name or ref that it is about.
  package var subject: String? {
    switch self {
    case .malformed(let text, _), .openRange(let text), .malformedDate(let text),
      .malformedName(let text), .noObject(let text), .noRef(let text), .ambiguous(let text, _, _),
      .severalObjects(let text, _), .noParent(let text, _, _), .noAncestor(let text, _, _):
      text
    case .lonelyCaret: "^"
    case .beforeHistory(let limit): limit.text
    case .neverNamed(let name), .fewChanges(let name, _), .absentThen(let name, _): name.text
    }
  }
}

/// The refs that an ambiguous name may mean.
package struct RefCandidates: Sendable {
  /// The most refs that are listed.
  package static let limit = 20
  /// The first of them.
  package let names: [RefName]
  /// Whether there are more.
  package let hasMore: Bool

  /// Creates a list of the first of some refs.
  package init(_ names: [RefName]) {
    self.names = Array(names.prefix(Self.limit))
    hasMore = names.count > Self.limit
  }
}
