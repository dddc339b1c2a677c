// A database of the app as redo-index-sqlite(1) tells it: that program copies it, migrates the copy, and hands out its rows.

internal import CanonicalJSON
internal import RedoStore

/// A database of the app.
package struct AppDatabase {
  /// What every database of SQLite begins with (sqlite.org/fileformat.html, section 1.3).
  private static let magic = Array("SQLite format 3\0".utf8)
  /// What SQLite calls the files that it has beside a database.
  private static let companions = ["-wal", "-shm", "-journal"]

  /// What was told at the end.
  package struct End: Sendable {
    /// The last of the app's migrations.
    package var version = ""
    /// How many rows of other tables it has, by table.
    package var left: [(table: String, count: Int)] = []
  }

  /// Its name in messages.
  let name: String
  /// Its path.
  let path: String

  /// Whether a file that begins so is a database.
  static func isOne(_ start: some Collection<UInt8>) -> Bool { start.starts(with: magic) }

  /// Whether a name is that of a file that SQLite has beside a database among the same names.
  static func isBeside(_ name: String, in names: Set<String>) -> Bool {
    companions.contains { name.hasSuffix($0) && names.contains(String(name.dropLast($0.count))) }
  }

  /// Hands out all that it has: bytes first, then rows, receipts as they were received.
  ///
  /// - Parameters:
  ///   - effects: where programs and temporary files are.
  ///   - visit: receives each.
  /// - Returns: what was told at the end.
  /// - Throws: `ImportFault.database` for what is wrong with it; `SQLIndexFault` for the program; what `visit` throws.
  func read(_ effects: Effects, _ visit: (AppLine) throws -> Void) throws -> End {
    let place = effects.surroundings.usual.temporaryDirectory
    let scratch = try FileFault.naming(place) { () throws(SystemError) in
      try ScratchDirectory(in: place)
    }
    defer { scratch.remove() }
    let program = try SQLIndexProgram(path, effects)
    let line: [UInt8]
    do {
      line = try program.ask { json in
        json.add("app", path)
        json.add("copy", joinPath(scratch.path, "app.sqlite"))
      } _: { line in
        guard let line = AppLine(line) else {
          throw SQLIndexFault.gone(program: SQLIndexProgram.name, .stopped)
        }
        try visit(line)
      }
    } catch let fault as SQLIndexFault {
      throw refusal(fault) ?? fault
    }
    return Self.end(line)
  }

  private func refusal(_ fault: SQLIndexFault) -> ImportFault? {
    switch fault {
    case .failed(let code, let detail, _), .question(let code, let detail):
      // Its name says as much as its path.
      .database(code: code, detail: detail == path ? "" : detail, name: name)
    case .busy: .database(code: "db-busy", detail: "", name: name)
    case .noProgram, .gone, .missing, .foreign: nil
    }
  }

  private static func end(_ line: [UInt8]) -> End {
    var end = End()
    guard let document = try? JSONDocument(line, integers: .any), let done = document.root["done"]
    else { return end }
    end.version = done["version"]?.string ?? ""
    if let left = done["left"] {
      for index in left.nameIndices {
        let count = left.value(at: index + 1).integer ?? 0
        end.left.append((left.value(at: index).string ?? "", Int(count)))
      }
    }
    return end
  }
}
