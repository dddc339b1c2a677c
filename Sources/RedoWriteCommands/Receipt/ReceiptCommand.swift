// redo receipt: the receipts of a store, and what their chains come to. Each subcommand is a command of its own.

internal import RedoShell

/// `redo receipt <subcommand>`.
enum ReceiptCommand: CommandGroup {
  static let name = "receipt"
  static let summary = "make, list, show and mark receipts, and what their chains come to"
  static var subcommands: [any Command.Type] {
    [
      ReceiptCreate.self, ReceiptEdit.self, ReceiptDelete.self, ReceiptList.self, ReceiptShow.self,
      ReceiptMarking.self, ReceiptPlace.self,
    ]
  }
}
