// redo merge-base: where histories part, in the manner of git-merge-base(1).

internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo merge-base [-a] [--octopus | --independent | --is-ancestor | --fork-point] <revision>...`.
enum MergeBaseCommand: Command {
  static let name = "merge-base"
  static let readsArchives = true
  static let summary = "find the common ancestors of changes"
  static var usage: [String] {
    [
      "redo-merge-base [-a | --all] <revision> <revision>...",
      "redo-merge-base [-a | --all] --octopus <revision>...",
      "redo-merge-base --independent <revision>...",
      "redo-merge-base --is-ancestor <revision> <revision>",
      "redo-merge-base --fork-point <ref> <revision>",
    ]
  }

  private static let all = OptionSpec(
    "all", letter: "a", help: "print all best common ancestors, not only the newest")
  private static let octopus = OptionSpec(
    "octopus", help: "the ancestors that all have in common, for one merge of all")
  private static let independent = OptionSpec(
    "independent", help: "which of them no other one reaches")
  private static let isAncestor = OptionSpec(
    "is-ancestor", help: "print nothing; 0 if the first is an ancestor of the second, else 1")
  private static let forkPoint = OptionSpec(
    "fork-point", help: "where the second left the first, a ref, by what it ever stood for")
  private static let cache = HistoryGraph.cache
  static var options: [OptionSpec] {
    [all, octopus, independent, isAncestor, forkPoint, cache, .json, .nul]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    let mode = try options.only(oneOf: [octopus, independent, isAncestor, forkPoint])
    try check(mode, options)
    let revisions = Revisions(try context.effects.openRepository(), now: context.clock())
    let usesCache = options.flag(cache) ?? true
    if mode?.isSame(as: forkPoint) == true {
      guard let id = try forkPoint(options.arguments, revisions, usesCache) else { return .no }
      try write([id], options, &context)
      return .ok
    }
    var ids: [ObjectID] = []
    for text in options.arguments { ids.append(try revisions.one(text)) }
    let question: AncestryQuestion
    if mode?.isSame(as: isAncestor) == true {
      question = .isAncestor(ids[0], of: ids[1])
    } else if mode?.isSame(as: independent) == true {
      question = .independent(ids)
    } else if mode?.isSame(as: octopus) == true {
      question = .octopus(ids)
    } else {
      question = .common([ids[0]], Array(ids.dropFirst()))
    }
    let found = try revisions.answer(question, usesCache: usesCache)
    guard !found.isEmpty else { return .no }
    switch question {
    case .isAncestor: break
    case .independent: try write(found, options, &context)
    case .common, .octopus:
      try write(options.has(all) ? found : Array(found.prefix(1)), options, &context)
    }
    return .ok
  }

  /// Checks how many revisions each form takes; as in git, forms that take any number also take none, and then
  /// find no ancestor.
  private static func check(_ mode: OptionSpec?, _ options: ParsedOptions) throws {
    let count = options.arguments.count
    guard let mode else {
      guard count >= 2 else { throw CommandError.usage("two revisions or more are needed") }
      return
    }
    if options.has(all), !mode.isSame(as: octopus) {
      throw CommandError.usage("options '--all' and '\(mode.spelling)' cannot be used together")
    }
    if mode.isSame(as: isAncestor), count != 2 {
      throw CommandError.usage("'--is-ancestor' takes two revisions")
    }
    if mode.isSame(as: forkPoint), count != 2 {
      throw CommandError.usage(
        "'--fork-point' takes a ref and a revision",
        hints: count == 1 ? ["a store has no current branch that could stand for the second"] : [])
    }
  }

  /// The best common ancestor of a node and all former values of a ref, if there is exactly one and
  /// it was itself a value of the ref.
  private static func forkPoint(
    _ arguments: [String], _ revisions: Revisions, _ usesCache: Bool
  ) throws -> ObjectID? {
    let name = try revisions.refName(arguments[0])
    let id = try revisions.one(arguments[1])
    let past = try revisions.past(of: name)
    guard !past.changes.isEmpty else {
      throw CommandError.fatal("no ref has ever had the name '\(name.text)'")
    }
    var stood: Set<ObjectID> = []
    for change in past.changes {
      for old in change.added { stood.insert(old) }
    }
    // Ids that have been wiped are ignored; objects that are not nodes have no descendants.
    var known: [ObjectID] = []
    for old in stood.sorted() where try revisions.isNode(old) { known.append(old) }
    let bases = try revisions.answer(.common([id], known), usesCache: usesCache)
    guard bases.count == 1, stood.contains(bases[0]) else { return nil }
    return bases[0]
  }

  private static func write(
    _ ids: [ObjectID], _ options: ParsedOptions, _ context: inout Context
  ) throws {
    let rows = RowWriter<ObjectID>([.word("id") { $0.text }], options)
    try rows.write(ids, &context)
  }
}

extension Revisions {
  /// Whether there is an object with this id, and it is a node.
  fileprivate func isNode(_ id: ObjectID) throws -> Bool {
    return try opened.objects.read(id)?.kind == .node
  }
}
