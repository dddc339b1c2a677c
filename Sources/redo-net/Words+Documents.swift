// Messages about accounts that cannot have documents.

internal import FirestoreModel
package import RedoServer
package import RedoShell

extension DocumentAccountFault: WordedFault {
  /// The error that ends the command.
  package var words: CommandError {
    .fatal("the account '\(account)' cannot have documents: \(reason.message)")
  }
}
