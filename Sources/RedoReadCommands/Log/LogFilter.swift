// The filters of a log: which changes of a walk are shown. They never limit the walk itself.

internal import CanonicalJSON
internal import RedoHistory
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// The requested filters, before the history is known.
struct LogFilter {
  static let since = OptionSpec(
    "since", .required("date"), help: "only changes with a wall time at or after <date>")
  static let after = OptionSpec("after", .required("date"), help: "the same as '--since'")
  static let until = OptionSpec(
    "until", .required("date"), help: "only changes with a wall time at or before <date>")
  static let before = OptionSpec("before", .required("date"), help: "the same as '--until'")
  static let action = OptionSpec(
    "action", .required("action"), help: "only changes with this action")
  static let author = OptionSpec(
    "author", .required("author"), help: "only changes by an author of this user id or name")
  static let device = OptionSpec(
    "device", .required("device"), help: "only changes made on a device of this id or name")
  static let key = OptionSpec("key", .required("key"), help: "only changes that carry this key")
  static let task = OptionSpec(
    "task", .required("task"), help: "only changes about this task, by its id or the beginning")
  static let field = OptionSpec(
    "field", .required("name"), help: "only changes with this member in their content")
  static let grep = OptionSpec(
    "grep", .required("text"), help: "only changes with this text in a string of their content")
  static let ignoreCase = OptionSpec(
    "ignore-case", letter: "i", help: "upper and lower case are alike for '--grep' and '-S'")
  static let pickaxe = OptionSpec(
    letter: "S", .required("text"),
    help: "only changes that bring this text into their task, or out")
  static let lamportAbove = OptionSpec(
    "lamport-gt", .required("n"), help: "only changes with a lamport greater than <n>")
  static let afterID = OptionSpec(
    "after-id", .required("revision"),
    help: "only changes that follow <revision> in the total order")
  static let merges = OptionSpec("merges", help: "only changes with several parents, or none such")
  static let minParents = OptionSpec(
    "min-parents", .required("n"), help: "only changes with at least <n> parents")
  static let maxParents = OptionSpec(
    "max-parents", .required("n"), help: "only changes with at most <n> parents")
  static let roots = OptionSpec("roots", help: "only changes without parents")
  static let heads = OptionSpec(
    "heads", help: "only changes that no other change of their task descends from")

  static let specs = [
    since, after, until, before, action, author, device, key, task, field, grep, pickaxe,
    ignoreCase,
    lamportAbove, afterID, merges, minParents, maxParents, roots, heads,
  ]

  private var earliest = Int64.min
  private var latest = Int64.max
  private let actions: [String]
  private let authors: AuthorFilter
  /// The tasks, as given.
  private let tasks: [String]
  private let fields: [[UInt8]]
  private let texts: [TextNeedle]
  /// The texts that must come or go.
  let moved: [TextNeedle]
  private let lamportLimit: UInt64?
  /// The revision after which changes are shown.
  let afterRevision: String?
  private let parentCounts: ClosedRange<Int>?
  /// Whether only heads are shown.
  let wantsHeads: Bool

  /// Reads the options.
  ///
  /// - Throws: `fatal` for an invalid date, and for a name that no action, key or author can have.
  init(_ options: ParsedOptions, now: Int64) throws {
    if let moment = try Self.moment(options, [Self.since, Self.after], .start, now) {
      earliest = moment.milliseconds
    }
    if let moment = try Self.moment(options, [Self.until, Self.before], .end, now) {
      latest = moment.milliseconds
    }
    actions = options.values(Self.action)
    for name in actions where !Self.isActionName(name) {
      throw CommandError.fatal(
        "no action can have the name '\(name)'",
        hints: ["names of actions are upper-case letters, digits and '_'"]
          + (Action(rawValue: name.uppercased()).map { ["did you mean '\($0.rawValue)'?"] } ?? []))
    }
    authors = AuthorFilter(
      authors: options.values(Self.author), devices: options.values(Self.device),
      keys: options.values(Self.key))
    for text in options.values(Self.key) where !AuthorFilter.isKey(text) {
      throw CommandError.fatal("not a public key or its beginning, 4 to 64 hex digits: '\(text)'")
    }
    tasks = options.values(Self.task)
    fields = options.values(Self.field).map { Array($0.utf8) }
    lamportLimit = try options.integer(Self.lamportAbove).map(UInt64.init)
    afterRevision = options.value(Self.afterID)
    let isCaseless = options.has(Self.ignoreCase)
    texts = options.values(Self.grep).map { TextNeedle($0, isCaseless: isCaseless) }
    moved = options.values(Self.pickaxe).map { TextNeedle($0, isCaseless: isCaseless) }
    if (texts + moved).contains(where: \.isEmpty) {
      throw CommandError.usage("an empty text is in everything")
    }
    if isCaseless, texts.isEmpty, moved.isEmpty {
      throw CommandError.usage("'--ignore-case' requires '--grep' or '-S'")
    }
    parentCounts = try Self.parentCounts(options)
    wantsHeads = options.has(Self.heads)
  }

  /// How many parents a change may have; `nil` for any number.
  ///
  /// - Throws: `usage` for a number that is none, or where no number would do.
  private static func parentCounts(_ options: ParsedOptions) throws -> ClosedRange<Int>? {
    var least = try options.integer(minParents) ?? 0
    var most = try options.integer(maxParents) ?? .max
    if let isMerge = options.flag(merges) {
      if isMerge { least = max(least, 2) } else { most = min(most, 1) }
    }
    if options.has(roots) { most = 0 }
    guard least <= most else {
      throw CommandError.usage("no change has at least \(least) parents and at most \(most)")
    }
    return least == 0 && most == .max ? nil : least...most
  }

  /// The instant of an option that has two names; the last one given counts.
  private static func moment(
    _ options: ParsedOptions, _ specs: [OptionSpec], _ side: Moment.Side, _ now: Int64
  ) throws -> Moment? {
    let last = options.given.last { given in specs.contains { $0 ~= given } }
    guard let last, !last.isNegated, let text = last.value else { return nil }
    if let moment = Moment(text, side, now: now) { return moment }
    throw CommandError.fatal(
      "not a valid date '\(text)' in '\(last.spec.spelling)'", hints: [Moment.forms])
  }

  private static func isActionName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
    return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first
      && name.utf8.allSatisfy {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
          || $0 == UInt8(ascii: "_")
      }
  }

  /// The columns of the index that the filters need.
  var columns: GraphSegment.Columns {
    var columns: GraphSegment.Columns = []
    if earliest != .min || latest != .max || lamportLimit != nil { columns.insert(.clocks) }
    if !actions.isEmpty || !authors.isEmpty || !tasks.isEmpty {
      columns.insert(.labels)
    }
    if !fields.isEmpty || !texts.isEmpty { columns.formUnion([.data, .clocks]) }
    if parentCounts != nil { columns.insert(.parents) }
    if !moved.isEmpty { columns = .all }
    return columns
  }

  /// Whether everything is shown.
  var isEmpty: Bool { columns.isEmpty && afterRevision == nil && !wantsHeads }

  /// Looks the names up in a history.
  ///
  /// - Parameters:
  ///   - graph: the history; its tables and the columns of the filters have been checked.
  ///   - find: finds the one task that a prefix stands for.
  /// - Returns: the filters in terms of that history.
  /// - Throws: `fatal` for a task that no change is about, and what `find` throws.
  func matcher(
    _ graph: Graph, _ find: (String) throws -> TaskID
  ) throws -> LogMatcher {
    var matcher = LogMatcher(
      graph: graph, earliest: earliest, latest: latest, lamportLimit: lamportLimit,
      parentCounts: parentCounts, fields: fields, texts: texts)
    if !actions.isEmpty { matcher.actions = graph.actionNames.map { actions.contains($0) } }
    if !authors.isEmpty { matcher.authors = graph.authors.map { authors.matches($0) } }
    if !tasks.isEmpty {
      var wanted = Set<TaskID>()
      for name in tasks {
        if let task = TaskID(Array(name.utf8).span) {
          wanted.insert(task)
        } else {
          wanted.insert(try find(name))
        }
      }
      matcher.tasks = (0..<graph.taskCount).map { wanted.contains(graph.taskID($0)) }
      let known = Set((0..<graph.taskCount).filter { matcher.tasks[$0] }.map { graph.taskID($0) })
      if let unknown = wanted.subtracting(known).min() {
        throw CommandError.fatal("no change is about task '\(unknown.text)'")
      }
    }
    return matcher
  }
}

/// Filters in terms of one history.
struct LogMatcher {
  let graph: Graph
  let earliest: Int64
  let latest: Int64
  let lamportLimit: UInt64?
  let parentCounts: ClosedRange<Int>?
  let fields: [[UInt8]]
  let texts: [TextNeedle]
  /// For each action, author and task, whether it is wanted; empty when all are.
  var actions: [Bool] = []
  var authors: [Bool] = []
  var tasks: [Bool] = []

  /// Whether a change is shown; its columns have been checked.
  func matches(_ position: Int) -> Bool {
    if earliest != .min || latest != .max {
      let wall = graph.wall(at: position).milliseconds
      guard wall >= earliest, wall <= latest else { return false }
    }
    if let lamportLimit, graph.lamport(at: position).value <= lamportLimit { return false }
    if !actions.isEmpty, !actions[graph.actionNumber(at: position)] { return false }
    if !authors.isEmpty, !authors[graph.authorNumber(at: position)] { return false }
    if !tasks.isEmpty {
      let task = graph.task(at: position)
      guard task >= 0, tasks[task] else { return false }
    }
    if let parentCounts, !parentCounts.contains(graph.parentCount(at: position)) { return false }
    return (fields.isEmpty || hasField(position)) && (texts.isEmpty || hasText(position))
  }

  private func hasText(_ position: Int) -> Bool {
    guard let content = graph.content(at: position) else { return false }
    return TextNeedle.strings(of: content).contains { text in
      texts.contains { $0.count(in: text) > 0 }
    }
  }

  private func hasField(_ position: Int) -> Bool {
    guard let content = graph.content(at: position) else { return false }
    return JSONMembers(content[...]).contains { fields.contains($0.name) }
  }
}

extension Graph {
  /// The members of a change's action, whether they are in `fields` or in `payload`.
  ///
  /// - Returns: the object as written in the node; `nil` for a broken node.
  func content(at position: Int) -> [UInt8]? {
    guard !isBroken(at: position) else { return nil }
    var data: [UInt8] = []
    appendData(at: position, to: &data)
    for member in JSONMembers(data[...])
    where member.name.elementsEqual("fields".utf8) || member.name.elementsEqual("payload".utf8) {
      return Array(member.value)
    }
    return nil
  }
}
