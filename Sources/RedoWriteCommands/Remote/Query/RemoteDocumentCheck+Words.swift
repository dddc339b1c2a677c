// Messages about the documents of a remote.

internal import RedoRepository
internal import RedoShell

extension RemoteDocumentCheck {
  /// Reports what is wrong with a document, one problem per line.
  static func say(_ row: Row, _ context: borrowing Context) {
    for finding in row.findings {
      context.error(
        "\(Escape.text(finding.code)): '\(Escape.text(row.id))': \(Escape.text(finding.text))")
    }
  }
}
