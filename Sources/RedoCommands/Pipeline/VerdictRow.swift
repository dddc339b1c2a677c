// What is said of one node: `<letter> <id> <reason>`, or the same as JSON.

internal import RedoCrypto
internal import RedoObject

/// A row of verdicts.
struct VerdictRow {
  private let letter: Unicode.Scalar
  /// The id or name that the row is about.
  let id: String?
  private let reason: String
  private let finding: Finding?
  private let judged: Judged?

  /// The row of a judged text.
  init(_ judged: Judged, _ profile: Profile) {
    let error = judged.errors(profile).first
    switch (judged.verdict, error) {
    case (.some(let verdict), nil):
      letter = verdict.letter
      reason = verdict.reason
    case (.some(let verdict), .some(let error)) where !verdict.isGood:
      // Under a strict profile the letter still says what is wrong with the signature.
      letter = verdict.letter
      reason = error.summary
    case (_, .some(let error)):
      letter = "B"
      reason = error.summary
    case (nil, nil):
      letter = "B"
      reason = Rule.nodeType.id
    }
    finding = error
    id = (judged.statedID ?? judged.node?.id)?.text
    self.judged = judged
  }

  /// The row of an object that could not be judged.
  init(_ id: ObjectID, _ finding: Finding) {
    self.init(named: Array(id.text.utf8)[...], finding)
  }

  /// The row of a name that stands for no object.
  init(named name: ArraySlice<UInt8>, _ finding: Finding) {
    letter = "B"
    id = Escape.text(name)
    reason = finding.summary
    self.finding = finding
    judged = nil
  }

  /// The row of a name that several objects share.
  init(ambiguous name: ArraySlice<UInt8>) {
    letter = "B"
    id = Escape.text(name)
    reason = "ambiguous"
    finding = Finding(.objectMissing, detail: "ambiguous")
    judged = nil
  }

  /// Whether the node is good.
  var isGood: Bool { letter == "G" && finding == nil }

  /// Every broken rule, warnings included.
  var findings: [Finding] { judged?.findings ?? [] }

  /// Appends `<letter> <id> <reason>` and what ends a row.
  func append(to output: inout [UInt8], end: UInt8) {
    output.append(UInt8(ascii: letter))
    output.append(UInt8(ascii: " "))
    output += (id ?? "-").utf8
    output.append(UInt8(ascii: " "))
    output += Escape.text(reason).utf8
    output.append(end)
  }

  /// Appends the row as one line of RFC 8785 JSON.
  func appendJSON(to output: inout [UInt8], end: UInt8) {
    output.append("{")
    let start = output.count
    func member(_ name: StaticString, _ value: String) {
      if output.count > start { output.append(",") }
      output.append("\"")
      output.append(name)
      output.append("\":")
      JSONText.append(value, to: &output)
    }
    if let finding, !finding.detail.isEmpty { member("detail", finding.detail) }
    if case .good(let form) = judged?.verdict { member("form", form.rawValue) }
    if let id { member("id", id) }
    if let key = judged?.node?.publicKey { member("key", Hex.text(key.bytes.span)) }
    member("letter", String(letter))
    switch finding?.place {
    case .offset(let offset):
      output.append(",\"offset\":")
      output += String(offset).utf8
    case .pointer(let pointer): member("pointer", pointer)
    case .whole, nil: break
    }
    if let finding {
      member("rule", finding.rule.id)
    } else if let verdict = judged?.verdict, !verdict.isGood {
      member("rule", verdict.reason)
    }
    if let node = judged?.node { member("userId", node.userID.text) }
    let warnings = findings.filter { $0 != finding && $0.rule.severity == .warning }
    if !warnings.isEmpty {
      output.append(",\"warnings\":[")
      for (index, warning) in warnings.enumerated() {
        if index > 0 { output.append(",") }
        JSONText.append(warning.summary, to: &output)
      }
      output.append("]")
    }
    output.append("}")
    output.append(end)
  }
}
