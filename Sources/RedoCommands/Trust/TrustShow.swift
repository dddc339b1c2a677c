// redo trust list: who may sign, now.

internal import CanonicalJSON
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// `redo trust list [--json] [-z]`.
enum TrustShow: Command {
  static let name = "list"
  static let summary = "list who may sign"
  static var usage: [String] { ["redo-trust list [--json] [-z]"] }
  static var options: [OptionSpec] { [TrustWords.json, TrustWords.nul] }

  static func run(
    _ context: inout Context, _ options: ParsedOptions
  ) throws -> Exit {
    guard options.arguments.isEmpty else { throw CommandError.usage("there is nothing to name") }
    let opened = try context.effects.openRepositoryIfPresent()
    guard let list = try context.effects.trustList(opened) else {
      if opened == nil { throw CommandError.fatal(StoreDirectoryError.notFound(from: "")) }
      return .ok
    }
    var isProved = true
    for row in TrustRow.rows(list, now: WallTime(milliseconds: context.clock())) {
      if row.isProved == false {
        isProved = false
        context.error(
          "the proof on line \(row.entry.line) that '\(row.entry.signer.text)' is the same person "
            + "does not hold")
      }
      try context.output.append { output throws in
        if options.has(TrustWords.json) {
          row.appendJSON(to: &output)
        } else {
          row.append(to: &output)
        }
        output.append(TrustWords.end(options))
      }
    }
    return isProved ? .ok : .no
  }
}

extension TrustRow {
  /// Appends `<state> <role> <signer> <valid-after> <valid-before> <person>[ <comment>]`.
  func append(to output: inout [UInt8]) {
    let times = "\(entry.validAfter?.text ?? "-") \(entry.validBefore?.text ?? "-")"
    output +=
      "\(state.rawValue) \(entry.role.rawValue) \(entry.signer.text) \(times) \(person)".utf8
    guard let comment = entry.comment, !comment.isEmpty else { return }
    output += " \(Escape.text(comment))".utf8
  }

  /// Appends the same as an object, and what else the file says.
  func appendJSON(to output: inout [UInt8]) {
    var members = JSONRow()
    if let comment = entry.comment {
      members.add("comment", String(decoding: comment, as: UTF8.self))
    }
    members.add("line", entry.line)
    members.add("person", person)
    if let isProved { members.add("proof", isProved ? "good" : "bad") }
    if let line = entry.revokedLine { members.add("revokedLine", line) }
    members.add("role", entry.role.rawValue)
    if let same = entry.sameAs { members.add("sameAs", same.text) }
    members.add("signer", entry.signer.text)
    members.add("state", state.rawValue)
    members.add("userId", entry.signer.userID.text)
    if let time = entry.validAfter { members.add("validAfter", time.text) }
    if let time = entry.validBefore { members.add("validBefore", time.text) }
    if entry.isRevoked {
      members.add("validThrough", entry.validThrough) { id, output in
        JSONWriter.appendString(id.text, to: &output)
      }
    }
    members.append(to: &output)
  }
}
