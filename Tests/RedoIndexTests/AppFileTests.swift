// Databases of the app, as far as they are told: what is left, what is wrong, and what is none.

import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import RedoIndex

@Suite("Databases of the app")
struct AppFileTests {
  /// The first migration's tables, and a receipt.
  private static let first = """
    CREATE TABLE ucr_headers (cid TEXT, did TEXT, device_id TEXT, parent_cid TEXT, root_cid TEXT, receipt_type TEXT,
      signature TEXT, raw_cbor BLOB, payload_json TEXT, received_at REAL);
    CREATE TABLE local_receipts (uuid TEXT, header_cid TEXT, is_favorited INTEGER, image_cid TEXT, created_at REAL,
      updated_at REAL);
    CREATE TABLE devices (device_id TEXT, created_at REAL);
    CREATE TABLE grdb_migrations (identifier TEXT);
    INSERT INTO grdb_migrations VALUES ('v1');
    INSERT INTO ucr_headers VALUES ('c', 'd', 'D', NULL, 'SELF', 't', 's', x'01', '{}', '2024-01-01 00:00:00.250');
    """

  /// What is told of a file on which statements were run.
  private static func told(_ sql: String) throws -> (lines: [String], codes: [String]) {
    let directory = TemporaryDirectory()
    try directory.run(first + sql, on: "app.sqlite")
    let request = """
      {"app":"\(directory.path("app.sqlite"))","copy":"\(directory.path("copy"))"}
      """
    let said = try Conversation([request], in: directory)
    #expect(!FileManager.default.fileExists(atPath: directory.path("copy")))
    return (said.lines, said.codes)
  }

  @Test("a text is a time, SELF is the CID")
  func meaning() throws {
    let told = try Self.told("")
    #expect(told.codes == ["done"])
    let row = try #require(told.lines.first)
    #expect(row.contains(#""received_at":1704067200.25"#) && row.contains(#""root_cid":"c""#))
    #expect(
      told.lines.last == #"{"done":{"blobs":0,"left":{},"rows":1,"version":"v1","wrong":0}}"#)
  }

  @Test("rows that are not taken over are counted, those of texts and of SQLite are not")
  func left() throws {
    let told = try Self.told(
      """
      CREATE TABLE jars (id TEXT); INSERT INTO jars VALUES (1), (2);
      CREATE TABLE empty (id TEXT); CREATE TABLE daily_summaries (id); INSERT INTO daily_summaries VALUES (1);
      CREATE VIRTUAL TABLE fts_memories USING fts5(cid); INSERT INTO fts_memories VALUES ('x');
      CREATE TABLE "it's \"\"odd" (id); INSERT INTO "it's \"\"odd" VALUES (1);
      INSERT INTO devices VALUES ('D', 1);
      """)
    let end = try #require(told.lines.last)
    #expect(end.contains(#""left":{"it's \"odd":1,"jars":2,"devices":1}"#), "\(end)")
  }

  @Test(
    "a value of another kind is told by its row and column, and the rest is told all the same",
    arguments: [
      ("UPDATE ucr_headers SET raw_cbor = 'text'", "ucr_headers", "c", "raw_cbor"),
      ("UPDATE ucr_headers SET received_at = 'yesterday'", "ucr_headers", "c", "received_at"),
      (
        "INSERT INTO local_receipts VALUES ('U', 'c', 'x', '', 1, 1)", "local_receipts", "U",
        "is_favorited"
      ),
    ])
  func wrong(sql: String, table: String, key: String, column: String) throws {
    let told = try Self.told(sql)
    #expect(told.codes == ["done"])
    #expect(
      told.lines.contains(
        "{\"wrong\":{\"column\":\"\(column)\",\"key\":\"\(key)\",\"table\":\"\(table)\"}}"),
      "\(told.lines)")
  }

  @Test("what a row refers to need not be there")
  func references() throws {
    let told = try Self.told("INSERT INTO local_receipts VALUES ('U', 'x', 0, '', 1, 1)")
    #expect(told.codes == ["done"])
    #expect(told.lines.contains { $0.contains(#""header_cid":"x","image_cids":null"#) })
  }

  @Test(
    "what is none, or not as the app makes one",
    arguments: [
      ("DROP TABLE grdb_migrations", "db-foreign"), ("DROP TABLE ucr_headers", "db-foreign"),
      ("DROP TABLE local_receipts; CREATE VIEW local_receipts AS SELECT 1", "db-foreign"),
      ("INSERT INTO grdb_migrations VALUES ('v10')", "db-version"),
      ("INSERT INTO grdb_migrations VALUES ('v4x')", "db-version"),
      ("INSERT INTO grdb_migrations VALUES ('redo_1')", "db-version"),
      ("DELETE FROM grdb_migrations", "db-version"),
      ("CREATE VIRTUAL TABLE blobs USING fts5(cid)", "app"),
      ("UPDATE ucr_headers SET did = NULL", "app"),
      ("ALTER TABLE ucr_headers DROP COLUMN signature", "app"),
    ])
  func none(sql: String, code: String) throws { #expect(try Self.told(sql).codes == [code]) }

  @Test("every later migration of the app is known by its number", arguments: 4...9)
  func later(number: Int) throws {
    let told = try Self.told("INSERT INTO grdb_migrations VALUES ('v\(number)_anything')")
    #expect(told.codes == ["done"])
  }
}
