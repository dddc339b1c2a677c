// All commands, in the order in which they are listed.

/// The commands of `redo`.
package enum CommandTable {
  /// The commands, sorted by name.
  ///
  /// Metatypes only: nothing of a command is built before it is chosen.
  package static var all: [any Command.Type] {
    [
      Canonicalize.self,
      CatNode.self,
      HashObject.self,
      Import.self,
      Init.self,
      Log.self,
      ReflogCommand.self,
      RevParse.self,
      ShowRef.self,
      UpdateRef.self,
      Verify.self,
    ]
  }
}
