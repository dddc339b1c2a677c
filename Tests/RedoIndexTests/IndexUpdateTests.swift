// Changes: all of one or nothing, and what is derived follows the rows.

import TestSupport
import Testing

@testable import RedoIndex

@Suite("Changes of an index")
struct IndexUpdateTests {
  @Test("a new file has the schema, column for column as rows are taken")
  func schema() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    _ = try Conversation([requests.open] + requests.change("rebuild", []), in: directory)
    let reader = try IndexReader(try IndexFile(requests.path))
    try reader.requireIndex()
    #expect(
      try reader.texts("SELECT identifier FROM grdb_migrations ORDER BY rowid") == Migrations.own)
    #expect(try reader.texts("PRAGMA journal_mode") == ["wal"])
    #expect(try reader.texts("PRAGMA foreign_keys") == ["1"])
    for table in IndexTable.allCases {
      let columns = try reader.texts(
        "SELECT name FROM pragma_table_info('\(table.rawValue)') ORDER BY name")
      #expect(table.columns.map(\.text) == columns)
      let key = try reader.texts(
        "SELECT name FROM pragma_table_info('\(table.rawValue)') WHERE pk > 0 ORDER BY name")
      #expect(table.key == key)
      let defaults = try reader.texts(
        """
        SELECT name || ' ' || dflt_value FROM pragma_table_info('\(table.rawValue)')
        WHERE dflt_value IS NOT NULL ORDER BY name
        """)
      #expect(table.columns.compactMap { c in c.missing.map { "\(c.text) \($0)" } } == defaults)
    }
  }

  @Test("a row that cannot be taken undoes the change, and the rows after it are passed over")
  func refusedRow() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let good = Requests.session("a")
    for (row, code) in [
      ("{\"put\":\"nowhere\",\"row\":{}}", "row"),
      ("{\"put\":\"nodes\",\"row\":{\"id\":1}}", "row"),
      ("{\"put\":\"nodes\",\"row\":{\"id\":\"n\",\"more\":1}}", "row"),
      ("{\"put\":\"nodes\",\"row\":{\"id\":\"n\"}}", "constraint"),
      ("{\"put\":\"nodes\"}", "request"),
      ("{\"put\":\"nodes\",\"row\":[]}", "request"),
      ("{\"put\":\"locations\",\"row\":{\"salt\":\"A\"}}", "row"),
      ("{\"put\":\"locations\",\"row\":{\"fuzzy_radius\":1.5}}", "row"),
      ("{\"query\":\"timeline\"}", "request"),
      ("{\"open\":\"x\"}", "request"),
      ("nonsense", "request"),
      ("{\"delete\":\"nodes\",\"key\":{\"action\":\"x\"}}", "row"),
    ] {
      let first = try Conversation(
        [requests.open] + requests.change("rebuild", good), in: directory)
      #expect(first.codes.last == "done")
      let said = try Conversation(
        [requests.open]
          + requests.change("update", Requests.session("b") + [row] + Requests.session("c"))
          + ["{\"query\":\"timeline\"}"], in: directory)
      #expect(said.codes == ["done", "done", code, "done"], "\(row)")
      #expect(said.rows.count == 1, "\(row)")
      #expect(said.end == .complete)
    }
  }

  @Test("a reference to no row, and a second row of what is unique, undo the change")
  func references() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let orphan = Requests.session("b", parent: "a")
    for kind in ["rebuild", "update"] {
      _ = try Conversation([requests.open] + requests.change("rebuild", []), in: directory)
      let said = try Conversation(
        [requests.open] + requests.change(kind, orphan)
          + requests.change(kind, Requests.session("c"))
          + ["{\"query\":\"timeline\"}"], in: directory)
      #expect(said.codes == ["done", "done", "constraint", "done", "done", "done"])
      #expect(said.rows.count == 1)
      // Rows may come before those that they refer to.
      let reversed = try Conversation(
        [requests.open] + requests.change(kind, orphan + Requests.session("a").prefix(1))
          + ["{\"query\":\"timeline\"}"], in: directory)
      #expect(reversed.codes == ["done", "done", "done", "done"])
    }
  }

  @Test("the end of the input in a change undoes it, and in a line ends with 1, too")
  func cutShort() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    _ = try Conversation([requests.open] + requests.change("rebuild", []), in: directory)
    let begun = [requests.open] + requests.change("update", Requests.session("a"))
    for text in [
      begun.dropLast().map { $0 + "\n" }.joined(),
      begun.map { $0 + "\n" }.joined().dropLast(1).description,
      begun.map { $0 + "\n" }.joined() + "{",
    ] {
      #expect(try Conversation(text: text, in: directory).end == .abandoned)
    }
    let after = try Conversation([requests.open, "{\"query\":\"timeline\"}"], in: directory)
    // The last of the three texts had its change before the cut.
    #expect(after.rows.count == 1)
    let rebuild = try Conversation(
      [requests.open] + requests.change("rebuild", Requests.session("z")).dropLast(), in: directory)
    #expect(rebuild.end == .abandoned)
    #expect(!directory.has("index.sqlite.new"))
  }

  @Test("the full text follows receipts, edits, places and local rows")
  func derived() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let place = """
      {"put":"locations","row":{"captured_at":1,"cid":"l","created_at":1,"location_type":"named",\
      "place_name":"Golden Gate","receipt_cid":"a"}}
      """
    func found(_ rows: [String], _ words: String) throws -> Int {
      let said = try Conversation(
        [requests.open] + requests.change("update", rows)
          + ["{\"query\":\"search\",\"words\":\"\(words)\"}"], in: directory)
      #expect(said.end == .complete && said.codes.allSatisfy { $0 == "done" })
      return said.rows.count
    }
    // The place comes first: a trigger on the receipt would not see it.
    _ = try Conversation(
      [requests.open]
        + requests.change("rebuild", [place] + Requests.session("a", "{\"notes\":\"blue dream\"}")),
      in: directory)
    #expect(try found([], "golden") == 1)
    #expect(try found([], "dreams") == 1)
    #expect(try found(Requests.session("b", "{\"notes\":\"sour\"}", parent: "a"), "dreams") == 0)
    #expect(try found([], "sour golden") == 1)
    #expect(try found(["{\"delete\":\"locations\",\"key\":{\"cid\":\"l\"}}"], "golden") == 0)
    #expect(try found(["{\"delete\":\"local_receipts\",\"key\":{\"uuid\":\"u-a\"}}"], "sour") == 0)
    #expect(try found([place], "golden") == 0)
    #expect(try found(Requests.session("b", "{\"notes\":\"sour\"}", parent: "a"), "golden") == 1)
  }

  @Test("a check names what differs, and changes nothing")
  func check() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    let rows = Requests.session("a", "{\"notes\":\"blue\"}") + Requests.session("b")
    _ = try Conversation([requests.open] + requests.change("rebuild", rows), in: directory)
    let same = try Conversation([requests.open] + requests.change("check", rows), in: directory)
    #expect(same.lines.last == "{\"done\":{\"deleted\":0,\"differences\":0,\"put\":0}}")
    let other = Requests.session("a", "{\"notes\":\"green\"}") + Requests.session("c").prefix(1)
    let said = try Conversation([requests.open] + requests.change("check", other), in: directory)
    #expect(
      said.lines.dropFirst(2) == [
        "{\"differs\":{\"key\":\"a\",\"table\":\"ucr_headers\",\"why\":\"other\"}}",
        "{\"differs\":{\"key\":\"c\",\"table\":\"ucr_headers\",\"why\":\"missing\"}}",
        "{\"differs\":{\"key\":\"1\",\"table\":\"ucr_headers\",\"why\":\"extra\"}}",
        "{\"differs\":{\"key\":\"1\",\"table\":\"redo_chains\",\"why\":\"extra\"}}",
        "{\"differs\":{\"key\":\"1\",\"table\":\"local_receipts\",\"why\":\"extra\"}}",
        "{\"done\":{\"deleted\":0,\"differences\":5,\"put\":0}}",
      ])
    let after = try Conversation([requests.open] + requests.change("check", rows), in: directory)
    #expect(after.lines.last == same.lines.last)
    // What is derived is compared, too.
    for (sql, table) in [
      ("DELETE FROM fts_memories WHERE cid = 'a'", "fts_memories"),
      ("UPDATE daily_summaries SET session_count = 7", "daily_summaries"),
    ] {
      let timed = rows + Requests.session("d", "{\"claimed_time_ms\":1}")
      _ = try Conversation([requests.open] + requests.change("rebuild", timed), in: directory)
      try directory.run(sql, on: "index.sqlite")
      let found = try Conversation([requests.open] + requests.change("check", timed), in: directory)
      #expect(found.lines.contains { $0.contains("\"table\":\"\(table)\"") }, "\(sql)")
    }
  }

  @Test("where there can be no log, there is a warning, and changes are made all the same")
  func noLog() throws {
    let directory = TemporaryDirectory()
    let requests = Requests(directory)
    _ = try Conversation([requests.open] + requests.change("rebuild", []), in: directory)
    // What takes the name of the log's shared memory stands for a file system that has none.
    try directory.run("PRAGMA journal_mode = DELETE", on: "index.sqlite")
    try directory.makeDirectory("index.sqlite-shm")
    let said = try Conversation(
      [requests.open] + requests.change("update", Requests.session("a"))
        + ["{\"query\":\"timeline\"}", "{\"sql\":\"SELECT 1\"}"], in: directory)
    #expect(said.lines.dropFirst().first == "{\"warning\":\"no-wal\"}")
    #expect(said.codes == ["done", "done", "done", "done", "done"])
    #expect(said.rows.count == 2)
  }
}
