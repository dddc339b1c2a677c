// Files that are opened, and those that are not.

import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import RedoIndex

extension TemporaryDirectory {
  /// Runs statements on a file, as another program would.
  func run(_ sql: String, on name: String) throws {
    let queue = try DatabaseQueue(path: path(name))
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Makes a directory in this one.
  func makeDirectory(_ name: String) throws {
    try #require(unsafe mkdir(path(name), 0o700) == 0)
  }
}

@Suite("Files of an index")
struct IndexFileTests {
  private static func code(_ directory: borrowing TemporaryDirectory) throws -> String? {
    try Conversation([Requests(directory).open], in: directory).codes.first
  }

  private static func made(in directory: borrowing TemporaryDirectory) throws {
    let requests = Requests(directory)
    let said = try Conversation([requests.open] + requests.change("rebuild", []), in: directory)
    #expect(said.codes.last == "done")
  }

  @Test("only files, whatever they have, are replaced")
  func kinds() throws {
    let directory = TemporaryDirectory()
    #expect(try Self.code(directory) == "db-missing")
    try directory.write("no database", to: "index.sqlite")
    #expect(try Self.code(directory) == "db-damaged")
    try Self.made(in: directory)
    #expect(try Self.code(directory) == "done")
    let requests = Requests(directory)
    try #require(unsafe rename(requests.path, directory.path("other")) == 0)
    try #require(unsafe symlink(directory.path("other"), requests.path) == 0)
    let said = try Conversation([requests.open] + requests.change("rebuild", []), in: directory)
    #expect(said.codes == ["db-not-file", "request", "request"])
    try #require(unsafe unlink(requests.path) == 0)
    try directory.makeDirectory("index.sqlite")
    #expect(try Self.code(directory) == "db-not-file")
  }

  @Test("a link in the place of a new file is not followed")
  func unfinishedLink() throws {
    let directory = TemporaryDirectory()
    try directory.write("mine", to: "victim")
    try #require(unsafe symlink(directory.path("victim"), directory.path("index.sqlite.new")) == 0)
    try Self.made(in: directory)
    #expect(try String(contentsOfFile: directory.path("victim"), encoding: .utf8) == "mine")
    #expect(!directory.has("index.sqlite.new"))
  }

  @Test(
    "a schema that is not ours, text for text, is foreign; another list of migrations is another version"
  )
  func schemas() throws {
    for (sql, code) in [
      ("CREATE TABLE more(x)", "db-foreign"),
      ("CREATE VIEW more AS SELECT 1", "db-foreign"),
      ("CREATE TRIGGER more AFTER INSERT ON nodes BEGIN SELECT 1; END", "db-foreign"),
      ("CREATE INDEX more ON nodes(wall)", "db-foreign"),
      ("DROP INDEX idx_timeline", "db-foreign"),
      ("DROP TABLE fts_tasks", "db-foreign"),
      ("DROP TABLE grdb_migrations", "db-foreign"),
      ("DROP TABLE grdb_migrations; CREATE TABLE grdb_migrations(x)", "db-foreign"),
      ("INSERT INTO grdb_migrations VALUES('v4_received_memories')", "db-version"),
      ("DELETE FROM grdb_migrations WHERE identifier = 'redo_1'", "db-version"),
    ] {
      let directory = TemporaryDirectory()
      try Self.made(in: directory)
      try directory.run(sql, on: "index.sqlite")
      #expect(try Self.code(directory) == code, "\(sql)")
      try Self.made(in: directory)
      #expect(try Self.code(directory) == "done", "\(sql)")
    }
  }

  @Test("only the owner may read the file, whatever the umask")
  func mode() throws {
    for mask in [mode_t(0), 0o277] {
      let old = umask(mask)
      defer { umask(old) }
      let directory = TemporaryDirectory()
      try Self.made(in: directory)
      #expect((IndexFile.status(Requests(directory).path)?.st_mode ?? 0) & 0o777 == 0o600)
    }
  }

  @Test("a path may have any letters")
  func letters() throws {
    let directory = TemporaryDirectory()
    try directory.makeDirectory("a?b#c%20 ü")
    let path = directory.path("a?b#c%20 ü/index.sqlite")
    let said = try Conversation(
      [
        "{\"open\":\"\(path)\"}", "{\"begin\":\"rebuild\",\"now\":1}", "{\"commit\":{}}",
        "{\"query\":\"feed\"}",
      ],
      in: directory)
    #expect(said.codes == ["db-missing", "done", "done", "done"])
    #expect(directory.has("a?b#c%20 ü/index.sqlite"))
  }
}
