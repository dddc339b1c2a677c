// What is said about one node: `<letter> <id> <reason>`, or the same as JSON.

internal import CanonicalJSON
package import RedoCrypto
package import RedoObject

/// A row of verdicts: what is printed about a node, without the node.
package struct VerdictRow: Sendable {
  /// What a row is about.
  package enum Subject: Sendable {
    case id(ObjectID)
    case name([UInt8])
    case nothing
  }

  /// What a node may call its author, or the device.
  package enum Name: Int, CaseIterable, Sendable {
    case author, email, device
  }

  /// Every letter that a row may have, in the order of columns that count them.
  package static let letters: [Unicode.Scalar] = ["G", "B", "U", "X", "R", "E", "N"]

  package let subject: Subject
  /// G, B, E or N; U, X or R by the trust file.
  package let letter: Unicode.Scalar
  /// The form of a good signature, otherwise the rule that is broken.
  package let reason: String
  /// The broken rule that the letter stands for, if any.
  package let finding: Finding?
  /// What a good signature was made over.
  package private(set) var form: SignatureForm?
  /// The key that the signature was checked with, if it is known.
  package private(set) var key: PublicKey?
  /// What the trust file says.
  package private(set) var standing: Standing?
  /// The author, as the node states it.
  package private(set) var userID: UserID?
  /// The device that it comes from, and the month in which it was made, `YYYY-MM`; both as the node states them.
  package private(set) var device: [UInt8]?
  package private(set) var month: String?
  /// What the node calls its author and the device, in the order of `Name`: JSON without quotes, each ended by NUL.
  private var names: [UInt8] = []
  /// Every broken rule, warnings included.
  package private(set) var findings: [Finding] = []
  /// Where it was read, if that was outside of a store.
  package private(set) var place: InputPlace?

  /// The row of a judged text.
  package init(_ judged: Judged, _ profile: Profile, at place: InputPlace? = nil) {
    self.place = place
    finding = judged.findings.isEmpty ? nil : judged.errors(profile).first
    standing = judged.standing
    (letter, reason) = Self.said(judged.verdict, judged.standing, finding)
    subject = (judged.statedID ?? judged.node?.id).map { .id($0) } ?? .nothing
    if case .good(let form) = judged.verdict { self.form = form }
    key = judged.key ?? judged.node?.publicKey
    userID = judged.node?.userID
    device = judged.node?.escapedText(.deviceID).map { Array($0) }
    // `YYYY-MM-DDT...`; it contains no escapes.
    month = judged.node?.escapedText(.wall).map { String(decoding: $0.prefix(7), as: UTF8.self) }
    findings = judged.findings
    if let node = judged.node {
      for text: Node.Text in [.authorName, .authorEmail, .deviceName] {
        names += node.escapedText(text) ?? []
        names.append(0)
      }
    }
  }

  /// The row of a judged receipt or schema.
  package init(_ judged: JudgedObject, _ profile: Profile, at place: InputPlace? = nil) {
    self.place = place
    finding = judged.errors(profile).first
    standing = judged.standing
    (letter, reason) = Self.said(judged.verdict, judged.standing, finding)
    subject = judged.id.map { .id($0) } ?? .nothing
    if case .good(let form) = judged.verdict { self.form = form }
    key = judged.key
    findings = judged.findings
    guard let schema = judged.schema else { return }
    userID = schema.userID
    device = Array(schema.deviceID.utf8)
    month = String(schema.wall.text.prefix(7))
  }

  /// What a verdict and a broken rule amount to.
  private static func said(
    _ verdict: Verdict?, _ standing: Standing?, _ finding: Finding?
  ) -> (letter: Unicode.Scalar, reason: String) {
    if let standing, let rule = standing.rule, verdict?.isGood == true, finding == nil {
      return (standing.letter, rule.id)
    }
    return switch (verdict, finding) {
    case (.some(let verdict), nil): (verdict.letter, verdict.reason)
    // Under a strict profile the letter still shows what is wrong with the signature.
    case (.some(let verdict), .some(let error)) where !verdict.isGood:
      (verdict.letter, error.summary)
    case (_, .some(let error)): ("B", reason(error))
    case (nil, nil): ("B", Rule.nodeType.id)
    }
  }

  /// The rule and its place; for a rule of parents also which of them.
  private static func reason(_ finding: Finding) -> String {
    switch finding.rule {
    case .parentMissing, .parentRefused: "\(finding.summary) \(finding.detail)"
    default: finding.summary
    }
  }

  /// What the node calls its author, or the device: JSON without quotes; `nil` when it does not say.
  package func name(_ name: Name) -> [UInt8]? {
    let parts = names.split(separator: 0, omittingEmptySubsequences: false)
    guard name.rawValue < parts.count, !parts[name.rawValue].isEmpty else { return nil }
    return Array(parts[name.rawValue])
  }

  private init(_ subject: Subject, reason: String, _ finding: Finding) {
    self.subject = subject
    letter = "B"
    self.reason = reason
    self.finding = finding
  }

  /// The row of an object that could not be judged.
  package init(_ id: ObjectID, _ finding: Finding) {
    self.init(.id(id), reason: finding.summary, finding)
  }

  /// The row of a node that cannot be checked at present: it is in an archive that is away.
  package init(offline id: ObjectID, _ path: String) {
    subject = .id(id)
    letter = "E"
    let finding = Finding(.archiveOffline, detail: path)
    reason = finding.rule.id
    self.finding = finding
  }

  /// The row of a name that matches no object.
  package init(named name: ArraySlice<UInt8>, _ finding: Finding) {
    self.init(.name(Array(name)), reason: finding.summary, finding)
  }

  /// The row of a name that matches several objects.
  package init(ambiguous name: ArraySlice<UInt8>) {
    self.init(
      .name(Array(name)), reason: "ambiguous",
      Finding(.objectMissing, detail: "ambiguous"))
  }

  /// Whether the node is good.
  package var isGood: Bool { letter == "G" && finding == nil }
}
