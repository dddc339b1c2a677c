// redo ls-remote --verify: whether documents are as they should be.

internal import RedoObject
internal import RedoRemote
internal import RedoRepository
internal import RedoShell

/// Checks documents and reports the result.
enum LsRemoteVerify {
  /// Checks documents.
  ///
  /// - Parameters:
  ///   - words: their ids, with or without `sha256:`.
  ///   - query: the remote to ask.
  ///   - form: how rows are written.
  ///   - settings: whether a signature may be missing.
  ///   - context: the surroundings.
  /// - Returns: `ok`; `no` when a document is not as it should be, otherwise `absent` when one is missing.
  /// - Throws: the errors of `RemoteQuery.ask`.
  static func run(
    _ words: [String], _ query: RemoteQuery, _ form: LsRemoteQuery.Form,
    _ settings: SyncSession.Options, _ context: inout Context
  ) throws -> Exit {
    let ids = words.map { word in
      ObjectID(hex: Array(word.utf8).span)?.text ?? word
    }
    let rows = try RemoteDocumentCheck.run(
      ids, at: query, allowsUnsigned: settings.allowsUnsigned, context.effects)
    try context.output.append { output throws in
      for row in rows { append(row, form, to: &output) }
    }
    try context.output.flush()
    for row in rows { RemoteDocumentCheck.say(row, context) }
    if rows.allSatisfy(\.findings.isEmpty) { return .ok }
    return rows.contains { !$0.isMissing && !$0.findings.isEmpty } ? .no : .absent
  }

  /// `<id> TAB <code>`, one row for each code, or `ok` if there is none; or an object.
  private static func append(
    _ row: RemoteDocumentCheck.Row, _ form: LsRemoteQuery.Form, to output: inout [UInt8]
  ) {
    let isRaw = form.end == 0
    guard form.isJSON else {
      let id = Escape.field(Array(row.id.utf8), isRaw: isRaw)
      var codes: [String] = []
      for finding in row.findings where !codes.contains(finding.code) {
        codes.append(finding.code)
      }
      for code in codes.isEmpty ? ["ok"] : codes {
        output += "\(id)\t\(Escape.field(Array(code.utf8), isRaw: isRaw))".utf8
        output.append(form.end)
      }
      return
    }
    var object = JSONRow()
    object.add("findings", row.findings) { finding, output in
      var inner = JSONRow()
      inner.add("code", finding.code)
      inner.add("text", finding.text)
      inner.append(to: &output)
    }
    object.add("id", row.id)
    object.add("isGood", row.findings.isEmpty)
    object.append(to: &output)
    output.append(form.end)
  }
}
