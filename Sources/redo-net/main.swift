// The commands that need a network library, in one executable: `redo` starts it under their names.
import RedoShell

Shell.main(
  CommandSuite("redo-net", [RemoteFirestore.self, RemoteHTTP.self, ServeHTTP.self]))
