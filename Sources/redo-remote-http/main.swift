// redo-remote-http: what commands start to talk to a remote over HTTP.
import RedoCommands
import RedoHTTP

Shell.main(as: "redo-remote-http", commands: [RemoteHTTP.self])
