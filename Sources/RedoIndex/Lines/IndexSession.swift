// What is done for each request. `put` and `delete` are not answered: the first of them that fails ends the change,
// and `commit` says so. redo-index-sqlite(1) describes the lines.

internal import CanonicalJSON

/// The state of a conversation.
struct IndexSession: ~Copyable {
  private let output: Int32
  private var answers: LineWriter
  private var file: IndexFile?
  private var reader: IndexReader?
  private var update: IndexUpdate?
  /// Whether a change has begun and not ended; `update` is `nil` when it has failed meanwhile.
  private(set) var isChanging = false
  /// Why the change has failed.
  private var failure: IndexFault?

  /// A conversation that has not begun.
  init(output: Int32) {
    self.output = output
    answers = LineWriter(output)
  }

  /// Leaves no change behind.
  mutating func giveUp() {
    try? update?.rollback()
    update = nil
    isChanging = false
  }

  // MARK: Answers

  /// Ends an answer.
  private mutating func done(_ body: (inout JSONWriter) -> Void = { _ in }) throws(IndexFault) {
    try answers.line { json in json.addObject("done") { json in body(&json) } }
    try answers.flush()
  }

  /// Ends an answer by saying what is wrong.
  ///
  /// - Throws: `IndexFault` if nobody reads.
  mutating func tell(_ fault: IndexFault) throws(IndexFault) {
    try answers.line { json in
      json.addObject("error") { json in
        json.add("code", fault.code.rawValue)
        if !fault.detail.isEmpty { json.add("detail", fault.detail) }
      }
    }
    try answers.flush()
  }

  /// A line that is no request: in a change it is its failure, for it may have been a row.
  ///
  /// - Throws: `IndexFault` if nobody reads.
  mutating func refuse(_ fault: IndexFault) throws(IndexFault) {
    if isChanging { fail(fault) } else { try tell(fault) }
  }

  private mutating func warn(_ what: String) throws(IndexFault) {
    try answers.line { json in json.add("warning", what) }
  }

  // MARK: Requests

  /// Answers a request.
  ///
  /// - Throws: `IndexFault` only if nobody reads the answer.
  mutating func answer(_ request: JSONValue) throws(IndexFault) {
    do throws(IndexFault) {
      try take(request)
    } catch {
      guard error.code != .closed else { throw error }
      try refuse(error)
    }
  }

  private mutating func take(_ request: JSONValue) throws(IndexFault) {
    guard request.isObject else { throw IndexFault(.request, "no object") }
    if let table = request["put"] {
      if let update = try rows() { try update.put(Self.table(table), Self.object(request, "row")) }
    } else if let table = request["delete"] {
      if let update = try rows() {
        try update.delete(Self.table(table), Self.object(request, "key"))
      }
    } else if let table = request["whole"] {
      if let update = try rows() { try update.finish(Self.table(table)) }
    } else if let values = request["commit"] {
      try commit(values)
    } else if request["rollback"] != nil {
      try rollback()
    } else if isChanging {
      throw IndexFault(.request, "in a change")
    } else if let path = request["open"]?.string {
      try open(path)
    } else if let kind = request["begin"]?.string {
      try begin(kind, request)
    } else if let name = request["query"]?.string {
      try query(name, request)
    } else if let path = request["app"]?.string {
      try tellApp(path, request)
    } else if let sql = request["sql"]?.string {
      try answerRows(of: sql)
    } else {
      throw IndexFault(
        .request, request.nameIndices.first.map { request.value(at: $0).contentText } ?? "")
    }
  }

  private static func table(_ name: JSONValue) throws(IndexFault) -> IndexTable {
    guard let name = name.string, let table = IndexTable(rawValue: name) else {
      throw IndexFault(.row, name.contentText)
    }
    return table
  }

  @_lifetime(copy request)
  private static func object(
    _ request: JSONValue, _ name: StaticString
  ) throws(IndexFault) -> JSONValue {
    guard let object = request[name], object.isObject else {
      throw IndexFault(.request, "\(name)")
    }
    return object
  }

  // MARK: Files

  private mutating func open(_ path: String) throws(IndexFault) {
    reader = nil
    file = nil
    let file = try IndexFile(path)
    do throws(IndexFault) {
      try file.requireDatabase()
      let opened = try Self.index(file, output)
      let values = try opened.values()
      self.file = file
      reader = opened
      if opened.isImmutable { try warn("immutable") }
      try done { json in
        json.addObject("values") { json in
          for (key, value) in values {
            json.name(text: key)
            json.value(value)
          }
        }
      }
    } catch {
      switch error.code {
      // Whatever the file has is derived: it may be built anew in its place.
      case .missing, .damaged, .foreign, .version: self.file = file
      default: break
      }
      throw error
    }
  }

  private static func index(_ file: IndexFile, _ output: Int32) throws(IndexFault) -> IndexReader {
    let reader = try reader(of: file, output)
    do throws(IndexFault) {
      try reader.requireIndex()
    } catch {
      switch error.code {
      // A table that has the name of one of ours, and other columns.
      case .query: throw IndexFault(.foreign, error.detail)
      // What was asked is small: it is the file that wants too much.
      case .limit, .constraint, .row, .notSelect: throw IndexFault(.damaged, error.detail)
      default: throw error
      }
    }
    return reader
  }

  private static func reader(
    of file: IndexFile, _ output: Int32
  ) throws(IndexFault) -> IndexReader {
    do throws(IndexFault) {
      return try IndexReader(file, output: output)
    } catch {
      if error.code == .query || error.code == .limit { throw IndexFault(.damaged, error.detail) }
      // A journal that somebody left who was killed is for one who writes.
      guard error.code == .access, file.hasCompanion,
        let writer = try? IndexWriter(file.path, .shared)
      else { throw error }
      try writer.close()
      return try IndexReader(file, output: output)
    }
  }

  private mutating func opened() throws(IndexFault) -> IndexReader {
    if let reader { return reader }
    guard let file else { throw IndexFault(.request, "nothing is open") }
    try file.requireDatabase()
    let opened = try Self.index(file, output)
    reader = opened
    return opened
  }

  // MARK: Changes

  private mutating func begin(_ name: String, _ request: JSONValue) throws(IndexFault) {
    guard let kind = IndexUpdate.Kind(rawValue: name) else { throw IndexFault(.request, name) }
    guard let file else { throw IndexFault(.request, "nothing is open") }
    let now = try QueryArgument.now(request)
    // What is changed must be an index now, whatever it was.
    if kind != .rebuild { _ = try opened() }
    // The last connection that closes empties the log: it is not to be this one.
    reader = nil
    let update = try IndexUpdate(kind, of: file, now: now)
    self.update = update
    failure = nil
    isChanging = true
    if update.lacksLog { try warn("no-wal") }
    try done()
  }

  /// The change that rows are for; `nil` if it has failed.
  private func rows() throws(IndexFault) -> IndexUpdate? {
    guard isChanging else { throw IndexFault(.request, "not in a change") }
    return update
  }

  /// The first failure of a change undoes it; the rows that still come are passed over.
  private mutating func fail(_ fault: IndexFault) {
    if failure == nil { failure = fault }
    try? update?.rollback()
    update = nil
  }

  private mutating func commit(_ values: JSONValue) throws(IndexFault) {
    guard isChanging else { throw IndexFault(.request, "not in a change") }
    guard values.isObject else { throw IndexFault(.request, "commit") }
    defer {
      update = nil
      isChanging = false
      failure = nil
    }
    guard let update else { return try tell(failure ?? IndexFault(.request, "commit")) }
    do throws(IndexFault) {
      try update.commit(values)
    } catch {
      try? update.rollback()
      return try tell(error)
    }
    for difference in update.differences {
      try answers.line { json in
        json.addObject("differs") { json in
          json.add("key", difference.key)
          json.add("table", difference.table)
          json.add("why", difference.kind.rawValue)
        }
      }
    }
    try done { json in
      json.add("deleted", update.deletedCount)
      if update.kind == .check { json.add("differences", update.differenceCount) }
      json.add("put", update.putCount)
    }
  }

  private mutating func rollback() throws(IndexFault) {
    guard isChanging else { throw IndexFault(.request, "not in a change") }
    giveUp()
    failure = nil
    try done()
  }

  // MARK: The app's files

  private mutating func tellApp(_ path: String, _ request: JSONValue) throws(IndexFault) {
    guard let copy = request["copy"]?.string else { throw IndexFault(.request, "copy") }
    let app = try AppFile(try IndexFile(path), copy: try IndexFile(copy))
    defer { app.remove() }
    var blobCount = 0
    try app.tellBlobs { line throws(IndexFault) in
      try answers.text { output in output += line }
      blobCount += 1
    }
    let told = try app.tellRows { line throws(IndexFault) in
      try answers.text { output in output += line }
    }
    try done { json in
      json.add("blobs", blobCount)
      json.addObject("left") { json in
        for (table, count) in app.left {
          json.name(text: table)
          json.value(count)
        }
      }
      json.add("rows", told.rows)
      json.add("version", app.version)
      json.add("wrong", told.wrong)
    }
  }

  // MARK: Queries

  private mutating func query(_ name: String, _ request: JSONValue) throws(IndexFault) {
    guard let query = NamedQuery(rawValue: name) else { throw IndexFault(.request, name) }
    let isLiteral = request["literal"]?.boolean ?? false
    guard let sql = isLiteral ? query.literal : query.sql else {
      throw IndexFault(.request, "literal")
    }
    let arguments = try QueryArgument.read(query, request, isLiteral: isLiteral)
    var limit = query.limit
    if let given = request["limit"] {
      guard let number = given.integer, number >= 0 else { throw IndexFault(.request, "limit") }
      limit = number
    }
    let reader = try opened()
    do throws(IndexFault) {
      if !isLiteral, let ranking = query.ranking {
        try answerRows(of: sql, ranking, arguments, limit, on: reader)
      } else {
        // A negative limit of SQLite is none.
        try answerRows(of: sql, arguments + [.integer(limit ?? -1)], on: reader)
      }
    } catch {
      // Our own statements are right: what SQLite does not understand is in the file, unless it is somebody's syntax.
      let isSyntax =
        isLiteral || request["fts"]?.boolean ?? false || error.detail.hasPrefix("fts5:")
      throw error.code == .query && !isSyntax ? IndexFault(.damaged, error.detail) : error
    }
  }

  private mutating func answerRows(
    of sql: String, _ arguments: [QueryArgument], on reader: IndexReader
  ) throws(IndexFault) {
    let statement = try PreparedStatement(sql, on: reader.connection)
    statement.bind(arguments)
    try answerRows(of: statement)
  }

  /// Answers with the best rows of a full text.
  private mutating func answerRows(
    of sql: String, _ ranking: String, _ arguments: [QueryArgument], _ limit: Int64?,
    on reader: IndexReader
  ) throws(IndexFault) {
    let search = try PreparedStatement(ranking, on: reader.connection)
    search.bind(arguments)
    let found = try Ranking.best(search, limit)
    let statement = try PreparedStatement(sql, on: reader.connection)
    try answers.text { output in statement.appendColumns(to: &output) }
    for one in found {
      statement.bind(one.key, 1)
      statement.bind(one.rank, 2)
      guard try statement.step() else { throw IndexFault(.damaged, one.key) }
      try answers.text { output in statement.appendRow(to: &output) }
      statement.reset()
    }
    try done { json in json.add("rows", found.count) }
  }

  private mutating func answerRows(of sql: String) throws(IndexFault) {
    let reader = try opened()
    try SelectGuard.run(sql, on: reader) { statement throws(IndexFault) in
      try answerRows(of: statement)
    }
  }

  private mutating func answerRows(of statement: borrowing PreparedStatement) throws(IndexFault) {
    try answers.text { output in statement.appendColumns(to: &output) }
    var count = 0
    while try statement.step() {
      try answers.text { output in statement.appendRow(to: &output) }
      count += 1
    }
    try done { json in json.add("rows", count) }
  }
}
