// Messages about revisions that stand for nothing, or are ambiguous.

internal import RedoObject
package import RedoRepository
internal import RedoStore

extension RevisionFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    switch self {
    case .malformed(let text, let flaw):
      .fatal("not a valid revision '\(text)': \(Self.words(flaw))", hints: Self.hints(flaw))
    case .lonelyCaret: .fatal("'^' has no revision after it")
    case .openRange(let text):
      .fatal(
        "the range '\(text)' lacks an end",
        hints: ["a store has no current branch that could stand for it"])
    case .malformedDate(let text): .fatal("not a valid date '\(text)'", hints: [Moment.forms])
    case .malformedName(let text):
      .fatal(
        "not a valid object name '\(text)'",
        hints: [EncodingHint.text(for: Array(text.utf8).span)].compactMap(\.self))
    case .noObject(let text): .fatal("no object has the name '\(text)'")
    case .noRef(let text): .fatal("no ref has the name '\(text)'")
    case .ambiguous(let text, let refs, let objects):
      if refs.names.isEmpty {
        .fatal("short id '\(text)' is ambiguous", hints: objects.hints)
      } else {
        .fatal(
          "name '\(text)' is ambiguous", hints: objects.hints(after: refs.lines)
        )
      }
    case .severalObjects(let text, let objects):
      .fatal(
        "'\(text)' stands for \(objects.count) objects",
        hints: objects.hints)
    case .beforeHistory(let limit): .fatal("no change of the history is as old as \(limit.text)")
    case .noParent(let revision, let id, let parents):
      .fatal(
        "'\(revision)' names nothing: '\(id.text)' has \(parents) parent"
          + (parents == 1 ? "" : "s"))
    case .noAncestor(let revision, let id, let ancestors):
      .fatal(
        "'\(revision)' names nothing: '\(id.text)' has only \(ancestors) first ancestor"
          + (ancestors == 1 ? "" : "s"))
    case .neverNamed(let name): .fatal("no ref has ever had the name '\(name.text)'")
    case .fewChanges(let name, let count):
      .fatal("the log of '\(name.text)' has only \(count) " + (count == 1 ? "change" : "changes"))
    case .absentThen(let name, .instant(let moment)):
      .fatal("'\(name.text)' did not exist at \(DateStyle.iso.text(moment.milliseconds, now: 0))")
    case .absentThen(let name, .revision(let text)):
      .fatal("'\(name.text)' did not exist at '\(text)'")
    }
  }

  private static func words(_ flaw: Flaw) -> String {
    switch flaw {
    case .unnamed: "it names nothing"
    case .noStep(let text): "'\(text)' stands where '~' or '^' may stand"
    case .largeNumber: "a number is too large"
    case .unclosedPast: "'@{' has no '}'"
    case .malformedPast(let text): "'\(text)' is neither a number nor an instant"
    }
  }

  private static func hints(_ flaw: Flaw) -> [String] {
    if case .malformedPast = flaw { [Moment.forms] } else { [] }
  }
}

extension RefCandidates {
  /// One line for each candidate.
  fileprivate var lines: [String] { names.map { "  \($0.text)" } + (hasMore ? ["  and more"] : []) }
}
