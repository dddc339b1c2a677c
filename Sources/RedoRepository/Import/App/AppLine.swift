// What redo-index-sqlite(1) tells of a database of the app, line by line. Pure.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject

/// A row of a database of the app, in the columns of an index.
package struct AppRow: Sendable {
  /// The table.
  package let table: String
  /// The columns that are not NULL, each as JSON.
  package var members: [String: [UInt8]]

  /// A row of its parts.
  package init(_ table: String, _ members: [String: [UInt8]]) {
    self.table = table
    self.members = members
  }

  /// The text of a column; `nil` where it is NULL, or none.
  package func text(_ name: String) -> String? {
    guard let json = members[name], let document = try? JSONDocument(json) else { return nil }
    return document.root.string
  }

  /// The number of a column; `nil` where it is NULL, or none.
  package func number(_ name: String) -> Double? {
    members[name].flatMap { Double(String(decoding: $0, as: UTF8.self)) }
  }

  /// The bytes of a column; `nil` where it is NULL, or none.
  package func bytes(_ name: String) -> [UInt8]? {
    text(name).flatMap { Base64.decode(Array($0.utf8).span) }
  }

  /// A time in milliseconds since 1970, of a column that has seconds; `nil` where it is NULL.
  package func time(_ name: String) -> Int64? {
    number(name).map { seconds in
      let bound = Double(Int64.max / 2)
      return Int64(min(max((seconds * 1000).rounded(), -bound), bound))
    }
  }
}

/// A line about a database of the app.
package enum AppLine: Sendable {
  /// Bytes, and the name that the app gave them.
  case blob(name: String, bytes: [UInt8])
  /// A row.
  case row(AppRow)
  /// A row with a value that is not of its column's kind.
  case wrong(table: String, key: String, column: String)

  /// Reads a line; `nil` for one that is none of these.
  package init?(_ line: [UInt8]) {
    guard let document = try? JSONDocument(line, integers: .any) else { return nil }
    let root = document.root
    if let name = root["blob"]?.string {
      guard let data = root["data"]?.escaped, let bytes = Base64.decode(data) else { return nil }
      self = .blob(name: name, bytes: bytes)
    } else if let table = root["put"]?.string, let row = root["row"] {
      var members: [String: [UInt8]] = [:]
      for index in row.nameIndices {
        let value = row.value(at: index + 1)
        if !value.isNull { members[row.value(at: index).string ?? ""] = value.bytes }
      }
      self = .row(AppRow(table, members))
    } else if let wrong = root["wrong"] {
      self = .wrong(
        table: wrong["table"]?.string ?? "", key: wrong["key"]?.string ?? "",
        column: wrong["column"]?.string ?? "")
    } else {
      return nil
    }
  }
}
