// All commands, in the order in which they are listed.

package import RedoShell

/// The commands of `redo`.
package enum CommandTable {
  /// The commands, sorted by name.
  ///
  /// Metatypes only: nothing of a command is built before it is chosen.
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

  /// The suite that `redo` is.
  package static var suite: CommandSuite {
    CommandSuite("redo", all) { Completion.run(&$0) }
  }

  /// Runs this process's command line and ends the process.
  ///
  /// - Parameter name: `redo-<command>` for an executable that is one command; `nil` for the one that takes
  ///   the command from its own name or first argument.
  package static func main(as name: String? = nil) -> Never { Shell.main(as: name, suite) }
}
