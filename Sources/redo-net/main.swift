// What links a network library, in one executable: `redo` starts it under the names of its commands.
import RedoShell

Shell.main(
  CommandSuite("redo-net", [RemoteFirestore.self, RemoteHTTP.self, ServeHTTP.self]))
