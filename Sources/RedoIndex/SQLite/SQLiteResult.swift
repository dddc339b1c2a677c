// SQLite's result codes as faults (sqlite.org/rescode.html).

internal import CSQLite

/// The fault for a result code.
///
/// - Parameters:
///   - code: primary or extended.
///   - detail: what SQLite says.
/// - Returns: a fault; an error in a statement is one of the query.
func fault(of code: Int32, _ detail: String) -> IndexFault {
  switch code & 0xFF {
  case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_PROTOCOL: IndexFault(.damaged, detail)
  case SQLITE_BUSY, SQLITE_LOCKED: IndexFault(.busy, detail)
  case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM: IndexFault(.access, detail)
  case SQLITE_IOERR, SQLITE_FULL: IndexFault(.device, detail)
  case SQLITE_NOMEM, SQLITE_TOOBIG: IndexFault(.limit, detail)
  case SQLITE_CONSTRAINT: IndexFault(.constraint, detail)
  case SQLITE_AUTH: IndexFault(.notSelect, detail)
  case SQLITE_INTERRUPT: IndexFault(.closed, detail)
  default: IndexFault(.query, detail)
  }
}
