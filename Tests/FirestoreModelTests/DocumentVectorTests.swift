// The documents of Tests/Vectors/firestore, as other people write them, and every node of the other
// folders through a document and its JSON and back.

import CanonicalJSON
import FirestoreModel
import RedoCrypto
import RedoObject
import TestSupport
import Testing

@Suite struct DocumentVectorTests {
  static let folder = VectorFolder.own("firestore")

  struct Row: CustomTestStringConvertible, Sendable {
    let file, verdict, form, id, computed, createdAt, place: String
    var testDescription: String { file }
  }

  static func rows() throws -> [Row] {
    try folder.table().map {
      Row(
        file: $0[0], verdict: $0[1], form: $0[2], id: $0[3], computed: $0[4], createdAt: $0[5],
        place: $0[6])
    }
  }

  @Test("documents of other writers", arguments: try rows())
  func document(_ row: Row) throws {
    let nodes = try Set(Self.folder.lines("nodes.ndjson"))
    let document = try read(Self.folder.bytes(row.file)) { try FirestoreDocument($0) }
    switch NodeDocument.recover(document) {
    case .recovered(let recovered):
      #expect(row.verdict == "recovered")
      #expect(recovered.id.text == row.id)
      #expect(recovered.form.text == row.form)
      #expect((recovered.createdAt?.text ?? "-") == row.createdAt)
      #expect(recovered.accessList == ["105903772564891234567"])
      var whole: [UInt8] = []
      Node.appendWhole(
        body: recovered.body.span, id: recovered.id, signature: recovered.signature, to: &whole)
      #expect(nodes.contains(whole), "the node that the maker wrote, byte for byte")
      var decoder = NodeDecoder()
      let decoded = decoder.decode(recovered.object)
      let node = try #require(decoded)
      if let key = node.publicKey, node.signature != nil {
        #expect(node.verify(key: key) == .good(.body))
      }
    case .unfit(let unfit): expect(unfit, row)
    }
  }

  private func expect(_ unfit: NodeDocument.Unfit, _ row: Row) {
    switch unfit {
    case .noID(let text):
      #expect(row.verdict == "noID")
      #expect(text == row.id)
    case .idMismatch(let name, let id):
      #expect(row.verdict == "idMismatch")
      #expect(name == row.id)
      #expect(id.text == row.computed)
    case .hashMismatch(let stated, let computed, let body):
      #expect(row.verdict == "hashMismatch")
      #expect(stated.text == row.id)
      #expect(computed.text == row.computed)
      #expect(ObjectID(digest: SHA256.digest(of: body.span)) == computed)
      #expect(unfit.message.contains(stated.text) && unfit.message.contains(computed.text))
      #expect(unfit.rule == .hashMismatch)
    case .unreadable(let rule, let place, _):
      #expect(rule == (row.file == "value--integer.json" ? .jsonNumberPrecision : .jsonSyntax))
      #expect(row.verdict == "unreadable")
      #expect(place == row.place)
    case .signatureForm: #expect(row.verdict == "signatureForm")
    case .tooLarge: Issue.record("too large")
    }
  }

  @Test("the log of an app whose clients wrote in every manner")
  func appLog() throws {
    let nodes = try Self.folder.lines("app-nodes.ndjson")
    let documents = try Self.folder.lines("app-documents.ndjson")
    #expect(nodes.count == documents.count)
    var forms: Set<String> = []
    for (line, expected) in zip(documents, nodes) {
      let document = try read(line) { try FirestoreDocument($0) }
      guard case .recovered(let recovered) = NodeDocument.recover(document) else {
        Issue.record("not recovered: \(document.name)")
        continue
      }
      var whole: [UInt8] = []
      Node.appendWhole(
        body: recovered.body.span, id: recovered.id, signature: recovered.signature, to: &whole)
      #expect(whole == expected)
      #expect(recovered.createdAt == document.createTime)
      forms.insert(recovered.form.text)
    }
    #expect(forms.count >= 7, "\(forms)")
    var rules: [Rule] = []
    for line in try Self.folder.lines("damaged-documents.ndjson") {
      guard
        case .unfit(let unfit) = NodeDocument.recover(try read(line) { try FirestoreDocument($0) })
      else { continue }
      rules.append(unfit.rule)
    }
    #expect(rules == [.hashMismatch, .hashMismatch, .signatureForm])
  }

  @Test("every vector of a node goes into a document and comes back byte for byte")
  func everyNode() throws {
    var texts = try Self.folder.lines("nodes.ndjson")
    for row in try VectorFolder.own("node").table() where row[1] == "valid" {
      texts.append(try VectorFolder.own("node").bytes(row[0]))
    }
    let logs = try Set(VectorFolder.own("log").table().map { $0[0] })
    for log in logs { texts += try VectorFolder.own("log").lines(log) }
    let profiles = try Set(VectorFolder.own("profile").table().map { $0[0] })
    for log in profiles { texts += try VectorFolder.own("profile").lines(log) }
    var decoder = NodeDecoder()
    var count = 0
    var forms: [String: Int] = [:]
    for text in texts {
      guard let node = decoder.decode(text.span) else { continue }
      count += 1
      let recovered: NodeDocument.Recovered
      do {
        recovered = try Self.throughDocument(node)
      } catch NodeDocument.Refusal.tooLarge {
        // The largest node that there can be has no room beside its names.
        #expect(node.body.count > NodeDocument.sizeLimitBytes - 2048)
        continue
      }
      #expect(recovered.body == node.body)
      #expect(recovered.signature == node.signature)
      forms[recovered.form.text, default: 0] += 1
    }
    #expect(count > 300, "\(count) nodes")
    #expect(forms["plain"] ?? 0 > 300)
    #expect(forms["canonical"] ?? 0 > 0, "some need the field")
    #expect(forms.count == 2, "\(forms)")
  }

  /// A node as a document, as JSON, and back.
  static func throughDocument(_ node: Node) throws -> NodeDocument.Recovered {
    let database = try #require(DatabaseName(project: "demo"))
    var document = FirestoreDocument(
      name: NodeDocument.name(of: node.id, in: database).text,
      fields: try NodeDocument.fields(
        of: node.body, id: node.id, signature: node.signature,
        accessList: [OAuthID("105903772564891234567")]))
    try document.fields.checkLimits()
    document.fields[NodeDocument.createdAtField] = .timestamp(
      FirestoreTimestamp(WallTime(milliseconds: 1_763_287_200_123)))
    #expect(document.sizeBytes <= NodeDocument.sizeLimitBytes)
    var json: [UInt8] = []
    document.appendJSON(to: &json)
    let back = try read(json) { try FirestoreDocument($0) }
    #expect(back == document)
    guard case .recovered(let recovered) = NodeDocument.recover(back) else {
      throw FirestoreFormatError("", "not recovered")
    }
    #expect(recovered.createdAt?.text == "2025-11-16T10:00:00.123Z")
    return recovered
  }
}
