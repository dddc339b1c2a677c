// The index of a store in tables (redo-index(5)): brought up to the store before it is asked, built anew where it does not fit,
// and never believed over the objects.

internal import CanonicalJSON
internal import RedoObject
internal import RedoStore

/// What is asked of an index.
package enum SQLIndexQuestion: Sendable {
  /// A statement that reads.
  case sql(String)
  /// A query that has a name.
  case query(SQLIndexQuery)
}

/// A query that has a name.
package struct SQLIndexQuery: Sendable {
  /// The names.
  package enum Name: String, CaseIterable, Sendable {
    case timeline, search, map, feed, strains, recent
    /// Words in tasks.
    case tasks
  }

  /// Which one.
  package var name: Name
  /// The words that are looked for.
  package var words: String?
  /// Two latitudes and longitudes, the south-western corner first.
  package var box: [Double]?
  /// From when on, in milliseconds since 1970.
  package var since: Int64?
  /// The most rows; as many as the query has by itself when `nil`.
  package var limit: Int?
  /// Whether the words are in the syntax of FTS5.
  package var isSyntax = false
  /// Whether it is asked as the app's document writes it.
  package var isLiteral = false

  /// A query without anything more.
  package init(_ name: Name) { self.name = name }
}

/// A value of a row.
package enum SQLIndexValue: Equatable, Sendable {
  case null
  /// A number, as SQLite prints it.
  case number(String)
  case text(String)
  /// Bytes, in Base64.
  case blob(String)
}

/// A row of a check.
package struct SQLIndexDifference: Sendable {
  /// The table, and the key in it.
  package let table: String
  package let key: String
  /// `missing`, `other`, `extra` or `damaged`.
  package let why: String

  /// Reads a line of an answer; `nil` for another line.
  fileprivate init?(line: [UInt8]) throws {
    let document = try JSONDocument(line, integers: .any)
    guard let found = document.root["differs"] else { return nil }
    table = found["table"]?.string ?? ""
    why = found["why"]?.string ?? ""
    // Of rows that are not to be there, the key is how many there are.
    if let value = found["key"] { key = value.contentText } else { key = "" }
  }
}

/// The index of a store.
package struct SQLIndex {
  /// What was done to bring it up to the store.
  package typealias Step = SQLIndexKeys.Step

  private let opened: Repository
  private let effects: Effects
  /// Its file.
  package let path: String

  /// The index of a store.
  ///
  /// - Parameters:
  ///   - opened: the store.
  ///   - effects: the surroundings.
  /// - Throws: what the system answers who is asked for the working directory.
  package init(_ opened: Repository, _ effects: Effects) throws {
    self.opened = opened
    self.effects = effects
    let folder = joinPath(opened.store.path, Layout.cache)
    let base = folder.hasPrefix("/") ? "" : try CurrentProcess.workingDirectory()
    path = joinPath(base.isEmpty ? folder : joinPath(base, folder), Layout.tables)
  }

  // MARK: What is done with it

  /// Brings it up to the store.
  ///
  /// - Parameter isFresh: whether it is built anew, whatever it has.
  /// - Returns: what was done.
  /// - Throws: `SQLIndexFault`; what reading the store throws.
  package func update(isFresh: Bool = false) throws -> Step {
    let program = try start()
    return try bring(program, isFresh: isFresh)
  }

  /// Compares each row with the one that the store gives.
  ///
  /// - Parameters:
  ///   - updates: whether it is brought up to the store before.
  ///   - visit: receives the first hundred rows that differ.
  /// - Returns: how many differ.
  /// - Throws: as `update`; `failed` when there is no index that can be read.
  package func check(
    updates: Bool = true, _ visit: (SQLIndexDifference) throws -> Void
  ) throws -> Int {
    let program = try start()
    if updates { _ = try bring(program) } else { try openAsItIs(program) }
    let lock = try lock()
    defer { extendLifetime(lock) }
    return try compare(program, visit)
  }

  private func compare(
    _ program: SQLIndexProgram, _ visit: (SQLIndexDifference) throws -> Void
  ) throws -> Int {
    let snapshot = try opened.snapshot()
    var keys = try SQLIndexFeed.keys(opened, snapshot, effects)
    try begin("check", program)
    try SQLIndexFeed(opened, effects, program).tellAll(&keys)
    let done = try commit(keys, program) { line throws in
      if let difference = try SQLIndexDifference(line: line) { try visit(difference) }
    }
    let document = try JSONDocument(done, integers: .any)
    guard let count = document.root["done"]?["differences"]?.integer else { return 0 }
    return Int(count)
  }

  /// Asks it.
  ///
  /// - Parameters:
  ///   - question: what is asked.
  ///   - updates: whether it is brought up to the store before; otherwise it is said when it is not.
  ///   - columns: receives the names of the columns, before any row.
  ///   - visit: receives the values of each row.
  /// - Throws: as `update`; `missing` when it is not there and not to be made; what the closures throw.
  package func ask(
    _ question: SQLIndexQuestion, updates: Bool, columns: ([String]) throws -> Void,
    _ visit: ([SQLIndexValue]) throws -> Void
  ) throws {
    let program = try start()
    if updates { _ = try bring(program) } else { try openAsItIs(program) }
    var hasAnswered = false
    do {
      try answer(question, program) { names throws in
        hasAnswered = true
        try columns(names)
      } _: { row throws in
        try visit(row)
      }
    } catch SQLIndexFault.failed(let code, _, _)
      where code == "db-damaged" && updates && !hasAnswered
    {
      // What it was opened with was whole, and what it has is not.
      effects.report(.index(.replaced(code: code, path: path)))
      _ = try bring(program, isFresh: true)
      try answer(question, program, columns, visit)
    }
  }

  private func answer(
    _ question: SQLIndexQuestion, _ program: SQLIndexProgram, _ columns: ([String]) throws -> Void,
    _ visit: ([SQLIndexValue]) throws -> Void
  ) throws {
    let now = Double(effects.clock()) / 1000
    try program.ask { json in
      switch question {
      case .sql(let statement): json.add("sql", statement)
      case .query(let query): query.write(to: &json, now: now)
      }
    } _: { line throws in
      let document = try JSONDocument(line, integers: .any)
      if let names = document.root["columns"] {
        try columns(names.elementIndices.map { names.value(at: $0).string ?? "" })
      } else if let row = document.root["row"] {
        try visit(row.elementIndices.map { Self.value(row.value(at: $0)) })
      }
    }
  }

  private static func value(_ value: JSONValue) -> SQLIndexValue {
    if value.isNull { return .null }
    if let text = value.string { return .text(text) }
    if let blob = value["blob"]?.string { return .blob(blob) }
    if let infinite = value["real"]?.string { return .number(infinite) }
    return .number(value.contentText)
  }

  // MARK: Bringing it up to the store

  private func start() throws -> SQLIndexProgram {
    guard opened.usesCache else { throw SQLIndexFault.foreign(path: opened.store.path) }
    return try SQLIndexProgram(path, effects)
  }

  /// Waits for the right to change it.
  private func lock() throws -> LockFile {
    let options = try opened.refsOptions()
    try opened.store.directory.makeDirectory(Layout.cache)
    let lock = try LockFile.acquire(
      in: opened.store.directory, name: joinPath(Layout.cache, Layout.tablesLock),
      timeoutMilliseconds: options.lockTimeoutMilliseconds, permissions: 0o600,
      options: [.create, .noFollow, .nonBlocking])
    guard let lock else { throw SQLIndexFault.busy(path: path) }
    return lock
  }

  /// Opens it.
  ///
  /// - Returns: what it was committed with; or the code of what is wrong with it, and a new one may take its place.
  private func open(_ program: SQLIndexProgram) throws -> (keys: SQLIndexKeys?, code: String?) {
    do {
      let line = try program.ask { json in json.add("open", path) }
      let document = try JSONDocument(line, integers: .any)
      var values: [String: String] = [:]
      if let told = document.root["done"]?["values"] {
        for index in told.nameIndices {
          values[told.value(at: index).string ?? ""] = told.value(at: index + 1).string ?? ""
        }
      }
      return (SQLIndexKeys(values), nil)
    } catch SQLIndexFault.failed(let code, _, _) where SQLIndexFault.replaced.contains(code) {
      return (nil, code)
    }
  }

  private func openAsItIs(_ program: SQLIndexProgram) throws {
    let (keys, code) = try open(program)
    if let code {
      throw code == "db-missing"
        ? SQLIndexFault.missing(path: path)
        : SQLIndexFault.failed(code: code, detail: "", path: path)
    }
    let snapshot = try opened.snapshot()
    let now = try SQLIndexFeed.keys(opened, snapshot, effects)
    let (step, _) = try step(from: keys, now, snapshot)
    if step != .none { effects.report(.index(.stale(path: path))) }
  }

  /// What is to be done about an index of some keys.
  private func step(
    from old: SQLIndexKeys?, _ now: SQLIndexKeys, _ snapshot: borrowing RefsSnapshot
  ) throws -> (step: Step, since: LocalRows.Since?) {
    guard let old else { return (.rebuild, nil) }
    var fit = SQLIndexKeys.Fit()
    var end: String? = now.receivedEnd
    if old.received > now.received {
      end = nil
    } else if old.received < now.received {
      end = try opened.store.received.lastBytes(to: old.received).map { SQLIndexKeys.hex($0) }
    }
    fit.received = end == old.receivedEnd
    let since = try opened.store.local.since(old.local)
    fit.local = since != nil
    var now = now
    if let since { now.local = since.mark }
    return (old.step(to: now, fit), since)
  }

  private func bring(_ program: SQLIndexProgram, isFresh: Bool = false) throws -> Step {
    if !isFresh, try look(program).step == .none { return .none }
    let lock = try lock()
    defer { extendLifetime(lock) }
    // Another process may have done it meanwhile.
    let found = try look(program)
    if isFresh { return try rebuild(program) }
    if found.step == .none { return .none }
    if let code = found.code, code != "db-missing" {
      effects.report(.index(.replaced(code: code, path: path)))
    }
    if found.step == .update, let old = found.old, let since = found.since {
      do {
        if try grow(program, old, since) { return .update }
      } catch SQLIndexFault.failed(let code, _, _)
        where ["constraint", "row", "db-damaged", "db-foreign"].contains(code)
      {
        // Rows that the keys do not tell of: somebody else has changed them.
        effects.report(.index(.replaced(code: code, path: path)))
      }
    }
    return try rebuild(program)
  }

  private struct Found {
    let step: Step
    let old: SQLIndexKeys?
    let since: LocalRows.Since?
    let code: String?
  }

  private func look(_ program: SQLIndexProgram) throws -> Found {
    let (old, code) = try open(program)
    let snapshot = try opened.snapshot()
    let now = try SQLIndexFeed.keys(opened, snapshot, effects)
    let (step, since) = try step(from: old, now, snapshot)
    return Found(step: step, old: old, since: since, code: code)
  }

  /// Adds what has come.
  ///
  /// - Returns: `false` when it must be built anew.
  private func grow(
    _ program: SQLIndexProgram, _ old: SQLIndexKeys, _ since: LocalRows.Since
  ) throws -> Bool {
    let snapshot = try opened.snapshot()
    var keys = try SQLIndexFeed.keys(opened, snapshot, effects)
    keys.local = since.mark
    let feed = try SQLIndexFeed(opened, effects, program)
    guard let news = try feed.news(since: old, snapshot, since),
      let plan = try feed.plan(news, old)
    else { return false }
    try begin("update", program)
    do {
      try feed.tell(plan, old, &keys)
    } catch {
      _ = try? program.ask { json in json.add("rollback", true) }
      throw error
    }
    _ = try commit(keys, program)
    return true
  }

  private func rebuild(_ program: SQLIndexProgram) throws -> Step {
    let snapshot = try opened.snapshot()
    var keys = try SQLIndexFeed.keys(opened, snapshot, effects)
    try begin("rebuild", program)
    do {
      try SQLIndexFeed(opened, effects, program).tellAll(&keys)
    } catch {
      _ = try? program.ask { json in json.add("rollback", true) }
      throw error
    }
    _ = try commit(keys, program)
    return .rebuild
  }

  private func begin(_ kind: String, _ program: SQLIndexProgram) throws {
    let now = Double(effects.clock()) / 1000
    try program.ask { json in
      json.add("begin", kind)
      json.name("now")
      json.value(now)
    }
  }

  private func commit(
    _ keys: SQLIndexKeys, _ program: SQLIndexProgram,
    _ visit: ([UInt8]) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    try program.ask(
      { json in
        json.addObject("commit") { json in
          for (name, value) in keys.values.sorted(by: { $0.key < $1.key }) {
            json.name(text: name)
            json.value(value)
          }
        }
      }, visit)
  }
}

extension SQLIndexQuery {
  /// Writes the members of its request.
  fileprivate func write(to json: inout JSONWriter, now: Double) {
    if let box {
      json.addArray("box") { json in for number in box { json.value(number) } }
    }
    if isSyntax { json.add("fts", true) }
    if let limit { json.add("limit", limit) }
    if isLiteral { json.add("literal", true) }
    if name == .map {
      json.name("now")
      json.value(now)
    }
    json.add("query", name.rawValue)
    if let since { json.add("since", since) }
    if let words { json.add("words", words) }
  }
}
