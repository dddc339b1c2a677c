// redo verify --proof: checks a proof by itself, without a store or a network.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell
internal import RedoStore

/// Checks proofs made by redo prove.
enum VerifyProof {
  /// Checks the proof in a file, or on standard input, and prints a row.
  ///
  /// - Parameters:
  ///   - path: the file; standard input when it is `nil`.
  ///   - pinned: the key that must have signed.
  ///   - isJSON: whether the row is JSON.
  ///   - end: the byte that ends the row.
  ///   - context: receives the output.
  /// - Returns: `ok` when everything holds, and the node or receipt is good.
  /// - Throws: `fatal` when the proof cannot be read.
  static func run(
    _ path: String?, _ pinned: PublicKey?, isJSON: Bool, end: UInt8, _ context: inout Context
  ) throws -> Exit {
    let bytes: [UInt8]
    if let path {
      bytes = try InputFile.read(path, limit: InclusionProof.byteLimit, context.effects)
    } else {
      bytes = try InputFile.read(context.input, limit: InclusionProof.byteLimit)
    }
    let row = judge(bytes, pinned)
    try context.output.append { output throws in
      if isJSON { row.appendJSON(to: &output) } else { row.append(to: &output) }
      output.append(end)
    }
    try context.output.flush()
    if row.letter == "G", let (receipt, key) = row.receipt, receipt.did.keyStart == nil {
      context.warning(
        "'\(receipt.did.text)' binds no key: that '\(key.map { Hex.text($0.bytes.span) } ?? "-")' is its "
          + "key must be known from elsewhere")
    }
    return row.letter == "G" ? .ok : .no
  }

  /// Judges a proof of either form.
  static func judge(_ bytes: [UInt8], _ pinned: PublicKey?) -> ProofRow {
    do throws(NoteError) {
      if bytes.starts(with: Array("\(ConsistencyProof.firstLine)\n".utf8)) {
        return judge(try ConsistencyProof(decoding: bytes), pinned)
      }
      return judge(try InclusionProof(decoding: bytes), pinned)
    } catch {
      return ProofRow(broken: Finding(.checkpointForm, detail: error.description))
    }
  }

  private static func judge(_ proof: InclusionProof, _ pinned: PublicKey?) -> ProofRow {
    var row = ProofRow(proof.checkpoint)
    row.index = proof.index
    row.received = proof.object.received
    let judged: (id: ObjectID, verdict: Verdict)?
    switch proof.object.subject {
    case .node(let text): judged = judge(node: text, proof.object.key, &row)
    case .receipt(let preimage, let signature):
      judged = judge(receipt: preimage, signature, proof.object.key, &row)
    case .schema(let text): judged = judge(schema: text, &row)
    }
    guard let judged else { return row }
    guard proof.holds(for: judged.id) else {
      row.break(
        Finding(.checkpointDiverged, detail: "the checkpoint has another entry at this place"))
      return row
    }
    guard row.isSigned(by: pinned) else { return row }
    row.letter = String(judged.verdict.letter)
    row.reason = judged.verdict.reason
    return row
  }

  /// Judges a node by itself.
  ///
  /// - Returns: its id and what its signature is worth; `nil` when the row says what is wrong.
  private static func judge(
    node text: [UInt8], _ key: PublicKey?, _ row: inout ProofRow
  ) -> (id: ObjectID, verdict: Verdict)? {
    var decoder = NodeDecoder(identity: .required)
    guard let node = decoder.decode(text.span) else {
      row.id = decoder.statedID
      row.break(
        decoder.findings.first { $0.rule.severity == .error } ?? Finding(.nodeType))
      return nil
    }
    row.id = node.id
    var written: [UInt8] = []
    node.appendWhole(to: &written)
    guard written == text else {
      row.break(Finding(.checkpointForm, detail: "the node is not written canonically"))
      return nil
    }
    if let key, node.publicKey != nil || UserID(of: key) != node.userID {
      row.break(Finding(.checkpointForm, detail: "the key is not one that the node needs"))
      return nil
    }
    return (node.id, node.verify(key: node.publicKey ?? key))
  }

  /// Judges a schema by itself.
  ///
  /// - Returns: as above.
  private static func judge(
    schema text: [UInt8], _ row: inout ProofRow
  ) -> (id: ObjectID, verdict: Verdict)? {
    var decoder = SchemaDecoder()
    guard let schema = decoder.decode(text) else {
      row.id = decoder.statedID
      row.break(
        decoder.findings.first { $0.rule.severity == .error } ?? Finding(.schemaForm))
      return nil
    }
    row.id = schema.id
    var written: [UInt8] = []
    StoredObject(schema).appendContents(to: &written)
    guard written == text else {
      row.break(Finding(.checkpointForm, detail: "the schema is not written canonically"))
      return nil
    }
    return (schema.id, schema.verify())
  }

  /// Judges a receipt by itself, and with the key that came with it.
  ///
  /// - Returns: as above.
  private static func judge(
    receipt preimage: [UInt8], _ signature: Signature?, _ key: PublicKey?, _ row: inout ProofRow
  ) -> (id: ObjectID, verdict: Verdict)? {
    row.id = ObjectID(digest: SHA256.digest(of: preimage.span))
    var decoder = ReceiptDecoder()
    guard let receipt = decoder.decode(preimage, signature: signature) else {
      row.break(
        decoder.findings.first { decoder.profile.severity(of: $0) == .error }
          ?? Finding(.receiptForm))
      return nil
    }
    row.receipt = (receipt, key)
    guard key == nil || signature != nil else {
      row.break(Finding(.checkpointForm, detail: "the key is not one that the receipt needs"))
      return nil
    }
    return (receipt.id, receipt.verify(key: key))
  }

  private static func judge(_ proof: ConsistencyProof, _ pinned: PublicKey?) -> ProofRow {
    var row = ProofRow(proof.new)
    row.id = proof.new.id
    row.old = proof.old
    guard proof.old.checkpoint.store == proof.new.checkpoint.store else {
      row.break(
        Finding(
          .checkpointDiverged,
          detail: "the earlier checkpoint is of another log, \(proof.old.checkpoint.origin)"))
      return row
    }
    guard proof.holds else {
      row.break(
        Finding(
          .checkpointDiverged, detail: "the entries of the earlier checkpoint are not its first")
      )
      return row
    }
    guard row.isSigned(by: pinned) else { return row }
    row.reason = "extends"
    return row
  }
}

/// The result of checking a proof.
struct ProofRow {
  var letter = "G"
  /// The node or receipt, or the later checkpoint.
  var id: ObjectID?
  /// What was signed, `extends`, or the broken rule.
  var reason = ""
  private var detail = ""
  private var rule: Rule?
  private let checkpoint: SignedCheckpoint?
  /// The earlier checkpoint, if there are two.
  var old: SignedCheckpoint?
  /// The receipt, if it is one that keeps the rules, and the key that came with it.
  var receipt: (receipt: Receipt, key: PublicKey?)?
  var index: Int?
  var received: Int64?

  init(_ checkpoint: SignedCheckpoint) { self.checkpoint = checkpoint }

  /// The row for a text that is not a proof.
  init(broken finding: Finding) {
    checkpoint = nil
    self.break(finding)
  }

  /// Records something that does not hold.
  mutating func `break`(_ finding: Finding) {
    letter = "B"
    reason = finding.summary
    rule = finding.rule
    detail = finding.detail
  }

  /// Whether the required key has signed; records it if not.
  mutating func isSigned(by pinned: PublicKey?) -> Bool {
    guard let pinned, let checkpoint else { return true }
    for signed in [checkpoint] + (old.map { [$0] } ?? []) where !signed.signers.contains(pinned) {
      let signer = Hex.text(signed.signer.bytes.span)
      self.break(Finding(.keyUntrusted, detail: "the checkpoint is signed by \(signer)"))
      return false
    }
    return true
  }

  private var receivedText: String? { received.map { DateStyle.iso.text($0, now: 0) } }

  /// Appends `G <id> <form> <index> <size> <received> <origin> <made> <key>`, for two checkpoints
  /// `G <id> extends <id> <old size> <size> <origin> <made> <key>`, and for a proof that does not hold
  /// `<letter> <id> <rule> [<detail>]`.
  func append(to output: inout [UInt8]) {
    output += "\(letter) \(id?.text ?? "-") \(Escape.text(reason))".utf8
    guard letter != "B", let signed = checkpoint else {
      if !detail.isEmpty { output += " \(Escape.text(detail))".utf8 }
      return
    }
    let checkpoint = signed.checkpoint
    if let old { output += " \(old.id.text) \(old.checkpoint.size) \(checkpoint.size)".utf8 }
    if let index, let receivedText {
      output += " \(index) \(checkpoint.size) \(receivedText)".utf8
    }
    output += " \(checkpoint.origin) \(checkpoint.time.text) ".utf8
    output += Hex.text(signed.signer.bytes.span).utf8
  }

  /// Appends the members in RFC 8785 order.
  func appendJSON(to output: inout [UInt8]) {
    var row = JSONRow()
    if let receipt { row.add("author", receipt.receipt.did.text) }
    if let key = receipt?.key { row.add("authorKey", Hex.text(key.bytes.span)) }
    if let checkpoint { row.add("checkpoint", checkpoint.id.text) }
    if let receipt { row.add("cid", receipt.receipt.id.cidText(as: .receipt)) }
    if !detail.isEmpty { row.add("detail", detail) }
    if let old { row.add("extends", old.id.text) }
    if letter == "G", old == nil { row.add("form", reason) }
    if old == nil, let id { row.add("id", id.text) }
    if let index { row.add("index", index) }
    if let checkpoint { row.add("key", Hex.text(checkpoint.signer.bytes.span)) }
    row.add("letter", letter)
    if let old { row.add("oldSize", old.checkpoint.size) }
    if let checkpoint { row.add("origin", checkpoint.checkpoint.origin) }
    if let receivedText { row.add("received", receivedText) }
    if letter != "G" { row.add("rule", rule?.id ?? reason) }
    if let checkpoint {
      row.add("size", checkpoint.checkpoint.size)
      row.add("time", checkpoint.checkpoint.time.text)
    }
    row.append(to: &output)
  }
}
