// What can be found out about one receipt's or schema's id and signature: there is one way only to write it, so that there are
// no other readings.

internal import RedoCrypto
internal import RedoObject
internal import RedoRepository
internal import RedoShell

/// The facts about a receipt or a schema.
struct GroupReading {
  /// The object.
  let object: StoredObject
  /// What it is, if its bytes keep the rules of form.
  private let grouped: GroupedObject?
  /// Every broken rule, warnings included.
  let findings: [Finding]

  /// The facts about an object of a store.
  init(_ object: StoredObject) {
    var decoder = PlaceDecoder()
    self.object = object
    grouped = decoder.grouped(object)
    findings = decoder.findings(of: object.kind)
  }

  /// The names and values, in the order in which they are shown.
  private func facts(_ row: VerdictRow) -> [(name: StaticString, value: String?)] {
    var signature: [UInt8]?
    if let known = object.signature {
      var text: [UInt8] = []
      object.kind.append(known, to: &text)
      signature = text
    }
    if object.kind == .schema {
      let schema = grouped?.schema
      return [
        ("schema", schema?.definition.name.text), ("user", schema?.userID.text),
        ("device", schema?.deviceID), ("op", schema?.change.op),
        ("source", schema?.change.source.rawValue),
        ("key", row.key.map { Hex.text($0.bytes.span) }),
        ("signature", signature.map { String(decoding: $0, as: UTF8.self) }),
      ]
    }
    let receipt = grouped?.receipt
    return [
      ("cid", object.id.cidText(as: .receipt)), ("form", receipt?.form.rawValue),
      ("did", receipt?.did.text), ("device", receipt?.deviceID), ("type", receipt?.type),
      ("key", row.key.map { Hex.text($0.bytes.span) }),
      ("bound", receipt.map { $0.did.keyStart == nil ? "no" : "yes" }),
      ("signature", signature.map { String(decoding: $0, as: UTF8.self) }),
    ]
  }

  /// The lines of an object.
  func lines(_ row: VerdictRow) -> [String] {
    var lines = ["\(object.kind) \(row.name)", "verdict \(row.letter) \(Escape.text(row.reason))"]
    for fact in facts(row) {
      lines.append("\(fact.name) \(fact.value.map { Escape.text($0) } ?? "-")")
    }
    for finding in findings { lines.append("finding \(Escape.text(finding.summary))") }
    return lines
  }

  /// Appends an object as RFC 8785 JSON.
  func appendJSON(_ row: VerdictRow, to output: inout [UInt8]) {
    let facts = facts(row)
    var json = JSONRow()
    func add(_ name: StaticString) {
      if let value = facts.first(where: { "\($0.name)" == "\(name)" })?.value {
        json.add(name, value)
      }
    }
    for name: StaticString in ["bound", "cid", "device", "did"] { add(name) }
    json.add("findings", findings.map(\.summary))
    add("form")
    json.add("id", object.id.text)
    add("key")
    json.add("kind", "\(object.kind)")
    json.add("letter", "\(row.letter)")
    add("op")
    json.add("reason", row.reason)
    for name: StaticString in ["schema", "signature", "source", "type", "user"] { add(name) }
    json.append(to: &output)
  }
}
