// Whether a document at Firestore is what it should be: document 002, appendix C with its four codes, and
// its list after a push. All faults are reported, in this order, not only the first.

package import FirestoreModel
internal import RedoCrypto
internal import RedoObject

/// The findings about one document.
package struct DocumentCheck: Sendable {
  /// Something that is wrong.
  package struct Finding: Equatable, Sendable {
    /// A code of appendix C, or a rule.
    package let code: String
    /// What it is, in lower case.
    package let text: String

    init(_ code: String, _ text: String) {
      self.code = code
      self.text = text
    }

    init(_ rule: Rule, _ text: String) { self.init(rule.id, text) }
  }

  /// The last part of the document's name.
  package let id: String
  /// What is wrong; nothing where all is well.
  package private(set) var findings: [Finding] = []

  /// A document that does not exist, or that the account may not read.
  ///
  /// - Parameter id: the last part of its name.
  package init(missing id: String) {
    self.id = id
    findings = [Finding("nodeNotFound", "there is no such document that the account may read")]
  }

  /// Looks at a document.
  ///
  /// - Parameters:
  ///   - document: all of it.
  ///   - account: the account that must be in its access list.
  ///   - allowsUnsigned: whether it may lack a signature.
  package init(_ document: FirestoreDocument, account: OAuthID, allowsUnsigned: Bool) {
    id = DocumentName(text: document.name)?.id ?? document.name
    let fields = document.fields
    checkVersion(fields["version"])
    checkID(fields["id"])
    checkTimestamp(fields["timestamp"])
    checkEnvelope(fields, account)
    checkNode(document, allowsUnsigned: allowsUnsigned)
  }

  // MARK: Appendix C

  private mutating func checkVersion(_ value: FirestoreValue?) {
    guard value?.integer != 1 else { return }
    findings.append(Finding("invalidVersion", "'version' is \(Self.shown(value)), not 1"))
  }

  private mutating func checkID(_ value: FirestoreValue?) {
    func wrong(_ text: String) { findings.append(Finding("invalidId", text)) }
    guard let text = value?.text else { return wrong("'id' is \(Self.shown(value))") }
    guard ObjectID(ascii: Array(text.utf8).span) != nil else {
      return wrong("'id' is not 'sha256:' and 64 lower-case hex digits")
    }
    if text != id { wrong("'id' is not the name of the document") }
  }

  private mutating func checkTimestamp(_ value: FirestoreValue?) {
    func wrong(_ text: String) { findings.append(Finding("invalidTimestamp", text)) }
    guard let fields = value?.fields else { return wrong("'timestamp' is \(Self.shown(value))") }
    let lamport = fields["lamport"]
    if lamport?.integer.map({ $0 < 1 }) ?? true {
      wrong("'timestamp.lamport' is \(Self.shown(lamport)), not an integer above 0")
    }
    guard let wall = fields["wall"]?.text else {
      return wrong("'timestamp.wall' is \(Self.shown(fields["wall"]))")
    }
    guard wall.hasSuffix("Z") else { return wrong("'timestamp.wall' does not end with 'Z'") }
    guard let found = WallTime.parse(Array(wall.utf8).span) else {
      return wrong("'timestamp.wall' is no time 'YYYY-MM-DDTHH:MM:SS.mmmZ'")
    }
    if found.time.text != wall {
      findings.append(Finding(.wallPrecision, "'timestamp.wall' has not three decimals"))
    }
  }

  // MARK: The list after a push

  private mutating func checkEnvelope(_ fields: FirestoreFields, _ account: OAuthID) {
    let list = fields["accessList"]?.elements?.compactMap(\.text)
    if let list {
      if !list.contains(account.text) {
        findings.append(
          Finding("accessList", "'accessList' lacks the account '\(account.text)'"))
      }
      for text in list where OAuthID.isCryptoUserID(text) {
        findings.append(
          Finding("accessList", "'accessList' has '\(text)', the user id of a key pair"))
      }
    } else {
      findings.append(Finding("accessList", "'accessList' is no array of texts"))
    }
    if fields["createdAt"] == nil {
      findings.append(Finding("createdAt", "'createdAt' is missing"))
    }
  }

  private mutating func checkNode(_ document: FirestoreDocument, allowsUnsigned: Bool) {
    switch NodeDocument.recover(document) {
    case .unfit(let unfit):
      findings.append(Finding(unfit.rule, unfit.message))
    case .recovered(let recovered):
      var decoder = NodeDecoder()
      let node = decoder.decode(recovered.object)
      for finding in decoder.findings where finding.rule.severity == .error {
        let detail = finding.detail.isEmpty ? "\(finding.rule.meaning)" : finding.detail
        findings.append(Finding(finding.rule, detail))
      }
      guard let signature = recovered.signature else {
        if !allowsUnsigned {
          findings.append(Finding(.signatureMissing, "nobody has signed it"))
        }
        return
      }
      guard let key = node?.publicKey else { return }
      let digest = recovered.id.digest
      guard !Ed25519.isValid(signature, of: recovered.body.span, by: key),
        !Ed25519.isValid(signature, of: digest.bytes.span, by: key)
      else { return }
      findings.append(Finding(.signatureBad, "the signature does not hold"))
    }
  }

  /// A value for people.
  private static func shown(_ value: FirestoreValue?) -> String {
    switch value {
    case nil: "missing"
    case .null?: "null"
    case .integer(let number)?: "\(number)"
    case .double(let number)?: "\(number)"
    case .boolean(let truth)?: "\(truth)"
    case .string(let text)?: "'\(String(text.unicodeScalars.prefix(80)))'"
    default: "of another type"
    }
  }

  /// The row of an answer.
  var row: AnswerObject {
    var row = AnswerObject()
    row.add(
      "findings",
      findings.map { finding in
        var row = AnswerObject()
        row.add("code", finding.code)
        row.add("text", finding.text)
        return row
      })
    row.add("id", id)
    return row
  }
}
