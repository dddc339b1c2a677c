// redo show-ref: the refs of the store, all or some of them.

internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo show-ref [--heads] [--format=<format> | --json] [--sort=<key>]... [<pattern>...]`.
enum ShowRef: Command {
  static let name = "show-ref"
  static let readsArchives = true
  static let summary = "list the refs and what they name"
  static var usage: [String] {
    [
      "redo-show-ref [--heads] [--contains=<revision>] [--merged=<revision>]\n"
        + "              [--points-at=<revision>] [--format=<format> | --json]\n"
        + "              [--sort=<key>]... [--count=<n>] [-z] [<pattern>...]",
      "redo-show-ref --verify [-q] [--format=<format> | --json] [-z] <ref>...",
      "redo-show-ref --exists [-q] <ref>",
    ]
  }

  private static let heads = OptionSpec("heads", help: "only the heads of the store's own history")
  private static let sort = OptionSpec(
    "sort", .required("key"), help: "sort by an atom, descending with '-' before it")
  private static let count = OptionSpec(
    "count", .required("n"), help: "show at most <n> refs")
  private static let contains = OptionSpec(
    "contains", .required("revision"), help: "only refs that reach this node")
  private static let merged = OptionSpec(
    "merged", .required("revision"), help: "only refs to nodes that this one reaches")
  private static let pointsAt = OptionSpec(
    "points-at", .required("revision"), help: "only refs that name this object")
  private static let verify = OptionSpec(
    "verify", help: "take whole names, and fail if there is one without a ref")
  private static let exists = OptionSpec(
    "exists", help: "print nothing; exit 2 if there is no such ref")
  static var options: [OptionSpec] {
    [
      heads, contains, merged, pointsAt, .format, .json, sort, count, .nul, verify, exists, .quiet,
    ]
  }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    _ = try options.only(oneOf: [.format, .json])
    let mode = try options.only(oneOf: [verify, exists])
    if let mode {
      for other in [heads, contains, merged, pointsAt, sort, count] where options.has(other) {
        throw CommandError.usage(
          "'\(mode.spelling)' and '\(other.spelling)' cannot be used together")
      }
      guard !options.arguments.isEmpty else { throw CommandError.usage("no ref is named") }
      if mode.isSame(as: exists) { return try exists(&context, options) }
    }
    let end = options.rowEnd
    var listing = RefListing(
      format: options.has(.json)
        ? nil : try Format(options.value(.format) ?? "%(id) %(name)", atoms: RefAtom.all),
      keys: try keys(options), end: end, limit: try options.integer(count) ?? .max)
    let opened = try context.effects.openRepository()
    if mode != nil { return try verify(&context, options, &listing, opened) }

    var patterns = options.arguments.map { RefPattern($0) }
    let isHeads = options.has(heads)
    var prefix = RefPattern.commonPrefix(of: patterns)
    if isHeads {
      // Both conditions must hold, so the longer prefix is used.
      let heads = Array("heads/".utf8)
      if !prefix.starts(with: heads) {
        guard heads.starts(with: prefix) else { return .no }
        prefix = heads
      }
    }
    if patterns.isEmpty { patterns = [RefPattern("")] }
    var snapshot = try opened.snapshot()
    let reach = try RefReach(
      opened, now: context.clock(), contains: options.values(contains),
      merged: options.values(merged), pointsAt: options.values(pointsAt))
    try listing.list(
      &snapshot, prefix: String(decoding: prefix, as: UTF8.self), opened.objects, &context
    ) { ref in
      (!isHeads || ref.name.isOwnHeads) && patterns.contains { $0.matches(ref.name.bytes) }
        && reach.matches(ref)
    }
    return listing.shown > 0 || listing.limit == 0 ? .ok : .no
  }

  private static func keys(_ options: ParsedOptions) throws -> [RefSort] {
    var keys: [RefSort] = []
    for text in options.values(sort) { keys.append(try RefSort(text)) }
    return keys.reversed()
  }

  private static func exists(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.count == 1, !options.has(.format), !options.has(.json) else {
      throw CommandError.usage("'--exists' takes one ref, and shows nothing")
    }
    let text = options.arguments[0]
    let opened = try context.effects.openRepository()
    var found: [ObjectID] = []
    do throws(RefsError) {
      var snapshot = try opened.store.refs.snapshot()
      if let name = RefName(text) { found = try snapshot.ids(of: name) }
    } catch {
      // As in git, a failure to find out has a different exit status from both answers.
      throw CommandError(.refused, error.description)
    }
    if !found.isEmpty { return .ok }
    if options.has(.quiet) { return .absent }
    throw CommandError(.absent, "no ref has the name '\(text)'")
  }

  private static func verify(
    _ context: inout Context, _ options: ParsedOptions, _ listing: inout RefListing,
    _ opened: Repository
  ) throws -> Exit {
    let revisions = Revisions(opened, now: context.clock())
    for text in options.arguments {
      var refs: [Ref] = []
      if let name = RefName(text) {
        refs = try revisions.ids(of: name).map { Ref(name: name, id: $0) }
      }
      if refs.isEmpty {
        if options.has(.quiet) { return .no }
        throw CommandError.fatal("no ref has the name '\(text)'")
      }
      if !options.has(.quiet) { try listing.show(refs, opened.objects, &context) }
    }
    return .ok
  }
}
