// What is said of one node: `<letter> <id> <reason>`, or the same as JSON.

internal import CanonicalJSON
internal import RedoCrypto
internal import RedoObject

/// A row of verdicts: what is printed of a node, without the node.
struct VerdictRow: Sendable {
  /// What a row is about.
  private enum Subject: Sendable {
    case id(ObjectID)
    case name(String)
    case nothing
  }

  private let subject: Subject
  /// G, B, E or N; U, X or R by the trust file.
  let letter: Unicode.Scalar
  /// The form of a good signature, otherwise the rule that is broken.
  let reason: String
  /// What the letter is for, if a rule is broken.
  let finding: Finding?
  /// What a good signature was made over.
  private(set) var form: SignatureForm?
  /// The key that the signature was judged by, if it is known.
  private(set) var key: PublicKey?
  /// What the trust file says.
  private(set) var standing: Standing?
  /// Who signed it, by the node's own word.
  private(set) var userID: UserID?
  /// The device that it comes from, and the month in which it was made, `YYYY-MM`; both by the node's
  /// own word.
  private(set) var device: [UInt8]?
  private(set) var month: String?
  /// Every broken rule, warnings included.
  private(set) var findings: [Finding] = []

  /// The row of a judged text.
  init(_ judged: Judged, _ profile: Profile) {
    finding = judged.findings.isEmpty ? nil : judged.errors(profile).first
    standing = judged.standing
    switch (judged.verdict, finding) {
    case (.some(.good), nil) where judged.standing?.rule != nil:
      letter = judged.standing?.letter ?? "U"
      reason = judged.standing?.rule?.id ?? ""
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
    subject = (judged.statedID ?? judged.node?.id).map { .id($0) } ?? .nothing
    if case .good(let form) = judged.verdict { self.form = form }
    key = judged.key ?? judged.node?.publicKey
    userID = judged.node?.userID
    device = judged.node?.escapedText(.deviceID).map { Array($0) }
    // `YYYY-MM-DDT...`; no escape is in it.
    month = judged.node?.escapedText(.wall).map { String(decoding: $0.prefix(7), as: UTF8.self) }
    findings = judged.findings
  }

  private init(_ subject: Subject, reason: String, _ finding: Finding) {
    self.subject = subject
    letter = "B"
    self.reason = reason
    self.finding = finding
  }

  /// The row of an object that could not be judged.
  init(_ id: ObjectID, _ finding: Finding) {
    self.init(.id(id), reason: finding.summary, finding)
  }

  /// The row of a node that cannot be checked now: it is in an archive that is away.
  init(offline id: ObjectID, _ path: String) {
    subject = .id(id)
    letter = "E"
    let finding = Finding(.archiveOffline, detail: path)
    reason = finding.rule.id
    self.finding = finding
  }

  /// The row of a name that stands for no object.
  init(named name: ArraySlice<UInt8>, _ finding: Finding) {
    self.init(.name(Escape.text(name)), reason: finding.summary, finding)
  }

  /// The row of a name that several objects share.
  init(ambiguous name: ArraySlice<UInt8>) {
    self.init(
      .name(Escape.text(name)), reason: "ambiguous",
      Finding(.objectMissing, detail: "ambiguous"))
  }

  /// Whether the node is good.
  var isGood: Bool { letter == "G" && finding == nil }

  /// The id or name that the row is about, `-` where there is none.
  var name: String {
    switch subject {
    case .id(let id): id.text
    case .name(let name): name
    case .nothing: "-"
    }
  }

  /// Appends the row of a good node without findings.
  static func appendGood(
    _ id: ObjectID, _ form: SignatureForm, to output: inout [UInt8], end: UInt8
  ) {
    output.append("G ")
    id.append(to: &output)
    switch form {
    case .body: output.append(" body")
    case .digest: output.append(" digest")
    }
    output.append(end)
  }

  /// Appends `<letter> <id> <reason>` and what ends a row.
  func append(to output: inout [UInt8], end: UInt8) {
    output.append(UInt8(ascii: letter))
    output.append(UInt8(ascii: " "))
    switch subject {
    case .id(let id): id.append(to: &output)
    case .name(let name): output += name.utf8
    case .nothing: output.append(UInt8(ascii: "-"))
    }
    output.append(UInt8(ascii: " "))
    output += Escape.text(reason).utf8
    output.append(end)
  }

  /// Appends the row as one line of RFC 8785 JSON.
  func appendJSON(to output: inout [UInt8], end: UInt8) {
    var row = JSONRow()
    if let finding, !finding.detail.isEmpty { row.add("detail", finding.detail) }
    if let form { row.add("form", form.rawValue) }
    if case .nothing = subject {} else { row.add("id", name) }
    if let key { row.add("key", Hex.text(key.bytes.span)) }
    row.add("letter", String(letter))
    if let line = standing?.line { row.add("line", line) }
    switch finding?.place {
    case .offset(let offset): row.add("offset", offset)
    case .pointer(let pointer): row.add("pointer", pointer)
    case .whole, nil: break
    }
    if let role = standing?.role { row.add("role", role.rawValue) }
    if let finding {
      row.add("rule", finding.rule.id)
    } else if form == nil || !isGood {
      row.add("rule", reason)
    }
    if let userID { row.add("userId", userID.text) }
    let warnings = findings.filter { $0 != finding && $0.rule.severity == .warning }
    if !warnings.isEmpty {
      row.add("warnings", warnings) { JSONWriter.appendString($0.summary, to: &$1) }
    }
    row.append(to: &output)
    output.append(end)
  }
}
