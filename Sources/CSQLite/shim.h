// SQLite, and what is variadic or a macro in it, which Swift does not import.
#include <sqlite3.h>

// A file may have been made to do harm: no statement may touch the tables that virtual tables are made of, and
// extensions cannot be loaded by any way. (Without trust in the schema SQLite refuses one of our own indexes, which
// calls a function of JSON. The schema is compared with ours instead, before anything in it is run.)
static inline int redo_sqlite_defend(sqlite3 *connection) {
  int code = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (code == SQLITE_OK)
    code = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  return code;
}

// A name in double quotes that no column has is an error, not a text: columns are called what people called their fields.
static inline int redo_sqlite_refuse_quoted_texts(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
}

// Bound bytes are copied (SQLITE_TRANSIENT is a cast that Swift does not import).
static inline int redo_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int size) {
  return sqlite3_bind_text(statement, index, text, size, SQLITE_TRANSIENT);
}
static inline int redo_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int size) {
  return sqlite3_bind_blob(statement, index, bytes, size, SQLITE_TRANSIENT);
}
