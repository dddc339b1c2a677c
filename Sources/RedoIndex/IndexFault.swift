// What can go wrong with an index. The codes go over the wire (redo-index-sqlite(1)); sentences are the reader's.

/// What went wrong with an index, or with a request.
package struct IndexFault: Error, Equatable, Sendable {
  /// The closed set of faults; the raw values are those of the wire.
  package enum Code: String, CaseIterable, Sendable {
    // The file.
    /// There is no file.
    case missing = "db-missing"
    /// It is no database, or is damaged.
    case damaged = "db-damaged"
    /// It is a database, but not one that redo made.
    case foreign = "db-foreign"
    /// It has a migration that this release does not know, or lacks one.
    case version = "db-version"
    /// It is a symbolic link, a directory, a pipe.
    case notFile = "db-not-file"
    /// It may not be read or written.
    case access = "db-access"
    /// Another process holds it.
    case busy = "db-busy"
    /// The disk is full, or fails.
    case device = "db-io"
    // What was asked.
    /// A line is no request, or comes where it does not belong.
    case request = "request"
    /// A line or a query is too long.
    case limit = "limit"
    /// A table or a column that there is not, or a value of another type.
    case row = "row"
    /// A row refers to one that there is not, or has what must be unique.
    case constraint = "constraint"
    /// The statement is not one that only reads.
    case notSelect = "not-select"
    /// SQLite refuses the text of a query.
    case query = "query"
    /// An app's file contradicts itself.
    case app = "app"
    /// Whoever asked has gone.
    case closed = "closed"
  }

  /// Which one.
  package let code: Code
  /// Its subject: a path, a table, a member, what SQLite says.
  package let detail: String

  /// A fault.
  package init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }
}
