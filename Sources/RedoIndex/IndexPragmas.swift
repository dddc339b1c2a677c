// The settings of connections: those of the database document, and what it takes to open a file that may have been
// made to do harm (sqlite.org/security.html).

/// Settings of connections.
enum IndexPragmas {
  /// How long a lock is waited for, in milliseconds; redo has its own lock around updates.
  static let busyMilliseconds: Int32 = 5000

  /// What SQLite may have of memory in all, in bytes: a statement that sorts more than that ends with an error.
  static let memoryLimit: Int64 = 256 << 20

  /// Those of every connection.
  static let reading = [
    "PRAGMA cell_size_check = ON",
    "PRAGMA cache_size = -64000",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA mmap_size = 268435456",
    "PRAGMA foreign_keys = ON",
  ]

  /// Those of a connection that writes, too.
  static let writing = ["PRAGMA synchronous = NORMAL"]

  /// Those of a file that nobody else knows yet: it is written from beginning to end, and is worth nothing before.
  static let building = [
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA foreign_keys = OFF",
  ]
}
