// A connection that writes. GRDB opens it and runs the migrations; rows go in by SQLite's own interface.

internal import CSQLite
internal import GRDB
internal import Glibc

/// A connection that writes one file.
struct IndexWriter {
  /// How changes are kept from being seen by halves.
  enum Journal: Sendable {
    /// A file that others read: a write-ahead log, or a journal that is truncated where there can be none.
    case shared
    /// A new file, which nobody knows yet.
    case none
  }

  let queue: DatabaseQueue
  /// Whether the file system has no write-ahead log.
  let lacksLog: Bool

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: was checked, or made.
  ///   - journal: how it is written.
  /// - Throws: `IndexFault`.
  init(_ path: String, _ journal: Journal) throws(IndexFault) {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = journal == .shared
    configuration.busyMode = .timeout(Double(IndexPragmas.busyMilliseconds) / 1000)
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      // A file that is made here needs no defence, which would give it a journal, too.
      if journal == .shared {
        let code = unsafe redo_sqlite_defend(database.sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      }
      let own = journal == .shared ? IndexPragmas.writing : IndexPragmas.building
      // The settings of reading come first: foreign keys are off in a file that is built.
      for pragma in IndexPragmas.reading + own { try database.execute(sql: pragma) }
    }
    do {
      var opened = try DatabaseQueue(path: path, configuration: configuration)
      var lacksLog = false
      if journal == .shared, try !Self.setLog(opened) {
        lacksLog = true
        try opened.close()
        try Self.takeBackLog(path)
        opened = try DatabaseQueue(path: path, configuration: configuration)
        _ = try opened.writeWithoutTransaction { database in
          try String.fetchOne(database, sql: "PRAGMA journal_mode = TRUNCATE")
        }
      }
      queue = opened
      self.lacksLog = lacksLog
    } catch {
      throw Self.fault(error, path)
    }
  }

  /// Asks for a write-ahead log.
  ///
  /// - Returns: whether there can be one; if not, the file may say that it has one all the same.
  private static func setLog(_ queue: DatabaseQueue) throws -> Bool {
    try queue.writeWithoutTransaction { database in
      do {
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        // Whether memory can be shared shows when the log is used.
        try database.execute(sql: "BEGIN IMMEDIATE; ROLLBACK")
        return mode == "wal"
      } catch let error as DatabaseError {
        switch error.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_READONLY: return false
        default: throw error
        }
      }
    }
  }

  /// Makes a file say that it has no log, with a connection that shares no memory.
  private static func takeBackLog(_ path: String) throws(IndexFault) {
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    guard let pointer = unsafe opened else { throw RedoIndex.fault(of: code, path) }
    let connection = unsafe SQLiteConnection(pointer)
    defer { connection.close() }
    try connection.run("PRAGMA locking_mode = EXCLUSIVE")
    try connection.run("PRAGMA journal_mode = TRUNCATE")
  }

  /// SQLite's own connection, which lives as long as the queue is open.
  ///
  /// From then on GRDB is no longer told of transactions, for it may not be told outside of its queue, nor asked about
  /// each table and column of each statement. It only closes the connection.
  ///
  /// - Throws: `IndexFault`.
  func connection() throws(IndexFault) -> SQLiteConnection {
    let pointer = unsafe queue.inDatabase { unsafe $0.sqliteConnection }
    guard let pointer = unsafe pointer else { throw IndexFault(.busy, "closed") }
    unsafe sqlite3_commit_hook(pointer, nil, nil)
    unsafe sqlite3_rollback_hook(pointer, nil, nil)
    unsafe sqlite3_set_authorizer(pointer, nil, nil)
    return unsafe SQLiteConnection(pointer)
  }

  /// Makes the schema of an index.
  ///
  /// - Parameter checksReferences: whether a row that refers to none ends it.
  /// - Throws: `IndexFault`.
  func migrate(checksReferences: Bool = true) throws(IndexFault) {
    do {
      try Migrations.migrator(checksReferences: checksReferences).migrate(queue)
    } catch {
      throw Self.fault(error, "")
    }
  }

  /// Closes the file.
  ///
  /// - Throws: `IndexFault`.
  func close() throws(IndexFault) {
    do {
      try queue.close()
    } catch {
      throw Self.fault(error, "")
    }
  }

  /// An error of GRDB as ours.
  static func fault(_ error: any Error, _ subject: String) -> IndexFault {
    if let fault = error as? IndexFault { return fault }
    guard let error = error as? DatabaseError else { return IndexFault(.query, "\(error)") }
    let message = error.message ?? subject
    return RedoIndex.fault(of: error.extendedResultCode.rawValue, message)
  }
}
