// `firestore/`: the names in it.

/// The check of what `redo serve --firestore` keeps.
enum DocumentsCheck {
  /// The log of documents.
  static let log = "documents"
  /// What keeps two servers apart.
  static let lock = "lock"
  /// How a file begins that has no name yet.
  static let temporaryPrefix = "tmp_"

  /// What a name in the directory means.
  @Sendable static func meaning(_ name: String) -> CheckedName {
    name == log || name == lock ? .file : .unknown
  }
}
