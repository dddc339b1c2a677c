// How much of the documents' log an account uses. What counts are documents that are no nodes of the
// history: those that are refused, that wait, that have not been offered yet, and those outside of `nodes`. Each counts
// for the account that wrote it last, with exactly the bytes that its entry has in the log. What was overwritten and
// deleted does not count: the log is written anew when there is much of it.

/// How much is used.
struct DocumentUse: Equatable, Sendable {
  /// The number of documents.
  var documents = 0
  /// The bytes of their entries in the log.
  var bytes = 0

  static func += (left: inout DocumentUse, right: DocumentUse) {
    left.documents += right.documents
    left.bytes += right.bytes
  }

  static func -= (left: inout DocumentUse, right: DocumentUse) {
    left.documents -= right.documents
    left.bytes -= right.bytes
  }
}
