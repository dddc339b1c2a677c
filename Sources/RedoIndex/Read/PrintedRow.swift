// Rows as they are answered: an array of JSON values. A number is the token that SQLite prints for it, so that a
// reader that copies tokens prints what sqlite3(1) prints: a REAL always has a point. A BLOB is an object with its
// Base64, and so is a number that JSON has no token for.

internal import CSQLite
internal import CanonicalJSON

extension PreparedStatement {
  /// Appends the row of the statement as an answer.
  func appendRow(to output: inout [UInt8]) {
    output += "{\"row\":[".utf8
    for index in 0..<columnCount {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      appendValue(index, to: &output)
    }
    output += "]}".utf8
  }

  /// Appends a value.
  func appendValue(_ index: Int, to output: inout [UInt8]) {
    switch type(index) {
    case SQLITE_INTEGER:
      output += String(integer(index)).utf8
    case SQLITE_FLOAT:
      guard real(index).isFinite else {
        output += "{\"real\":\"\(text(index))\"}".utf8
        return
      }
      appendText(index, to: &output)
    case SQLITE_TEXT:
      // Text of a file that others wrote may be no UTF-8; `text` mends it.
      JSONWriter.appendString(text(index), to: &output)
    case SQLITE_BLOB:
      output += "{\"blob\":\"".utf8
      Base64Text.append(blob(index), to: &output)
      output += "\"}".utf8
    default:
      output += "null".utf8
    }
  }

  /// Appends the names of the columns as an answer.
  func appendColumns(to output: inout [UInt8]) {
    JSONWriter.append(to: &output) { json in
      json.object { json in
        json.addArray("columns") { json in
          for index in 0..<columnCount { json.value(columnName(index)) }
        }
      }
    }
  }
}
