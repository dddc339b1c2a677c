// All commands, in the order in which they are listed.

package import RedoShell

/// The commands of `redo`.
package enum CommandTable {
  /// The commands, sorted by name.
  ///
  /// These are types only: no command is set up before it is chosen.
  package static var all: [any Command.Type] {
    [
      Archive.self,
      Canonicalize.self,
      CatNode.self,
      CheckpointCommand.self,
      Commit.self,
      ConfigCommand.self,
      Diff.self,
      Explain.self,
      Export.self,
      Fetch.self,
      Gc.self,
      HashObject.self,
      Import.self,
      Init.self,
      Key.self,
      Log.self,
      LsRemote.self,
      Merge.self,
      MergeBaseCommand.self,
      Prove.self,
      Push.self,
      QuarantineCommand.self,
      Query.self,
      Recover.self,
      ReflogCommand.self,
      RemoteCommand.self,
      Repack.self,
      RevParse.self,
      Revert.self,
      Serve.self,
      Show.self,
      ShowRef.self,
      Snapshot.self,
      State.self,
      Stats.self,
      SyncCommand.self,
      Trust.self,
      UpdateRef.self,
      Verify.self,
      VerifyPack.self,
      Wipe.self,
    ]
  }

  /// Finds a command by its name; a test keeps this in step with the list.
  package static func command(_ name: String) -> (any Command.Type)? {
    switch name {
    case "archive": Archive.self
    case "canonicalize": Canonicalize.self
    case "cat-node": CatNode.self
    case "checkpoint": CheckpointCommand.self
    case "commit": Commit.self
    case "config": ConfigCommand.self
    case "diff": Diff.self
    case "explain": Explain.self
    case "export": Export.self
    case "fetch": Fetch.self
    case "gc": Gc.self
    case "hash-object": HashObject.self
    case "import": Import.self
    case "init": Init.self
    case "key": Key.self
    case "log": Log.self
    case "ls-remote": LsRemote.self
    case "merge": Merge.self
    case "merge-base": MergeBaseCommand.self
    case "prove": Prove.self
    case "push": Push.self
    case "quarantine": QuarantineCommand.self
    case "query": Query.self
    case "recover": Recover.self
    case "reflog": ReflogCommand.self
    case "remote": RemoteCommand.self
    case "repack": Repack.self
    case "rev-parse": RevParse.self
    case "revert": Revert.self
    case "serve": Serve.self
    case "show": Show.self
    case "show-ref": ShowRef.self
    case "snapshot": Snapshot.self
    case "state": State.self
    case "stats": Stats.self
    case "sync": SyncCommand.self
    case "trust": Trust.self
    case "update-ref": UpdateRef.self
    case "verify": Verify.self
    case "verify-pack": VerifyPack.self
    case "wipe": Wipe.self
    default: nil
    }
  }

  /// The suite of commands that `redo` offers.
  package static var suite: CommandSuite {
    CommandSuite("redo", all, find: command) { Completion.run(&$0) }
  }

  /// Runs this process's command line and ends the process.
  ///
  /// - Parameter name: `redo-<command>` for an executable that is one command; `nil` for the one that takes
  ///   the command from its own name or first argument.
  package static func main(as name: String? = nil) -> Never { Shell.main(as: name, suite) }
}
