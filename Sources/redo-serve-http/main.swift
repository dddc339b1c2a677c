// redo-serve-http: what `redo serve --http` starts.
import RedoCommands
import RedoServer

Shell.main(as: "redo-serve-http", commands: [ServeHTTP.self])
