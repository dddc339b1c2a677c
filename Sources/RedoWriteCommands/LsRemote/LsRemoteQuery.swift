// redo ls-remote for a remote at Firestore: questions that its indexes answer, without a comparison.

internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// The options that ask questions, and the answers.
enum LsRemoteQuery {
  static let access = OptionSpec(
    "access", .optional("account"), help: "the nodes that an account may read; yours without a name"
  )
  static let owned = OptionSpec("owned", help: "the nodes that your document in 'users' names")
  static let user = OptionSpec("user", help: "what your document in 'users' says")
  static let action = OptionSpec("action", .required("action"), help: "only nodes of this action")
  static let author = OptionSpec(
    "author", .required("user"), help: "only nodes of this crypto user id, 32 hex digits")
  static let createdSince = OptionSpec(
    "created-since", .required("time"), help: "only nodes that the service took from <time> on")
  static let sort = OptionSpec(
    "sort", .required("key"), help: "by lamport, createdat, -createdat or -wall")
  static let limit = OptionSpec("limit", .required("n"), help: "at most <n> nodes")
  static let verify = OptionSpec(
    "verify", .required("id"), help: "look whether this document is as it should be")

  /// All options, for the option table of the command.
  static let options = [
    .heading("of a remote at Firestore"), access, owned, user, action, author, createdSince, sort,
    limit, verify,
  ]

  /// The first option that asks a question; `nil` when there is none.
  static func asking(_ options: ParsedOptions) -> OptionSpec? {
    options.given.first { given in
      Self.options.contains { !$0.isHeading && $0 ~= given }
    }?.spec
  }

  /// Asks the question, and writes the rows.
  ///
  /// - Parameters:
  ///   - remote: the remote to ask.
  ///   - options: the command line.
  ///   - form: how rows are written.
  ///   - opened: the store, for completing prefixes of task ids.
  ///   - settings: whether to try again, and whether to report that.
  ///   - context: the surroundings.
  /// - Returns: `ok`; `no` or `absent` when documents are checked.
  /// - Throws: the errors of `RemoteQuery.ask`, and `usage`.
  static func run(
    _ remote: Remote, _ options: ParsedOptions, _ form: Form, _ opened: Repository,
    _ settings: SyncSession.Options, _ context: inout Context
  ) throws -> Exit {
    let query = RemoteQuery(remote, repeats: settings.repeats, isQuiet: settings.isQuiet)
    let asks = [access, action, author, createdSince, sort, SyncOptions.task]
    if let kind = try options.only(oneOf: [owned, user, verify]) {
      for other in asks where options.flag(other) != nil {
        throw CommandError.usage(
          "options '\(kind.spelling)' and '\(other.spelling)' cannot be used together")
      }
      if options.has(limit), !kind.isSame(as: owned) {
        throw CommandError.usage("options '\(kind.spelling)' and '--limit' cannot be used together")
      }
    }
    let ids = options.values(verify)
    if !ids.isEmpty {
      return try LsRemoteVerify.run(ids, query, form, settings, &context)
    }
    if options.has(user) { return try tellUser(query, form, &context) }
    let rows = try query.ask(try question(options, opened, context), context.effects)
    try context.output.append { output throws in
      for row in rows { form.append(row, to: &output) }
    }
    return rows.isEmpty && options.has(LsRemote.exitCode) ? .absent : .ok
  }

  // MARK: Questions

  private static func question(
    _ options: ParsedOptions, _ opened: Repository, _ context: borrowing Context
  ) throws -> [UInt8] {
    let limit = try options.integer(limit, in: 1...Int(Int32.max))
    var row = JSONRow()
    var text: [UInt8] = []
    if options.has(owned) {
      row.add("ask", "owned")
      if let limit { row.add("limit", limit) }
      row.append(to: &text)
      return text
    }
    if options.flag(access) == false {
      row.add("access", json: Array("null".utf8))
    } else if let account = options.value(access) {
      row.add("access", account)
    }
    row.addIfAny("action", options.value(action))
    row.add("ask", "nodes")
    if let text = options.value(author) {
      guard UserID(hex: Array(text.utf8).span) != nil else {
        throw CommandError.fatal(
          "'\(text)' is no author: a crypto user id has 32 lower-case hex digits",
          hints: ["an account is for '--access'"])
      }
      row.add("author", text)
    }
    if let text = options.value(createdSince) {
      guard let moment = Moment(text, .start, now: context.clock()) else {
        throw CommandError.fatal("option '--created-since' expects a date, not '\(text)'")
      }
      row.add("createdSince", Int(moment.milliseconds))
    }
    let order = try order(options)
    row.add("descending", order.isDescending)
    if let limit { row.add("limit", limit) }
    row.add("sort", order.key)
    if let text = options.value(SyncOptions.task) {
      row.add("task", try TaskName.known(text, opened).text)
    }
    row.append(to: &text)
    return text
  }

  /// The order of the rows: by the service's time if requested, otherwise by logical time.
  private static func order(
    _ options: ParsedOptions
  ) throws -> (key: String, isDescending: Bool) {
    let keys = ["createdat", "lamport", "wall"]
    guard let text = options.value(sort) else {
      return (options.has(createdSince) ? keys[0] : keys[1], false)
    }
    let isDescending = text.hasPrefix("-")
    let key = isDescending ? String(text.dropFirst()) : text
    guard keys.contains(key.lowercased()) else {
      let words = keys.flatMap { [$0, "-\($0)"] }
      throw CommandError.usage(
        "option '--sort' expects one of \(words.joined(separator: ", ")), not '\(text)'",
        hints: Suggestion.hints(for: text, among: words))
    }
    return (key.lowercased(), isDescending)
  }

  // MARK: The account

  private static func tellUser(
    _ query: RemoteQuery, _ form: Form, _ context: inout Context
  ) throws -> Exit {
    guard let row = try query.ask(Array(#"{"ask":"user"}"#.utf8), context.effects).first else {
      throw CommandError(
        .absent, "there is no document of the account yet",
        hints: ["'redo push' makes it"])
    }
    let devices = row.texts("deviceIds") ?? []
    if form.isJSON {
      var object = JSONRow()
      object.addIfAny("account", row.text("account"))
      object.addIfAny("createdAt", row.text("createdAt"))
      object.add("deviceIds", devices)
      object.addIfAny("displayName", row.text("displayName"))
      object.addIfAny("email", row.text("email"))
      object.addIfAny("lastActivity", row.text("lastActivity"))
      object.addIfAny("lastSyncAt", row.text("lastSyncAt"))
      object.add("ownedNodes", Int(row.integer("ownedNodes") ?? 0))
      if let total = row.integer("totalNodes") { object.add("totalNodes", Int(total)) }
      try context.output.append { output throws in
        object.append(to: &output)
        output.append(form.end)
      }
      return .ok
    }
    var facts = RemoteFacts()
    for key in ["account", "createdAt"] {
      if let value = row.text(key) { facts.add(key, value) }
    }
    facts.add("deviceIds", devices.joined(separator: " "))
    for key in ["displayName", "email", "lastActivity", "lastSyncAt"] {
      if let value = row.text(key) { facts.add(key, value) }
    }
    facts.add("ownedNodes", Int(row.integer("ownedNodes") ?? 0))
    if let total = row.integer("totalNodes") { facts.add("totalNodes", Int(total)) }
    try context.output.append { output throws in
      facts.append(to: &output, isJSON: false, end: form.end)
    }
    return .ok
  }

  // MARK: Rows

  /// How rows are written.
  struct Form {
    /// Whether rows are canonical JSON.
    let isJSON: Bool
    /// The byte that ends a row.
    let end: UInt8

    /// The columns, in order.
    private static let columns = [
      "id", "lamport", "wall", "author", "action", "task", "createdAt",
    ]

    /// Appends the row of a node: columns separated by tabs, with `-` for missing values.
    func append(_ row: AnswerMembers, to output: inout [UInt8]) {
      defer { output.append(end) }
      guard isJSON else {
        let fields = Self.columns.map { name in
          let text = row.text(name) ?? row.integer(name).map { "\($0)" } ?? "-"
          return Escape.field(Array(text.utf8), isRaw: end == 0)
        }
        output += fields.joined(separator: "\t").utf8
        return
      }
      var object = JSONRow()
      object.addIfAny("action", row.text("action"))
      object.addIfAny("author", row.text("author"))
      object.addIfAny("createdAt", row.text("createdAt"))
      object.add("id", row.text("id") ?? "")
      if let lamport = row.integer("lamport") { object.add("lamport", Int(lamport)) }
      object.addIfAny("task", row.text("task"))
      object.addIfAny("wall", row.text("wall"))
      object.append(to: &output)
    }
  }
}
