// What a revision can be that stands for nothing: not of the grammar, of no name, ambiguous, or of no such past.

package import RedoObject
package import RedoStore

/// What keeps a revision from standing for what it should.
package enum RevisionFault: Fault {
  /// The text is not of the grammar of revisions.
  case malformed(String, Flaw)
  /// `^` stands alone.
  case lonelyCaret
  /// A range has only one end.
  case openRange(String)
  /// A text is meant as an instant, and is none.
  case malformedDate(String)
  /// A text is neither an id nor a name.
  case malformedName(String)
  /// No object has the name.
  case noObject(String)
  /// No ref has the name.
  case noRef(String)
  /// A name stands for several refs, or for objects besides.
  case ambiguous(String, refs: RefCandidates, objects: ObjectCandidates)
  /// A revision that must stand for one object stands for several.
  case severalObjects(String, ObjectCandidates)
  /// All of the history is newer.
  case beforeHistory(WallTime)
  /// A node has not so many parents.
  case noParent(revision: String, of: ObjectID, parents: Int)
  /// A node has not so many first ancestors.
  case noAncestor(revision: String, of: ObjectID, ancestors: Int)
  /// No entry of the reflog names the ref.
  case neverNamed(RefName)
  /// The ref has not been changed so often.
  case fewChanges(RefName, count: Int)
  /// The ref stood for nothing then.
  case absentThen(RefName, Then)

  /// What breaks the grammar.
  package enum Flaw: Equatable, Sendable {
    /// Nothing stands before the steps.
    case unnamed
    /// This stands where a step may stand.
    case noStep(String)
    /// A number does not fit.
    case largeNumber
    /// `@{` is not closed.
    case unclosedPast
    /// What `@{}` holds is neither a number nor an instant.
    case malformedPast(String)
  }

  /// A place in the past of a ref.
  package enum Then: Sendable {
    /// At an instant.
    case instant(Moment)
    /// Where this revision says.
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
  /// How many are named.
  package static let limit = 20
  /// The first of them.
  package let names: [RefName]
  /// Whether there are more.
  package let hasMore: Bool

  /// The first of some refs.
  package init(_ names: [RefName]) {
    self.names = Array(names.prefix(Self.limit))
    hasMore = names.count > Self.limit
  }
}
