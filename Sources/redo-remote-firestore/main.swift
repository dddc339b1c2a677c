// redo-remote-firestore: what commands start to talk to a Firestore.
import RedoCommands
import RedoFirestore

Shell.main(as: "redo-remote-firestore", commands: [RemoteFirestore.self])
