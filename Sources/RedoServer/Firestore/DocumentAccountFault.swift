// What keeps an account from having documents.

package import FirestoreModel
package import RedoRepository

/// An account whose name cannot stand in the documents of a Firestore.
package struct DocumentAccountFault: Fault {
  /// The name of the account.
  package let account: String
  /// What is wrong with it.
  package let reason: OAuthID.Fault

  /// What kind of end it is.
  package var code: RedoError.Code { .invalid }

  /// The account.
  package var subject: String? { account }
}
