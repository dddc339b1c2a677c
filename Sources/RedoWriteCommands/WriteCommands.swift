// The commands that may change something.

package import RedoShell

/// Commands that may write to a store, a remote, a key or an archive.
package enum WriteCommands {
  /// The commands, sorted by name.
  package static var all: [any Command.Type] {
    [
      Age.self,
      Archive.self,
      Backup.self,
      CheckpointCommand.self,
      CircleCommand.self,
      Commit.self,
      Compare.self,
      ConfigCommand.self,
      DeviceCommand.self,
      Export.self,
      Fetch.self,
      Gc.self,
      HashObject.self,
      Import.self,
      Init.self,
      Key.self,
      LocalCommand.self,
      LsRemote.self,
      Merge.self,
      Prove.self,
      Push.self,
      QuarantineCommand.self,
      ReceiptCommand.self,
      RecordCommand.self,
      Recover.self,
      ReflogCommand.self,
      RemoteCommand.self,
      Repack.self,
      Revert.self,
      SchemaCommand.self,
      Serve.self,
      ShareCommand.self,
      Snapshot.self,
      Stats.self,
      SyncCommand.self,
      Trust.self,
      UndoCommand.self,
      UpdateRef.self,
      Verify.self,
      Wipe.self,
    ]
  }

  /// Finds a command by its name; a test keeps this in step with the list.
  package static func command(_ name: String) -> (any Command.Type)? {
    switch name {
    case "age": Age.self
    case "archive": Archive.self
    case "backup": Backup.self
    case "checkpoint": CheckpointCommand.self
    case "circle": CircleCommand.self
    case "commit": Commit.self
    case "compare": Compare.self
    case "config": ConfigCommand.self
    case "device": DeviceCommand.self
    case "export": Export.self
    case "fetch": Fetch.self
    case "gc": Gc.self
    case "hash-object": HashObject.self
    case "import": Import.self
    case "init": Init.self
    case "key": Key.self
    case "local": LocalCommand.self
    case "ls-remote": LsRemote.self
    case "merge": Merge.self
    case "prove": Prove.self
    case "push": Push.self
    case "quarantine": QuarantineCommand.self
    case "receipt": ReceiptCommand.self
    case "record": RecordCommand.self
    case "recover": Recover.self
    case "reflog": ReflogCommand.self
    case "remote": RemoteCommand.self
    case "repack": Repack.self
    case "revert": Revert.self
    case "schema": SchemaCommand.self
    case "serve": Serve.self
    case "share": ShareCommand.self
    case "snapshot": Snapshot.self
    case "stats": Stats.self
    case "sync": SyncCommand.self
    case "trust": Trust.self
    case "undo": UndoCommand.self
    case "update-ref": UpdateRef.self
    case "verify": Verify.self
    case "wipe": Wipe.self
    default: nil
    }
  }
}
