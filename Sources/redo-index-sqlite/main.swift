// The index of a store, for other programs to read and for redo to feed: the one program that links SQLite. It never
// opens a store. redo writes requests to its standard input and reads answers from its standard output, a JSON object
// a line each (redo-index-sqlite(1) has the members):
//
//   {"open":<path>}                          {"done":{"values":{...}}}: what the index is up to
//   {"begin":"update","now":<seconds>}       {"done":{}}; also "rebuild", "check"
//   {"put":<table>,"row":{...}}              no answer
//   {"delete":<table>,"key":{...}}           no answer
//   {"commit":{<key>:<value>,...}}           {"done":{"deleted":<n>,"put":<n>}}
//   {"rollback":true}                        {"done":{}}
//   {"query":<name>,...}                     {"columns":[...]}, {"row":[...]} for each row, {"done":{"rows":<n>}}
//   {"sql":<one select>}                     the same
//   {"app":<path>,"copy":<path>}             {"blob":...} and {"put":...} for each row of an app's file, {"done":...}
//
// Every answer ends with `done` or with {"error":{"code":<code>,"detail":<text>}}. The end of the input in the middle
// of a change undoes it: exit status 1.
import Glibc
import RedoIndex

if CommandLine.arguments.count > 1 {
  let usage = "usage: redo-index-sqlite\n"
  _ = unsafe write(2, usage, usage.utf8.count)
  exit(129)
}
exit(IndexProgram.run(input: 0, output: 1).rawValue)
