// The commands that only read a store and show what is in it.

package import RedoShell

/// Commands that write nothing but their output, and what is kept in `cache`.
package enum ReadCommands {
  /// The commands, sorted by name.
  package static var all: [any Command.Type] {
    [
      Canonicalize.self,
      CatNode.self,
      CIDCommand.self,
      Diff.self,
      Explain.self,
      IndexCommand.self,
      Log.self,
      MergeBaseCommand.self,
      Query.self,
      RevParse.self,
      SearchCommand.self,
      Show.self,
      ShowRef.self,
      State.self,
      VerifyPack.self,
    ]
  }

  /// Finds a command by its name; a test keeps this in step with the list.
  package static func command(_ name: String) -> (any Command.Type)? {
    switch name {
    case "canonicalize": Canonicalize.self
    case "cat-node": CatNode.self
    case "cid": CIDCommand.self
    case "diff": Diff.self
    case "explain": Explain.self
    case "index": IndexCommand.self
    case "log": Log.self
    case "merge-base": MergeBaseCommand.self
    case "query": Query.self
    case "rev-parse": RevParse.self
    case "search": SearchCommand.self
    case "show": Show.self
    case "show-ref": ShowRef.self
    case "state": State.self
    case "verify-pack": VerifyPack.self
    default: nil
    }
  }

  /// Offers words that may follow on a command line: `redo __complete`, for the completions of shells.
  package static func complete(_ context: inout Context) -> Exit { Completion.run(&context) }
}
