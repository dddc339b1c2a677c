// What links a network library, in one executable: `redo` starts it under the names of its commands.
import RedoCommands
import RedoFirestore
import RedoHTTP
import RedoServer

Shell.main(suite: "redo-net", commands: [RemoteFirestore.self, RemoteHTTP.self, ServeHTTP.self])
